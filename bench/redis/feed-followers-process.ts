/**
 * Replicas that follow the feed of a Redis, in a process of their own, at the pace of their readers. For feed-cost.ts.
 */

import { openListedRegistry } from '../support/open-registry.ts';

export interface FollowersOrder {
  readonly port: number;
  readonly replicas: number;
  /** Of each replica; 0 leaves it to the sweeps, as without readers. */
  readonly listsPerSecond: number;
}

process.on('message', (order: FollowersOrder) => void follow(order));
process.on('disconnect', () => process.exit());

async function follow({ port, replicas, listsPerSecond }: FollowersOrder): Promise<void> {
  for (let i = 0; i < replicas; i += 1) {
    const { registry } = await openListedRegistry(port);
    if (listsPerSecond > 0)
      setInterval(() => void registry.list().catch(() => undefined), 1000 / listsPerSecond);
  }
  process.send!('following');
}
