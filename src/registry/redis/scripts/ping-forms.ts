/**
 * The two forms of a ping on its way to Redis. Nearly every ping repeats what this replica knows of the entry, or
 * changes its players alone: its short form names that version instead of saying all.
 */

import { saysTheSame, type GameServer, type GameServerId, type ListedGameServer } from '../../game-server.ts';
import { isEntitled, type AnyCaller } from '../../registry.ts';
import { networkNumber } from '../client-network.ts';
import { placeOf } from '../place.ts';
import { CODES, rowOf } from './script-contract.ts';
import type { Pinged } from './script-replies.ts';

/**
 * One of this many pings says all, whatever is known: so what another program has written into a record is put right
 * soon, which a version does not tell.
 */
const PINGS_TO_ONE_FULL = 16;

/**
 * The row of a ping that names what is known. Undefined if the game server says more than other players than the entry
 * that is known, if Redis has to look at its claim, and now and then.
 */
export function shortPing(
  gameServer: GameServer,
  caller: AnyCaller,
  known: ListedGameServer,
): readonly string[] | undefined {
  const { ip, players } = gameServer;
  const claims = caller.proof === 'token' && !known.isClaimed;
  if (claims || !isEntitled(caller, known) || !saysTheSame(gameServer, { ...known, players }))
    return undefined;
  if (Math.random() * PINGS_TO_ONE_FULL < 1) return undefined;
  const news = players === known.players ? '' : players;
  return rowOf('ping', { id: known.id, ip, players: news, knownVersion: known.version });
}

/**
 * The rows of a ping that presumes nothing. `mayMove`: whether the IP may be another than before. `isExempt`: whether
 * no quota holds for the client.
 */
export function fullPing(
  id: GameServerId,
  gameServer: GameServer,
  { address, proof }: AnyCaller,
  { mayMove = false, isExempt = false } = {},
): readonly string[] {
  const { ip, players, host, name, port, maxPlayers, details } = gameServer;
  const more = rowOf('fullPing', {
    host,
    name,
    port,
    maxPlayers,
    proof: proof === 'none' ? '' : proof,
    mayMove,
    client: address,
    network: networkNumber(address),
    isExempt,
    details: details === undefined ? '' : details.text || '{}',
    place: placeOf(gameServer),
  });
  return [...rowOf('ping', { id, ip, players, knownVersion: '' }), ...more];
}

/** `reply` is not SAY_ALL. */
export function readShortPing(reply: unknown, { players }: GameServer, known: ListedGameServer): Pinged {
  if (reply === CODES.DONE) return { outcome: 'refreshed' };
  return { outcome: 'refreshed', changed: { ...known, players, version: Number(reply) } };
}
