/**
 * The probes over UDP, whatever their protocol. The socket is connected, so the system drops packets from any other
 * address or port, and reports a closed port. A package such as gamedig brings nine direct dependencies.
 *
 * At most 4 small queries are sent: nothing is amplified, even if the address were not the game server's.
 */

import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Attempt } from './attempt.ts';
import { outcomeOf } from './probe-result.ts';

const MOST_QUERIES = 4;

/** The number of datagrams without a reply after which the other side counts as one of another protocol. */
const MOST_DATAGRAMS = 16;

/** `reply`: with the number of players, if it has one. `ask`: the game server wants this query instead. */
export type Meaning =
  | { readonly is: 'reply'; readonly players?: number | undefined }
  | { readonly is: 'ask'; readonly query: Buffer }
  | { readonly is: 'other' };

export const OTHER: Meaning = { is: 'other' };

/** The outcome is `answered` once a datagram means a reply. `read` must not throw, whatever the datagram holds. */
export function queryUdp(
  { target, timeoutMs, clock, over, settle, settleAtDeadline }: Attempt,
  firstQuery: Buffer,
  read: (datagram: Buffer) => Meaning,
): void {
  const socket = createSocket(isIPv6(target.ip) ? 'udp6' : 'udp4');
  let query = firstQuery;
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
    const meaning = read(datagram);
    if (meaning.is === 'reply') settle('answered', meaning.players);
    else if (datagrams === MOST_DATAGRAMS) settle('other_protocol');
    else if (meaning.is === 'ask') {
      query = meaning.query;
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
