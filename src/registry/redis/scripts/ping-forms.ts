/**
 * The two forms of a ping on its way to Redis. Nearly every ping repeats what this replica knows of the entry, or
 * changes its players alone: its short form names that version instead of saying all. Knows what lua/ping.lua takes and
 * returns, not how it is called.
 */

import { saysTheSame, type GameServer, type GameServerId, type ListedGameServer } from '../../game-server.ts';
import { isEntitled, type AnyCaller } from '../../registry.ts';
import { networkNumber } from '../client-network.ts';
import { placeOf } from '../place.ts';
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

/**
 * Undefined if the game server says more than other players than the entry that is known, if Redis has to look at its
 * claim, and now and then.
 */
export function shortPing(
  gameServer: GameServer,
  caller: AnyCaller,
  known: ListedGameServer,
): EntryArgs | undefined {
  const { ip, players } = gameServer;
  const claims = caller.proof === 'token' && !known.isClaimed;
  if (claims || !isEntitled(caller, known) || !saysTheSame(gameServer, { ...known, players }))
    return undefined;
  if (Math.random() * PINGS_TO_ONE_FULL < 1) return undefined;
  return [known.id, ip, players === known.players ? '' : String(players), String(known.version)];
}

/**
 * The ping that presumes nothing. `mayMove`: whether the IP may be another than before. `isExempt`: whether no quota holds
 * for the client.
 */
export function fullPing(
  id: GameServerId,
  gameServer: GameServer,
  { address, proof }: AnyCaller,
  { mayMove = false, isExempt = false } = {},
): EntryArgs {
  const { ip, players, host, name, port, maxPlayers, details } = gameServer;
  const says = [host, name, String(port), String(maxPlayers)];
  const flags = [mayMove ? '1' : '', isExempt ? '1' : ''] as const;
  const asks = [proof === 'none' ? '' : proof, flags[0], address, networkNumber(address), flags[1]];
  const more = [details === undefined ? '' : details.text || '{}', placeOf(gameServer)];
  return [id, ip, String(players), '', ...says, ...asks, ...more];
}

/** `reply` is not SAY_ALL. */
export function parseShortPing(reply: unknown, { players }: GameServer, known: ListedGameServer): Pinged {
  if (reply === 1) return { outcome: 'refreshed' };
  return { outcome: 'refreshed', changed: { ...known, players, version: Number(reply) } };
}
