/**
 * What a replica logs about outages of Redis: a line when one begins, and a line when it ends. The replica runs here.
 */

import { expect } from 'chai';
import { Redis } from 'ioredis';
import { DEADLINES } from '../../../src/runtime/deadlines.ts';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { LogRecord, type LogLine } from '../../support/log-record.ts';
import { needs } from '../../support/needs.ts';
import { until } from '../../support/until.ts';
import { startRedisServer, type RedisServer } from '../../support/redis-server.ts';
import { startTestService } from '../../support/start-test-service.ts';

const DEBUG = 20;
const WARN = 40;
const AWAY = 'Redis is away: lists are stale and writes are refused until it is back';
const REFUSES = 'Redis refuses writes: its memory is full';
const BACK = 'Redis is back: lists are current and writes are accepted';

needs('redis-server').describe('the log about Redis', function () {
  this.timeout(120_000);
  let redis: RedisServer;
  let service: Service;
  let log: LogRecord;
  /** Lines before this one are of the start. */
  let from: number;

  const since = (): readonly LogLine[] => log.lines.slice(from).filter(({ level }) => level > DEBUG);
  const lines = (count: number): Promise<void> => until(() => since().length >= count);
  const broadcast = async (): Promise<number> =>
    (await ask(service, 'POST /broadcast', { body: aBroadcast() })).status;

  beforeEach(async () => {
    redis = await startRedisServer({ args: ['--appendonly', 'yes'] });
    log = new LogRecord();
    service = await startTestService({ GSLS_REDIS: redis.url }, log.logger, DEADLINES);
    from = log.lines.length;
  });
  afterEach(async () => {
    redis.thaw();
    await service.close();
    await redis.stop();
  });

  it('the first line says where the registry is', () => {
    const [where, ...others] = log.lines.filter(({ level }) => level > DEBUG);
    expect(where).to.include({ msg: 'the registry is in Redis', redis: `127.0.0.1:${redis.port}` });
    expect(others).to.deep.equal([]);
  });

  it('an outage has a line with its reason when it begins, and one with its length when it ends', async () => {
    const startedAt = performance.now();
    await redis.crash();
    await lines(1);
    expect(since()[0]).to.include({ level: WARN, msg: AWAY, redis: `127.0.0.1:${redis.port}` });
    expect(since()[0]!.reason).to.match(/^connect ECONNREFUSED 127\.0\.0\.1:\d+: nothing listens there; /);
    await redis.restart();
    await lines(2);
    expect(since()[1]!.msg).to.equal(BACK);
    expect(since()[1]!.outageMs).to.be.within(1, performance.now() - startedAt);
    expect(await broadcast()).to.equal(200);
    expect(since()).to.have.lengthOf(2);
  });

  it('a Redis that hangs with its connections open has the same lines', async () => {
    redis.freeze();
    await lines(1);
    expect(since()[0]).to.include({
      msg: AWAY,
      reason: 'Redis does not answer in time: does it hang, or is the network slow?',
    });
    // By then the connection has been ended as well.
    await until(async () => Number((await ask(service, 'GET /')).headers['age']) > 4);
    expect(await broadcast()).to.equal(503);
    redis.thaw();
    await lines(2);
    expect(since().map(({ msg }) => msg)).to.deep.equal([AWAY, BACK]);
    expect(since()[1]!.outageMs).to.be.above(2000);
  });

  it('a connection that is made again before a request fails has no line', async () => {
    const admin = new Redis(redis.access);
    for (let times = 0; times < 5; times += 1) {
      await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      expect(await broadcast()).to.equal(200);
    }
    admin.disconnect();
    expect(since()).to.deep.equal([]);
  });

  it('a full memory has a line that says how full, and another one when Redis comes back with it', async () => {
    const admin = new Redis(redis.access);
    await admin.config('SET', 'maxmemory', '100000');
    await admin.config('REWRITE');
    admin.disconnect();
    await lines(1);
    expect(since()[0]).to.include({ level: WARN, msg: REFUSES, allowedBytes: 100_000 });
    expect(since()[0]).to.have.property('usedBytes').above(100_000);
    await redis.crash();
    await lines(2);
    await redis.restart();
    await lines(4);
    const back = 'Redis is back: lists are current, and writes are refused';
    expect(since().map(({ msg }) => msg)).to.deep.equal([REFUSES, AWAY, REFUSES, back]);
  });

  it('a second outage has its own reason, not that of the first', async () => {
    await redis.crash();
    await lines(1);
    await redis.restart();
    await lines(2);
    const admin = new Redis(redis.access);
    await admin.config('SET', 'requirepass', 'secret');
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await lines(3);
    expect(since()[2]!.reason).to.match(/^NOAUTH Authentication required: /);
    await admin.config('SET', 'requirepass', '');
    await lines(4);
    admin.disconnect();
    expect(since().map(({ msg }) => msg)).to.deep.equal([AWAY, BACK, AWAY, BACK]);
  });
});
