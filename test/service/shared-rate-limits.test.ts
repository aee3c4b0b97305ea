/** The rate limit of broadcasts on a real Redis: shared by replicas, and kept by each alone while Redis is away. */

import { expect } from 'chai';
import { Redis } from 'ioredis';
import { DEADLINES } from '../../src/deadlines.ts';
import { createKeys } from '../../src/registry/redis/keys.ts';
import { RateWindows } from '../../src/http/limits/rate-windows.ts';
import { SharedRateWindows } from '../../src/service/shared-rate-windows.ts';
import type { Service } from '../../src/service/service.ts';
import { ask, expectError, type TestAnswer } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { needs } from '../support/needs.ts';
import { startRedisServer, type RedisServer } from '../support/redis-server.ts';
import { silentLogger } from '../support/start-test-service.ts';
import { Stopwatch } from '../support/stopwatch.ts';
import { until } from '../support/until.ts';
import { useServices } from '../support/use-services.ts';

const MOST = 5;
const LONGEST_ANSWER_MS = 2000;
const KEY = `${createKeys('').ratePrefix}broadcast:127.0.0.1`;

function broadcast(service: Service): Promise<TestAnswer> {
  return ask(service, 'POST /broadcast', { body: aBroadcast() });
}

async function broadcastWithinLimit(service: Service): Promise<TestAnswer> {
  const stopwatch = new Stopwatch();
  const answer = await broadcast(service);
  expect(stopwatch.stop()).to.be.below(LONGEST_ANSWER_MS);
  return answer;
}

function leftIn({ headers }: TestAnswer): number {
  return Number(/^"broadcast";r=(\d+);/.exec(String(headers['ratelimit']))![1]);
}

async function spendAll(service: Service): Promise<void> {
  for (let n = 0; n < MOST; n += 1) await broadcast(service);
}

needs('redis-server').describe('a rate limit of broadcasts on Redis', function () {
  this.timeout(120_000);
  let redis: RedisServer;
  let client: Redis;
  const services = useServices(() => ({
    GSLS_REDIS: redis.url,
    GSLS_RATE_LIMIT: `broadcast=${MOST}/h,ping=1000/h,list=1000/h`,
  }));
  before(async () => {
    redis = await startRedisServer();
    client = new Redis(redis.port);
    client.on('error', () => undefined);
  });
  beforeEach(() => client.flushall());
  after(async () => {
    client.disconnect();
    await redis.stop();
  });

  it('is shared by two replicas', async () => {
    const replicas = [await services.start(), await services.start()] as const;
    for (let n = 0; n < MOST; n += 1) {
      const answer = await broadcast(replicas[n % 2]!);
      expect(answer.status).to.equal(200);
      expect(leftIn(answer)).to.equal(MOST - n - 1);
      expect(answer.headers['ratelimit']).to.match(/^"broadcast";r=\d;t=(3600|35\d\d)$/);
    }
    for (const replica of replicas) {
      const refused = await broadcast(replica);
      expectError(refused, 'rate_limited');
      expect(Number(refused.headers['retry-after'])).to.be.within(3500, 3600);
    }
  });

  it('ends on all replicas with its window in Redis', async () => {
    const replicas = [await services.start(), await services.start()] as const;
    await spendAll(replicas[0]);
    await client.pexpire(KEY, 5000);
    const refused = await broadcast(replicas[1]);
    expectError(refused, 'rate_limited');
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 5);
    // The end that a replica knows is later than that in Redis by the time that the answer took.
    await until(async () => (await broadcast(replicas[1])).status === 200);
  });

  it('has one key for each client, with the hash tag of the registry, that expires by itself', async () => {
    await broadcast(await services.start());
    await broadcast(await services.start({ GSLS_REGISTRY: 'eu' }));
    const keys = (await client.keys('*rate*')).toSorted();
    expect(keys).to.deep.equal(['{gsls:eu}:rate:broadcast:127.0.0.1', KEY]);
    for (const key of keys) expect(await client.pttl(key)).to.be.within(3_500_000, 3_600_000);
  });

  it('causes no work for Redis once a client is over it', async () => {
    const service = await services.start();
    await spendAll(service);
    expectError(await broadcast(service), 'rate_limited');
    await client.del(KEY);
    for (let n = 0; n < 20; n += 1) expectError(await broadcast(service), 'rate_limited');
    expect(await client.exists(KEY)).to.equal(0);
  });

  it('is counted by the replica alone where the key is damaged', async () => {
    const service = await services.start();
    await client.lpush(KEY, 'a list');
    for (let n = 0; n < MOST; n += 1) expect((await broadcast(service)).status).to.equal(200);
    expectError(await broadcast(service), 'rate_limited');
  });

  it('keeps a key without an end from refusing a client for ever', async () => {
    await client.set(KEY, MOST);
    const refused = await broadcast(await services.start());
    expectError(refused, 'rate_limited');
    expect(await client.pttl(KEY)).to.be.within(3_500_000, 3_600_000);
  });

  it('waits no longer than 150 ms for a Redis that hangs, also before the breaker has noticed', async () => {
    const windows = new SharedRateWindows({
      client,
      keyPrefix: KEY,
      requests: MOST,
      windowS: 60,
      isAvailable: () => true,
      copy: new RateWindows(60_000),
      deadlines: DEADLINES,
    });
    await windows.count('a client');
    redis.freeze();
    try {
      const waitsMs: number[] = [];
      for (let n = 2; n <= 4; n += 1) {
        const countedAt = performance.now();
        expect((await windows.count('a client')).requests).to.equal(n);
        waitsMs.push(performance.now() - countedAt);
      }
      // A busy machine may make some of them longer.
      expect(Math.min(...waitsMs)).to.be.below(500);
    } finally {
      redis.thaw();
    }
  });

  const OUTAGES: Readonly<Record<string, readonly [begin: () => unknown, end: () => unknown]>> = {
    hangs: [() => redis.freeze(), () => redis.thaw()],
    'is killed': [() => redis.crash(), () => redis.restart()],
  };
  for (const [what, [begin, end]] of Object.entries(OUTAGES))
    it(`goes on with what the replica knows while Redis ${what}, and delays no answer`, async () => {
      await broadcast(await services.start());
      const service = await services.start({}, silentLogger, DEADLINES);
      let last = await broadcast(service);
      // With one more left it goes by what this replica alone has counted: Redis was late.
      for (let sent = 1; leftIn(last) === MOST - sent; sent += 1) last = await broadcast(service);
      const { server_id: id } = last.body;
      await begin();
      try {
        for (let left = leftIn(last) - 1; left >= 0; left -= 1) {
          const answer = await broadcastWithinLimit(service);
          expectError(answer, 'registry_unavailable');
          expect(answer.headers['ratelimit']).to.match(new RegExp(`^"broadcast";r=${left};t=3`));
        }
        expectError(await broadcastWithinLimit(service), 'rate_limited');
        const list = await ask(service, 'GET /');
        expect(list.status).to.equal(200);
        expect(list.headers['ratelimit']).to.match(/^"list";r=9\d\d;/);
        const ping = await ask(service, 'POST /ping', { body: aBroadcast({ server_id: id }) });
        expectError(ping, 'registry_unavailable');
      } finally {
        await end();
      }
      await until(async () => {
        const { status } = await ask(service, 'POST /ping', { body: aBroadcast({ server_id: id }) });
        return status === 200;
      });
    });
});
