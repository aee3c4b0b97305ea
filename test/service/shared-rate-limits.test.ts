/** The rate limit of broadcasts on a real Redis: shared by replicas, and kept by each alone while Redis is away. */

import { expect } from 'chai';
import { Redis } from 'ioredis';
import { DEADLINES } from '../../src/runtime/deadlines.ts';
import { createKeys } from '../../src/registry/redis/keys.ts';
import { RateWindows } from '../../src/api/http/limits/rate-windows.ts';
import { SharedRateWindows } from '../../src/service/shared-rate-windows.ts';
import type { Service } from '../../src/service/service.ts';
import { ask, expectError, type TestAnswer } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { needs } from '../support/needs.ts';
import { PATIENT } from '../support/patient.ts';
import { startRedisServer, type RedisServer } from '../support/redis-server.ts';
import { silentLogger, startTestService } from '../support/start-test-service.ts';
import { Stopwatch } from '../support/stopwatch.ts';
import { until } from '../support/until.ts';
import { useServices } from '../support/use-services.ts';

const MOST = 5;
const WINDOW_S = 3600;
const LONGEST_ANSWER_MS = 2000;
const PREFIX = `${createKeys('').ratePrefix}broadcast`;

/** Every test has a client of its own, at an address of its own. */
let clients = 0;
const newClient = (): string => `192.0.2.${(clients += 1)}`;
const keyOf = (client: string): string => `${PREFIX}:${client}`;

function broadcast(service: Service, client: string): Promise<TestAnswer> {
  return ask(service, 'POST /broadcast', { body: aBroadcast(), headers: { 'X-Forwarded-For': client } });
}

function leftIn({ headers }: TestAnswer): number {
  return Number(/^"broadcast";r=(\d+);/.exec(String(headers['ratelimit']))![1]);
}

async function spendAll(service: Service, client: string): Promise<void> {
  for (let n = 0; n < MOST; n += 1) await broadcast(service, client);
}

