/** Replicas of a registry on a real Redis, which is emptied for each test, with one clock that the test moves. */

import type { Redis } from 'ioredis';
import { createKeys } from '../../src/registry/redis/keys.ts';
import type { RedisRegistryOptions } from '../../src/registry/redis/redis-internals.ts';
import { RedisRegistry } from '../../src/registry/redis/redis-registry.ts';
import type { Scripts } from '../../src/registry/redis/scripts/scripts.ts';
import { createScripts } from '../../src/registry/redis/scripts/create-scripts.ts';
import { lifetime } from './registry-fixture.ts';
import { ManualClock } from './manual-clock.ts';
import { PATIENT } from './patient.ts';
import { useRedis } from './redis-server.ts';

export interface Replicas {
  readonly client: Redis;
  /** A new clock for each test. */
  readonly clock: ManualClock;
  /** Resolves once the replica has the list, or after the limit. It is closed after the test. */
  open(options?: Partial<RedisRegistryOptions>, limitMs?: number): Promise<RedisRegistry>;
  /** The Lua scripts, called without a replica. */
  scripts(): Scripts;
}

const LONGEST_OPENING_MS = 5000;

export function useReplicas(): Replicas {
  const redis = useRedis();
  const opened: RedisRegistry[] = [];
  let clock: ManualClock;

  beforeEach('an empty Redis', async () => {
    await redis.client.flushall();
    clock = new ManualClock();
  });
  afterEach('the replicas', async () => {
    await Promise.all(opened.splice(0).map((registry) => registry.close()));
  });

  return {
    get client() {
      return redis.client;
    },
    get clock() {
      return clock;
    },
    async open(options, limitMs = LONGEST_OPENING_MS) {
      const registry = new RedisRegistry({
        client: redis.client,
        registryName: '',
        lifetime,
        uniqueAddress: false,
        clock,
        clockRulesRedis: true,
        lossNoticeMs: 0,
        deadlines: PATIENT,
        ...options,
      });
      opened.push(registry);
      await registry.untilListed(limitMs);
      return registry;
    },
    scripts: () =>
      createScripts({
        client: redis.client,
        keys: createKeys(''),
        lifetime,
        uniqueAddress: false,
        holdMassExpiry: true,
        deadlines: PATIENT,
        now: () => clock.now(),
      }),
  };
}
