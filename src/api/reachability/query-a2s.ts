/**
 * The probe over UDP: A2S_INFO, the query of Source servers. The content of the reply is not read. The socket is
 * connected, so the system drops packets from any other address or port, and reports a closed port. A package such as
 * gamedig brings nine direct dependencies, and reads the replies.
 *
 * At most 4 queries of 25 or 29 bytes are sent: nothing is amplified, even if the address were not the game server's.
 */

import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Attempt } from './attempt.ts';
import { outcomeOf } from './probe-result.ts';

const QUERY = Buffer.from('\u00ff\u00ff\u00ff\u00ffTSource Engine Query\0', 'latin1');
const MOST_QUERIES = 4;

/** The number of datagrams without a reply after which the other side counts as one of another protocol. */
const MOST_DATAGRAMS = 16;

/** The beginnings of datagrams, as hex. */
const INFO = 'ffffffff49';
const CHALLENGE = 'ffffffff41';
const SPLIT = 'feffffff';
const CHALLENGE_BYTES = 9;

/** The outcome is `answered` once the reply comes, or the first part of a split one. */
export function queryA2s({ target, timeoutMs, clock, over, settle, settleAtDeadline }: Attempt): void {
  const socket = createSocket(isIPv6(target.ip) ? 'udp6' : 'udp4');
  let query = QUERY;
  let queries = 0;
  let datagrams = 0;
  const send = (): void => {
    if (over.aborted || queries === MOST_QUERIES) return;
    queries += 1;
    socket.send(query);
  };
  socket.on('error', (error) => settle(outcomeOf(error)));
  socket.on('message', (datagram) => {
    datagrams += 1;
    const beginning = datagram.toString('hex', 0, 5);
    if (beginning === INFO || beginning.startsWith(SPLIT)) settle('answered');
    else if (datagrams === MOST_DATAGRAMS) settle('other_protocol');
    else if (beginning === CHALLENGE && datagram.length >= CHALLENGE_BYTES) {
      query = Buffer.concat([QUERY, datagram.subarray(5, CHALLENGE_BYTES)]);
      send();
    } else settleAtDeadline('other_protocol');
  });
  socket.once('connect', () => {
    send();
    // A query or its reply may be lost on the way.
    const stopRepeating = clock.every(timeoutMs / 3, async () => send());
    over.addEventListener('abort', stopRepeating);
  });
  over.addEventListener('abort', () => socket.close());
  socket.connect(target.port, target.ip);
}
