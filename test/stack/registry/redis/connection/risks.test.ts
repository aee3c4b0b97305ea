/** Settings of a Redis that endanger the registry, looked at after each connect. */

import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { connectRedis, type RedisConnection } from '../../../../../src/registry/redis/connection/connect.ts';
import { parseRedisInfo, risksIn, watchRisks } from '../../../../../src/registry/redis/connection/risks.ts';
import { ManualClock } from '../../../../support/manual-clock.ts';
import { needs } from '../../../../support/needs.ts';
import { PATIENT } from '../../../../support/patient.ts';
import { until } from '../../../../support/until.ts';
import { startRedisServer, type RedisServer } from '../../../../support/redis-server.ts';
import { addUser } from '../../../../support/redis-users.ts';

const FINE = {
  redis_version: '7.0.15',
  maxmemory: '0',
  maxmemory_policy: 'noeviction',
  aof_enabled: '1',
  evicted_keys: '0',
};

const EVICTING = ['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'];

function risksOf(differences: Partial<typeof FINE>, savePoints?: string): string[] {
  const lines = Object.entries({ ...FINE, ...differences }).map(([name, value]) => `${name}:${value}`);
  return [...risksIn(parseRedisInfo(`# Section\r\n${lines.join('\r\n')}\r\n`), savePoints)];
}

describe('the risks in a reply of INFO', () => {
  it('a Redis as the documentation recommends has no risks', () => {
    expect(risksOf({})).to.deep.equal([]);
  });

  it('an empty or unreadable reply shows no risks', () => {
    expect([...risksIn(parseRedisInfo(''))]).to.deep.equal([]);
    expect([
      ...risksIn(parseRedisInfo('\u001B[31m\r\nmaxmemory_policy:\u001B[31m\r\nmaxmemory:7')),
    ]).to.deep.equal([]);
  });

  it('every policy of eviction is a risk, with or without maxmemory', () => {
    for (const policy of ['allkeys-lru', 'volatile-lru', 'volatile-ttl', 'allkeys-random']) {
      const [risk, ...others] = risksOf({ maxmemory: '1073741824', maxmemory_policy: policy });
      expect(risk).to.include(`maxmemory-policy is ${policy}`).and.to.include('set it to noeviction');
      expect(others).to.deep.equal([]);
      expect(risksOf({ maxmemory: '0', maxmemory_policy: policy })).to.deep.equal([risk]);
    }
  });

  it('a Redis that has deleted keys is a risk of its own, unless its policy is right by now', () => {
    const evicted = { evicted_keys: '7' };
    const [, risk] = risksOf({ maxmemory_policy: 'allkeys-lru', ...evicted });
    expect(risk).to.match(/^Redis has deleted keys .* set maxmemory-policy to noeviction/);
    expect(risksOf(evicted)).to.deep.equal([]);
  });

  it('a Redis without a log and without save points is a risk, one with unknown save points is none', () => {
    const [risk] = risksOf({ aof_enabled: '0' }, '');
    expect(risk).to.include('keeps nothing on disk').and.to.include('set appendonly to yes');
    expect(risksOf({ aof_enabled: '0' }, '3600 1 300 100')).to.deep.equal([]);
    expect(risksOf({ aof_enabled: '0' }, undefined)).to.deep.equal([]);
  });

  it('a version older than 7 is a risk', () => {
    expect(risksOf({ redis_version: '6.2.14' })[0]).to.match(/^Redis 6\.2\.14 is older .* update it to 7/);
    for (const version of ['7.0.0', '7.4.1', '8.0.0', '10.1.0'])
      expect(risksOf({ redis_version: version })).to.deep.equal([]);
  });
});

