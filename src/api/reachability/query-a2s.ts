/**
 * A2S_INFO, the query of Source servers (https://developer.valvesoftware.com/wiki/Server_queries#A2S_INFO). Of the
 * reply only the number of players is read:
 *
 *   ff ff ff ff 'I' protocol: 1, name, map, folder, game, app: 2, players: 1, most players: 1, bots: 1, …
 *
 * By that page `players` counts those on the server and `bots` the bots there, and servers count their bots as players:
 * the people are the difference, as Steam's own browser and `gsls announce` show them.
 */

import { peopleAmong } from '../../model/game-server.ts';
import type { Attempt } from './attempt.ts';
import { OTHER, queryUdp, type Meaning } from './query-udp.ts';

const QUERY = Buffer.from('\u00ff\u00ff\u00ff\u00ffTSource Engine Query\0', 'latin1');

/** The beginnings of datagrams, as hex. */
const INFO = 'ffffffff49';
const CHALLENGE = 'ffffffff41';
const SPLIT = 'feffffff';
const CHALLENGE_BYTES = 9;

const FIRST_TEXT_AT = 6;
const TEXTS = 4;
const APP_BYTES = 2;
/** The players of a server with more than a byte can say: their number is not known. */
const FULL_BYTE = 0xff;

/** The first part of a split reply is enough for an answer, though not for its players. */
export function queryA2s(attempt: Attempt): void {
  queryUdp(attempt, QUERY, readA2s);
}

export function readA2s(datagram: Buffer): Meaning {
  const beginning = datagram.toString('hex', 0, 5);
  if (beginning === INFO) return { is: 'reply', players: playersIn(datagram) };
  if (beginning.startsWith(SPLIT)) return { is: 'reply' };
  if (beginning !== CHALLENGE || datagram.length < CHALLENGE_BYTES) return OTHER;
  return { is: 'ask', query: Buffer.concat([QUERY, datagram.subarray(5, CHALLENGE_BYTES)]) };
}

/** Undefined for a reply that ends too early. */
function playersIn(reply: Buffer): number | undefined {
  let at = FIRST_TEXT_AT;
  for (let text = 0; text < TEXTS; text += 1) {
    const end = reply.indexOf(0, at);
    if (end === -1) return undefined;
    at = end + 1;
  }
  const [players, , bots] = reply.subarray(at + APP_BYTES);
  if (players === undefined || bots === undefined || players === FULL_BYTE) return undefined;
  return peopleAmong(players, bots);
}
