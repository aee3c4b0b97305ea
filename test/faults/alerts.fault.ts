/** Each fault raises the alerts that it should and no others, in a real Prometheus whose times are shorter. */

import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { freePort } from '../support/free-port.ts';
import { endProcesses } from '../support/processes.ts';
import type { Prometheus } from '../support/prometheus.ts';
import { itRaises, watchReplicas } from './support/alert-trial.ts';
import { Replica } from './support/replica.ts';
import { startSetup } from './support/setup.ts';
import { APPEND_ONLY, startSingleRedis, type SingleRedis } from './support/single-redis.ts';
import { useSetupUnderLoad } from './support/trial.ts';

const TTL_SECONDS = 3;
const FLEET = 100;
/** More than half of a fleet, and of what is left of it, are missed. */
const SILENT = 80;

/** What a Redis that does not answer raises. */
const REDIS_AWAY = ['GslsRegistryUnavailable', 'GslsListStale', 'GslsRequestsFail', 'GslsRedisErrors'];

describe('the alerts of three replicas on one Redis', () => {
  let redis: SingleRedis;
  const underLoad = useSetupUnderLoad(
    async () => {
      redis = await startSingleRedis(APPEND_ONLY);
      return startSetup({
        store: redis,
        ttlSeconds: TTL_SECONDS,
        environment: { GSLS_DRAIN_DELAY: '1' },
      });
    },
    { fleet: FLEET, broadcastsPerSecond: 4, listsPerSecond: 10, attacksPerSecond: 0, restartsPerSecond: 0 },
  );
  const replica = (which: number): Replica => underLoad().setup.replicas[which]!;
  let started: Prometheus | undefined;
  const prometheus = (): Prometheus => started!;
  before('Prometheus', async () => {
    started = await watchReplicas(underLoad().setup.replicas, { intervalMs: 500, factor: 60 });
  });
  after('Prometheus', async () => started?.stop());

  itRaises('T31: a replica is killed', prometheus, {
    break: () => replica(2).kill(),
    mend: () => replica(2).start(),
    raises: ['GslsReplicaDown'],
  });

  itRaises('T31: Redis is killed', prometheus, {
    break: () => redis.server.crash(),
    mend: () => redis.server.restart(),
    raises: REDIS_AWAY,
  });

  itRaises('T31: all replicas are stopped and started, and no alert fires', prometheus, {
    async break() {
      const { setup } = underLoad();
      for (const each of setup.replicas) {
        await each.stop();
        await each.start();
        await setup.believed(each, 'UP');
      }
    },
    raises: [],
  });

  itRaises('T31: Redis hangs', prometheus, {
    break: async () => redis.server.freeze(),
    mend: async () => redis.server.thaw(),
    raises: REDIS_AWAY,
  });

  itRaises('T31: the memory of Redis is full', prometheus, {
    break: () => redis.client.config('SET', 'maxmemory', '1'),
    mend: () => redis.client.config('SET', 'maxmemory', '0'),
    raises: ['GslsRegistryNotWritable', 'GslsRequestsFail', 'GslsRedisErrors'],
  });

  itRaises('T31: Redis is emptied', prometheus, {
    break: () => redis.client.flushall(),
    raises: ['GslsRegistryReloaded', 'GslsGameServersRestored'],
  });

  itRaises('T31: 80 % of the game servers fall silent', prometheus, {
    break: async () => underLoad().load.silence(SILENT),
    mend: () => underLoad().load.add(SILENT),
    raises: ['GslsMassExpiryHeld', 'GslsGameServersFell'],
  });

  itRaises('T31: Redis hangs while a replica is down', prometheus, {
    async break() {
      await replica(1).kill();
      redis.server.freeze();
    },
    async mend() {
      redis.server.thaw();
      await replica(1).start();
    },
    raises: [...REDIS_AWAY, 'GslsReplicaDown'],
  });

  itRaises('T31: all replicas are killed', prometheus, {
    break: () => Promise.all(underLoad().setup.replicas.map((each) => each.kill())),
    mend: () => Promise.all(underLoad().setup.replicas.map((each) => each.start())),
    raises: ['GslsReplicaDown', 'GslsNoReplica'],
  });
});

describe('the alerts of a replica in memory', () => {
  /**
   * It runs so long, and then the others of its machine do: longer than the delay from which it refuses broadcasts, and
   * so shortly that each scrape is answered.
   */
  const RUNS_MS = 100;
  const WAITS_MS = 650;
  const agent = new Agent({ keepAlive: true });
  let replica: Replica;
  let started: Prometheus | undefined;
  before(async () => {
    replica = new Replica('127.0.0.1', await freePort(), { GSLS_LOG_FORMAT: 'json' });
    await replica.start();
    started = await watchReplicas([replica], { intervalMs: 1500, factor: 30 });
  });
  after(async () => {
    await started?.stop();
    agent.destroy();
    await endProcesses();
  });

  const fed = new AbortController();
  const keepBusy: Promise<unknown>[] = [];

  async function starve(): Promise<void> {
    while (!fed.signal.aborted) {
      replica.freeze();
      await delay(WAITS_MS);
      replica.thaw();
      await delay(RUNS_MS);
    }
  }

  async function broadcastAgainAndAgain(): Promise<void> {
    while (!fed.signal.aborted)
      await ask(replica, 'POST /broadcast', { agent, body: aBroadcast() }).catch(() => undefined);
  }

  itRaises('T31: a replica gets too little CPU', () => started!, {
    async break() {
      keepBusy.push(starve(), broadcastAgainAndAgain());
    },
    async mend() {
      fed.abort();
      await Promise.all(keepBusy);
    },
    raises: ['GslsLoadShedding', 'GslsEventLoopLate', 'GslsRequestsFail'],
  });
});
