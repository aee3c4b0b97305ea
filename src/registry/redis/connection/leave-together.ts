/** Lets calls of many registries leave for Redis together: most of what a call costs is the write, here and there. */

import { Cluster } from 'ioredis';
import type { RedisClient } from './create-client.ts';

/** What leaves at the end of this round, by client. */
const leaving = new WeakMap<RedisClient, (() => void)[]>();

/**
 * Calls `leave` at the end of the round of the event loop, with all that leaves by the same client then. What they send
 * at once goes to the system in one write.
 */
export function leaveTogether(client: RedisClient, leave: () => void): void {
  const waiting = leaving.get(client);
  if (waiting !== undefined) return void waiting.push(leave);
  const all = [leave];
  leaving.set(client, all);
  setImmediate(() => {
    leaving.delete(client);
    const nodes = client instanceof Cluster ? client.nodes() : [client];
    // A client that is not connected has no stream.
    const streams = all.length === 1 ? [] : nodes.flatMap(({ stream }) => stream ?? []);
    for (const stream of streams) stream.cork();
    for (const each of all) each();
    for (const stream of streams) stream.uncork();
  });
}
