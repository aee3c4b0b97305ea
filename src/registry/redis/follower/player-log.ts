/** Parses the player log, whose format lua/lib/player-log.lua describes. This file does not know how it is fetched. */

import type { GameServerId } from '../../../model/game-server.ts';

/** A change of nothing but the players of an entry. */
export interface PlayerChange {
  readonly id: GameServerId;
  readonly players: number;
  /** The version of this change. */
  readonly version: number;
}

export interface PlayerLogPart {
  readonly changes: readonly PlayerChange[];
  /** The version up to which these are all changes of the list. */
  readonly upto: number;
}

/** Parses the lines that follow version `from`, as long as each follows the one before it. */
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
