/**
 * Adds to the sockets of ioredis what it does not do itself: notices a silent peer, and keeps late errors from ending
 * the process. No other code changes a socket.
 */

import type { Socket } from 'node:net';
import type { Redis } from 'ioredis';
import type { Deadlines } from '../../../runtime/deadlines.ts';

/** Its callback is called each time the peer has owed an answer for `silenceMs`. */
export interface SilenceWatch {
  readonly silenceMs: number;
  readonly onSilence: () => void;
}

/** Tunes each socket that the client will ever have. Call it once for a client; in a Cluster, once for each node. */
export function tuneSockets(
  redis: Redis,
  { silenceMs }: Deadlines,
  watches: readonly SilenceWatch[] = [],
): void {
  const silent = `Redis has not answered for ${silenceMs / 1000} s`;
  redis.on('connect', () => {
    const { stream } = redis;
    // ioredis' own socketTimeout outlives its connection when that is lost, and then ends the next one.
    const hang = { silenceMs, onSilence: () => void stream.destroy(new Error(silent)) };
    watch(stream, [hang, ...watches]);
  });
  // ioredis listens to one error of a connection. If TLS is closed during the handshake with a server whose certificate
  // is refused, it emits a second one, which would end the process.
  redis.on('error', () => redis.stream?.on('error', () => undefined));
}

/** A command starts the watches; any data of the peer stops them. */
function watch(stream: Socket, watches: readonly SilenceWatch[]): void {
  let timers: NodeJS.Timeout[] | undefined;
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (...args: unknown[]) => {
    timers ??= watches.map(({ silenceMs, onSilence }) => setInterval(onSilence, silenceMs));
    return write(...args);
  };
  const calm = (): void => {
    for (const timer of timers ?? []) clearInterval(timer);
    timers = undefined;
  };
  stream.on('data', calm).on('close', calm);
}
