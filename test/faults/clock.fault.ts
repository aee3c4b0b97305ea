/**
 * The clock of Redis jumps. That of a real one cannot be set here, so three services of this process share one clock
 * that stands in for it; all else is real.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConfig } from '../../src/service/config/config.ts';
import { createLifetime } from '../../src/registry/lifetime.ts';
import { connectRedis } from '../../src/registry/redis/connection/connect.ts';
import { RedisRegistry } from '../../src/registry/redis/redis-registry.ts';
import { systemClock, type Clock } from '../../src/registry/registry.ts';
import { createListener } from '../support/create-listener.ts';
import { silentLogger } from '../support/start-test-service.ts';
import type { Site } from '../support/load/load.ts';
import { APPEND_ONLY, startSingleRedis } from './support/single-redis.ts';
import type { Store } from './support/setup.ts';
import { itEndures, useSetupUnderLoad, type BasicSetup } from './support/trial.ts';

const TTL_SECONDS = 3;
const HOUR_MS = 3_600_000;
const REPLICAS = 3;

class JumpingClock implements Clock {
  #offsetMs = 0;

  now(): number {
    return Date.now() + this.#offsetMs;
  }

  every(intervalMs: number, task: () => Promise<void>): () => void {
    return systemClock.every(intervalMs, task);
  }

  jump(ms: number): void {
    this.#offsetMs += ms;
  }
}

interface InProcess extends BasicSetup {
  readonly clock: JumpingClock;
  stop(): Promise<void>;
}

describe('the clock of Redis', () => {
  const underLoad = useSetupUnderLoad(startInProcess);

  for (const [name, ms] of [
    ['forwards', HOUR_MS],
    ['backwards', -HOUR_MS],
  ] as const) {
    itEndures(`T20: the clock jumps an hour ${name}`, underLoad, {
      store: 'stays',
      async breakAndMend({ setup, recorder }) {
        // No entry expires for one TTL.
        const jump = recorder.beginOutage(false);
        setup.clock.jump(ms);
        jump.to = jump.from;
      },
    });
  }
});

/** Three services of this process over one Redis; the first of them is also the front. */
async function startInProcess(): Promise<InProcess> {
  const store = await startSingleRedis(APPEND_ONLY);
  const clock = new JumpingClock();
  const services = await Promise.all(Array.from({ length: REPLICAS }, async () => startOne(store, clock)));
  const serving = services.map(({ address }) => address);
  return {
    store,
    clock,
    serving,
    front: serving[0]!,
    replicas: [],
    ttlMs: TTL_SECONDS * 1000,
    async stop() {
      await Promise.all(services.map(async (service) => service.stop()));
      await store.stop();
    },
  };
}

/** A first start takes half a second when the machine is idle. */
const LONGEST_START_MS = 10_000;

async function startOne(
  store: Store,
  clock: Clock,
): Promise<{ readonly address: Site['front']; stop(): Promise<void> }> {
  const config = createConfig({
    flags: {},
    environment: { ...store.environment, GSLS_TTL: String(TTL_SECONDS) },
    readFile: () => '',
  });
  const connection = connectRedis(config.redisAddress!);
  await connection.firstAttempt;
  const lifetime = createLifetime(TTL_SECONDS * 1000);
  const registry = new RedisRegistry({
    client: connection.client,
    registryName: '',
    lifetime,
    uniqueAddress: false,
    clock,
    clockRulesRedis: true,
  });
  await registry.untilListed(LONGEST_START_MS);
  const server = createServer(createListener({ config, registry, lifetime, logger: silentLogger }));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    async stop() {
      server.close();
      server.closeAllConnections();
      await registry.close();
      await connection.close();
    },
  };
}