needs('redis-server').describe('the look at a Redis after each connect', function () {
  this.timeout(30_000);
  let redis: RedisServer;
  let connection: RedisConnection;
  let told: { risk: string; where: string }[];
  let ups: number;

  const listener = {
    onRisk: (risk: string, where: string) => void told.push({ risk, where }),
    onUp: () => void (ups += 1),
  };
  const connect = (credentials = {}): void => {
    const { host, port } = redis;
    connection = connectRedis(
      { kind: 'standalone', host, port, database: 0, ...credentials },
      listener,
      PATIENT,
    );
  };
  /** Resolves after the look: it began before, and Redis answers in order. */
  const looked = async (times: number): Promise<void> => {
    await until(() => ups === times);
    for (let turn = 0; turn < 3; turn += 1) await connection.client.ping();
  };
  const admin = async <T>(work: (redis: Redis) => Promise<T>): Promise<T> => {
    const client = new Redis(redis.access);
    try {
      return await work(client);
    } finally {
      client.disconnect();
    }
  };

  beforeEach(() => {
    told = [];
    ups = 0;
  });
  afterEach(async () => {
    await connection.close();
    await redis.stop();
  });

  it('each risk is reported once, however often the connection is made', async () => {
    redis = await startRedisServer({ args: EVICTING });
    connect();
    await looked(1);
    expect(told.map(({ where }) => where)).to.deep.equal(Array(2).fill(`127.0.0.1:${redis.port}`));
    expect(told[0]!.risk).to.include('allkeys-lru');
    expect(told[1]!.risk).to.include('nothing on disk');
    for (const times of [2, 3, 4]) {
      await admin((client) => client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'));
      await looked(times);
    }
    expect(told).to.have.lengthOf(2);
  });

  it('a Redis as the documentation recommends is reported without risks', async () => {
    redis = await startRedisServer({ args: ['--appendonly', 'yes', '--maxmemory', '100mb'] });
    connect();
    await looked(1);
    expect(told).to.deep.equal([]);
  });

  it('a risk that is new since the look before is reported', async () => {
    redis = await startRedisServer({ args: ['--appendonly', 'yes', '--maxmemory', '100mb'] });
    connect();
    await looked(1);
    let times = 1;
    const becomes = async (policy: string): Promise<void> => {
      await admin(async (client) => {
        await client.config('SET', 'maxmemory-policy', policy);
        await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      });
      await looked((times += 1));
    };
    await becomes('volatile-lru');
    expect(told.map(({ risk }) => risk.includes('volatile-lru'))).to.deep.equal([true]);
    await becomes('allkeys-lfu');
    expect(told.map(({ risk }) => risk.includes('allkeys-lfu'))).to.deep.equal([false, true]);
    await becomes('noeviction');
    await becomes('allkeys-lfu');
    expect(told).to.have.lengthOf(3);
  });

  it('a risk that somebody sets while the connection stays is reported within a minute', async () => {
    redis = await startRedisServer({ args: ['--appendonly', 'yes', '--maxmemory', '100mb'] });
    connect();
    await looked(1);
    const clock = new ManualClock();
    const client = new Redis(redis.access);
    const risks: string[] = [];
    const stop = watchRisks(client, (risk) => void risks.push(risk), clock);
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    for (let minute = 0; minute < 3; minute += 1) await clock.advance(60_000);
    expect(risks.map((risk) => risk.split(':', 1)[0])).to.deep.equal(['maxmemory-policy is allkeys-lru']);
    stop();
    expect(clock.timers).to.equal(0);
    client.disconnect();
  });

  it('the recommended user, which has no right to ask for save points, sees the other risks', async () => {
    redis = await startRedisServer({ args: EVICTING });
    await addUser(redis, 'node', 'one');
    connect({ username: 'gsls', password: 'one' });
    await looked(1);
    expect(told.map(({ risk }) => risk.split(':', 1)[0])).to.deep.equal(['maxmemory-policy is allkeys-lru']);
  });

  it('a user without the right to look is no error', async () => {
    redis = await startRedisServer({ args: EVICTING });
    await addUser(redis, 'node', 'one');
    await admin((client) => client.call('ACL', 'SETUSER', 'gsls', '-info'));
    // ioredis has its own words about that, on the console.
    const { warn } = console;
    console.warn = () => undefined;
    try {
      connect({ username: 'gsls', password: 'one' });
      await looked(1);
    } finally {
      console.warn = warn;
    }
    expect(told).to.deep.equal([]);
  });

  it('a closed connection reports nothing', async () => {
    redis = await startRedisServer({ args: EVICTING });
    connect();
    await once(connection.client, 'ready');
    const ended = once(connection.client, 'end');
    await connection.close();
    await ended;
    await nextTurn();
    expect(told).to.deep.equal([]);
  });
});
