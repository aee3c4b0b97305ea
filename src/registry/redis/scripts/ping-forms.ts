/**
 * The forms of a ping on its way to Redis. Nearly every ping repeats what this replica knows of the entry, or changes
 * its players alone: its short form names the known version instead of sending all fields.
 *
 * One ping in 16 has the whole record checked, so that what another program has written into it does not stay.
 */

import {
  saysOtherPlayersAtMost,
  type GameServer,
  type GameServerId,
  type ListedGameServer,
} from '../../../model/game-server.ts';
import { isEntitled, type AnyCaller } from '../../registry.ts';
import { networkNumber } from '../client-network.ts';
import { placeOf } from '../place.ts';
import { CODES, rowOf } from './script-contract.ts';
import type { Pinged } from './script-replies.ts';
import type { GroupedCall } from './script-runner.ts';

/**
 * One of this many short pings has the whole record checked. This soon repairs what another program has written into
 * the record without a new version, and keeps the record from removing itself (LEAK_GUARD_MS).
 */
const PINGS_TO_ONE_CHECK = 16;

/**
 * Builds a short ping. Returns undefined if the game server changes more than the players of the known entry, or if
 * Redis has to look at its claim or its client.
 */
export function shortPing(
  gameServer: GameServer,
  caller: AnyCaller,
  known: ListedGameServer,
): GroupedCall<'ping'> | undefined {
  const { players } = gameServer;
  const { id, version: knownVersion } = known;
  const claims = caller.proof === 'token' && !known.isClaimed;
  if (claims || !isEntitled(caller, known) || !saysOtherPlayersAtMost(gameServer, known)) return undefined;
  const isChecked = Math.random() * PINGS_TO_ONE_CHECK < 1;
  if (isChecked && known.client === '' && caller.address !== '') return undefined;
  const isRepeated = players === known.players;
  if (isRepeated && !isChecked)
    return { id, form: 'repeatedPing', row: rowOf('repeatedPing', { knownVersion }) };
  const row = { knownVersion, players: isRepeated ? '' : players, told: isChecked ? recordOf(known) : '' };
  return { id, form: 'partialPing', row: rowOf('partialPing', row) };
}

/** The expected content of the record of the entry, as one text, joined as the script joins it. */
function recordOf(known: ListedGameServer): string {
  const { ip, host, name, port, players, maxPlayers, registeredVersion, client, reachability, details } =
    known;
  const claimed = known.isClaimed ? '1' : '';
  const said = [ip, host, name, port, players, maxPlayers, registeredVersion];
  return [...said, claimed, client, reachability, details.text].join('\n');
}

/**
 * Builds a ping that presumes nothing. `mayMove`: whether the IP may be another than before. `isExempt`: whether no
 * quota holds for the client.
 */
export function fullPing(
  id: GameServerId,
  gameServer: GameServer,
  { address, proof }: AnyCaller,
  { mayMove = false, isExempt = false } = {},
): GroupedCall<'ping'> {
  const { ip, players, host, name, port, maxPlayers, details } = gameServer;
  const row = rowOf('fullPing', {
    ip,
    players,
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
  return { id, form: 'fullPing', row };
}

/** Reads the reply to a short ping, which must not be SAY_ALL. */
export function readShortPing(reply: unknown, { players }: GameServer, known: ListedGameServer): Pinged {
  if (reply === CODES.DONE) return { outcome: 'refreshed' };
  const changed = { ...known, players, version: Number(reply), restoredFrom: undefined };
  return { outcome: 'refreshed', changed };
}