needs('redis-server').describe('a rate limit of broadcasts on Redis', function () {
  this.timeout(120_000);
  let redis: RedisServer;
  let client: Redis;
  const environment = () => ({
    GSLS_REDIS: redis.url,
    GSLS_RATE_LIMIT: `broadcast=${MOST}/h,ping=1000/h,list=1000/h`,
    GSLS_TRUST_PROXY: '127.0.0.1',
  });
  const services = useServices(environment);
  before(async () => {
    redis = await startRedisServer();
    client = new Redis(redis.port);
    client.on('error', () => undefined);
    await client.ping();
  });
  after(async () => {
    client.disconnect();
    await redis.stop();
  });

  describe('while it answers', () => {
    let replicas: readonly [Service, Service];
    before(async () => {
      replicas = [await startTestService(environment()), await startTestService(environment())];
    });
    after(() => Promise.all(replicas.map((replica) => replica.close())));

    it('is shared by two replicas', async () => {
      const sender = newClient();
      for (let n = 0; n < MOST; n += 1) {
        const answer = await broadcast(replicas[n % 2]!, sender);
        expect(answer.status).to.equal(200);
        expect(leftIn(answer)).to.equal(MOST - n - 1);
        expect(answer.headers['ratelimit']).to.match(/^"broadcast";r=\d;t=(3600|35\d\d)$/);
      }
      for (const replica of replicas) {
        const refused = await broadcast(replica, sender);
        expectError(refused, 'rate_limited');
        expect(Number(refused.headers['retry-after'])).to.be.within(3500, 3600);
      }
    });

    it('has one key for each client, with the hash tag of the registry, that expires by itself', async () => {
      const sender = newClient();
      await broadcast(replicas[0], sender);
      await broadcast(await services.start({ GSLS_REGISTRY: 'eu' }), sender);
      const keys = (await client.keys(`*rate*:${sender}`)).toSorted();
      expect(keys).to.deep.equal([`{gsls:eu}:rate:broadcast:${sender}`, keyOf(sender)]);
      for (const key of keys) expect(await client.pttl(key)).to.be.within(3_500_000, 3_600_000);
    });

    it('causes no work for Redis once a client is over it', async () => {
      const sender = newClient();
      await spendAll(replicas[0], sender);
      expectError(await broadcast(replicas[0], sender), 'rate_limited');
      await client.del(keyOf(sender));
      for (let n = 0; n < 20; n += 1) expectError(await broadcast(replicas[0], sender), 'rate_limited');
      expect(await client.exists(keyOf(sender))).to.equal(0);
    });

    it('is counted by the replica alone where the key is damaged', async () => {
      const sender = newClient();
      await client.lpush(keyOf(sender), 'a list');
      for (let n = 0; n < MOST; n += 1) expect((await broadcast(replicas[0], sender)).status).to.equal(200);
      expectError(await broadcast(replicas[0], sender), 'rate_limited');
    });

    it('keeps a key without an end from refusing a client for ever', async () => {
      const sender = newClient();
      await client.set(keyOf(sender), MOST);
      expectError(await broadcast(replicas[0], sender), 'rate_limited');
      expect(await client.pttl(keyOf(sender))).to.be.within(3_500_000, 3_600_000);
    });
  });

  /** The windows of a replica, whose own memory goes by this clock. */
  const windowsOf = (now?: () => number): SharedRateWindows =>
    new SharedRateWindows({
      client,
      keyPrefix: PREFIX,
      requests: MOST,
      windowS: WINDOW_S,
      isAvailable: () => true,
      copy: new RateWindows(1000 * WINDOW_S, now),
      deadlines: now === undefined ? DEADLINES : PATIENT,
    });

  it('ends on another replica with its window in Redis', async () => {
    const sender = newClient();
    let nowMs = 0;
    const [here, there] = [windowsOf(() => nowMs), windowsOf(() => nowMs)];
    for (let n = 0; n < MOST; n += 1) await here.count(sender);
    await client.pexpire(keyOf(sender), 100_000);
    const refused = await there.count(sender);
    expect(refused.requests).to.equal(MOST + 1);
    expect(refused.endsInMs).to.be.within(50_000, 100_000);
    await client.del(keyOf(sender));
    nowMs += refused.endsInMs - 1;
    expect((await there.count(sender)).requests).to.equal(MOST + 2);
    nowMs += 1;
    expect((await there.count(sender)).requests).to.equal(1);
  });

  it('waits no longer than 150 ms for a Redis that hangs, also before the breaker has noticed', async () => {
    const sender = newClient();
    const windows = windowsOf();
    await windows.count(sender);
    redis.freeze();
    try {
      const waitsMs: number[] = [];
      for (let n = 2; n <= 4; n += 1) {
        const stopwatch = new Stopwatch();
        expect((await windows.count(sender)).requests).to.equal(n);
        waitsMs.push(stopwatch.stop());
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
      const sender = newClient();
      await client.set(keyOf(sender), 1, 'EX', WINDOW_S);
      const service = await services.start({}, silentLogger, DEADLINES);
      const within = async (): Promise<TestAnswer> => {
        const stopwatch = new Stopwatch();
        const answer = await broadcast(service, sender);
        expect(stopwatch.stop()).to.be.below(LONGEST_ANSWER_MS);
        return answer;
      };
      let last = await broadcast(service, sender);
      // With one more left it goes by what this replica alone has counted: Redis was late.
      for (let sent = 1; leftIn(last) === MOST - sent; sent += 1) last = await broadcast(service, sender);
      const { server_id: id } = last.body;
      await begin();
      try {
        for (let left = leftIn(last) - 1; left >= 0; left -= 1) {
          const answer = await within();
          expectError(answer, 'registry_unavailable');
          expect(answer.headers['ratelimit']).to.match(new RegExp(`^"broadcast";r=${left};t=3`));
        }
        expectError(await within(), 'rate_limited');
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
