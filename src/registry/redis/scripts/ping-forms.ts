/**
 * The forms of a ping on its way to Redis. Nearly every ping repeats what this replica knows of the entry, or changes
 * its players alone: its short form names that version instead of saying all.
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
 * One of this many short pings has the whole record checked: so what another program has written into it is put right
 * soon, which a version does not tell, and the record does not remove itself.
 */
const PINGS_TO_ONE_CHECK = 16;

/**
 * A ping that names what is known. Undefined if the game server says more than other players than the entry that is
 * known, or if Redis has to look at its claim or its client.
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

/** What the record of the entry has to hold, as the script puts it together. */
function recordOf(known: ListedGameServer): string {
  const { ip, host, name, port, players, maxPlayers, registeredVersion, client, reachability, details } =
    known;
  const claimed = known.isClaimed ? '1' : '';
  const said = [ip, host, name, port, players, maxPlayers, registeredVersion];
  return [...said, claimed, client, reachability, details.text].join('\n');
}

/**
 * A ping that presumes nothing. `mayMove`: whether the IP may be another than before. `isExempt`: whether
 * no quota holds for the client.
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

/** `reply` is not SAY_ALL. */
export function readShortPing(reply: unknown, { players }: GameServer, known: ListedGameServer): Pinged {
  if (reply === CODES.DONE) return { outcome: 'refreshed' };
  return { outcome: 'refreshed', changed: { ...known, players, version: Number(reply) } };
}
