/**
 * Whether nobody listens at the port of a game server any more, by the word of its machine: an ICMP message, which no
 * limit of a game server can cause as it can cause silence. Who forges one has to guess the port that asks. Sockets
 * that ask nothing wait beside it: a refusal to one of them shows that somebody tries all ports.
 */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { Clock } from '../../registry/registry.ts';
import { pause } from '../pause.ts';
import type { Peer } from './game-server.ts';
import { getinfoPacket } from './packets.ts';

const QUESTION = getinfoPacket('x');
/** How often the question is sent: it, or what is said to it, may be lost. */
const TIMES = 2;
/** How long an answer or a refusal is waited for after each question, in ms. */
const WAIT_MS = 500;
/** How many sockets ask nothing. With 7, refusals to some of all ports deceive in one of 20 attempts at the most. */
const DECOYS = 7;

/** Resolves with false where nothing is known either, and as soon as `over` is aborted. Never rejects. */
export async function isPortClosed(
  { address, port }: Peer,
  timers: Pick<Clock, 'every'>,
  over: AbortSignal,
): Promise<boolean> {
  const type = isIPv6(address) ? 'udp6' : 'udp4';
  const sockets = Array.from({ length: 1 + DECOYS }, () => createSocket(type));
  const [asker] = sockets as [(typeof sockets)[0]];
  let [isRefused, isDoubtful] = [false, false];
  try {
    for (const socket of sockets) {
      // The system hands over what comes from this address and port, and refusals of packets to them.
      socket.connect(port, address);
      await once(socket, 'connect', { signal: over });
      socket.on('message', () => (isDoubtful = true));
      socket.on('error', ({ code }: NodeJS.ErrnoException) => {
        if (socket === asker && code === 'ECONNREFUSED') isRefused = true;
        else isDoubtful = true;
      });
    }
    for (let time = 0; time < TIMES; time += 1) {
      asker.send(QUESTION);
      await pause(timers, WAIT_MS, over);
    }
    return isRefused && !isDoubtful;
  } catch {
    return false;
  } finally {
    for (const socket of sockets) socket.close();
  }
}
