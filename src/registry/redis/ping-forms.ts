/**
 * The two forms of a ping on its way to Redis. Nearly every ping repeats what this replica knows of the entry, or
 * changes its players alone: its short form names that version instead of saying all. Knows what lua/ping.lua takes and
 * returns, not how it is called.
 */

import { looksTheSame, type GameServer, type GameServerId } from '../game-server.ts';
import type { ChangedGameServer } from './feed.ts';
import type { Pinged } from './script-replies.ts';

/** What a script takes for one entry, in the order of ARGV. */
export type EntryArgs = readonly [id: GameServerId, ...more: string[]];

/**
 * Of so many pings one says all, whatever is known: so what another program has written into a record is put right soon,
 * which a version does not tell.
 */
const PINGS_TO_ONE_FULL = 16;

/** The reply to a short ping if the entry is not as known. */
export const SAY_ALL = -3;

/** Undefined if the game server says more than other players than the entry that is known, and now and then. */
export function shortPing(gameServer: GameServer, known: ChangedGameServer): EntryArgs | undefined {
  const { ip, players } = gameServer;
  if (!looksTheSame(gameServer, { ...known, players }) || Math.random() * PINGS_TO_ONE_FULL < 1)
    return undefined;
  return [known.id, ip, players === known.players ? '' : String(players), String(known.version)];
}

/** The ping that presumes nothing. */
export function fullPing(id: GameServerId, gameServer: GameServer): EntryArgs {
  const { ip, players, host, name, port, maxPlayers } = gameServer;
  return [id, ip, String(players), '', host, name, String(port), String(maxPlayers)];
}

/** `reply` is not SAY_ALL. */
export function parseShortPing(reply: unknown, { registeredVersion }: ChangedGameServer): Pinged {
  return reply === 1
    ? { outcome: 'refreshed' }
    : { outcome: 'refreshed', changed: { version: Number(reply), registeredVersion } };
}
