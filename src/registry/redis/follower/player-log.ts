/** The player log as a replica reads it: lua/lib/player-log.lua says what is in it. Knows not how it is fetched. */

import type { GameServerId } from '../../../model/game-server.ts';

/** Nothing but the players of the entry changed. */
export interface PlayerChange {
  readonly id: GameServerId;
  readonly players: number;
  /** The version of this change. */
  readonly version: number;
}

export interface PlayerLogPart {
  readonly changes: readonly PlayerChange[];
  /** The version up to which these are all the changes of the list there were. */
  readonly upto: number;
}

/** Reads the lines that follow on version `from`, as far as each follows on the one before. */
export function parsePlayerLog(lines: string, from: number): PlayerLogPart {
  const changes: PlayerChange[] = [];
  let upto = from;
  for (let start = 0, end: number; (end = lines.indexOf('\n', start)) !== -1; start = end + 1) {
    const [before, id, players, version] = lines.slice(start, end).split(' ');
    const change = { id: id!, players: Number(players), version: Number(version) };
    const follows = Number(before) === upto && change.version > upto;
    if (!follows || !Number.isSafeInteger(change.players) || change.players < 0) break;
    changes.push(change);
    upto = change.version;
  }
  return { changes, upto };
}
