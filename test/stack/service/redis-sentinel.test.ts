/** What --redis-sentinel finds and follows: a real master, its replicas and their sentinels. */

import { expect } from 'chai';
import { DEADLINES } from '../../../src/runtime/deadlines.ts';
import { connectRedis } from '../../../src/registry/redis/connection/connect.ts';
import { ask, expectError } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { createCertificate } from '../../support/certificate.ts';
import { keepBroadcasting } from '../../support/keep-broadcasting.ts';
import { needs } from '../../support/needs.ts';
import { until } from '../../support/until.ts';
import { startRedisSentinel, type RedisSentinel } from '../../support/redis-sentinel.ts';
import { addUser } from '../../support/redis-users.ts';
import { silentLogger, startTestService } from '../../support/start-test-service.ts';
import { Stopwatch } from '../../support/stopwatch.ts';
import { useServices, type Environment } from '../../support/use-services.ts';

needs('redis-server').describe('a Redis behind --redis-sentinel', function () {
  this.timeout(120_000);
  let redis: RedisSentinel;
  let environment: Environment;
  const { start, listedAnew, expectNothingLost, expectAway } = useServices(() => environment);

  before(async () => {
    redis = await startRedisSentinel({
      password: 'of-nodes',
      sentinelPassword: 'of-sentinels',
      // Nothing but leaving in time keeps the old master from acknowledging what will be lost.
      args: ['--min-replicas-to-write', '0'],
    });
    await addUsers();
    environment = {
      GSLS_REDIS_SENTINEL: redis.sentinels.map(({ host, port }) => `${host}:${port}`).join(','),
      GSLS_REDIS_USER: 'gsls',
      GSLS_REDIS_PASSWORD: 'one',
      GSLS_REDIS_SENTINEL_USER: 'gsls',
      GSLS_REDIS_SENTINEL_PASSWORD: 'two',
    };
  });
  after(() => redis.stop());

  /** They are gone after a restart. */
  async function addUsers(): Promise<void> {
    await Promise.all(redis.nodes.map((node) => addUser(node, 'node', 'one')));
    await Promise.all(redis.sentinels.map((sentinel) => addUser(sentinel, 'sentinel', 'two')));
  }

  it('the master is found through the sentinels, each with a user and a password of its own', async () => {
    const service = await start();
    const { status, body } = await ask(service, 'POST /broadcast', { body: aBroadcast() });
    expect(status).to.equal(200);
    const ping = { ...aBroadcast({ players: 4 }), server_id: body.server_id };
    expect((await ask(service, 'POST /ping', { body: ping })).status).to.equal(200);
    expect(await listedAnew()).to.include(body.server_id!);
  });

  it('one sentinel that is named and one that is up are enough', async () => {
    const [first, second, third] = redis.sentinels;
    const one = await start({ GSLS_REDIS_SENTINEL: `${third!.host}:${third!.port}` });
    await Promise.all([first!.crash(), second!.crash()]);
    try {
      const all = await start();
      for (const service of [one, all])
        expect((await ask(service, 'POST /broadcast', { body: aBroadcast() })).status).to.equal(200);
    } finally {
      await Promise.all([first!.restart(), second!.restart()]);
      await addUsers();
    }
  });

  const MISTAKES: readonly (readonly [what: string, mistake: Environment, reason: string])[] = [
    ['the password of the sentinels is wrong', { GSLS_REDIS_SENTINEL_PASSWORD: 'hunter2' }, 'WRONGPASS'],
    ['the password of the master is wrong', { GSLS_REDIS_PASSWORD: 'hunter2' }, 'WRONGPASS'],
    ['they know no such master', { GSLS_REDIS_MASTER: 'other' }, 'the sentinels know no master "other"'],
    ['they are elsewhere', { GSLS_REDIS_SENTINEL: '127.0.0.1:1' }, 'ECONNREFUSED 127.0.0.1:1'],
  ];
  for (const [what, mistake, reason] of MISTAKES)
    it(`Redis counts as away when ${what}, and the log says why`, () => expectAway(mistake, reason));

  it('a master that dies is left for its successor', async () => {
    const load = keepBroadcasting(await start());
    await load.more(20);
    const port = await redis.masterPort();
    await redis.nodes.find((node) => node.port === port)!.crash();
    // When that is, is up to the sentinels: on a busy machine their first election may fail.
    await until(async () => (await redis.masterPort()) !== port);
    const stopwatch = new Stopwatch();
    await load.more(20);
    expect(stopwatch.stop()).to.be.below(3000);
    await expectNothingLost(load);
  });

  it('a master in a failover is left for its successor before it loses writes, and the successor is examined', async () => {
    const load = keepBroadcasting(await start());
    const risky = new Set<string>();
    const connection = connectRedis(
      {
        kind: 'sentinel',
        sentinels: redis.sentinels,
        masterName: redis.masterName,
        database: 0,
        password: 'of-nodes',
        sentinelPassword: 'of-sentinels',
      },
      { onRisk: (_risk, where) => void risky.add(where) },
    );
    await load.more(20);
    const port = await redis.masterPort();
    await until(() => risky.size === 1);
    await redis.failover();
    // How long a failover takes is up to the sentinels.
    let successor = port;
    await until(async () => (successor = await redis.masterPort()) !== port);
    const stopwatch = new Stopwatch();
    await load.more(20);
    expect(stopwatch.stop()).to.be.below(3000);
    await expectNothingLost(load);
    await until(() => risky.size === 2);
    expect([...risky]).to.deep.equal([`127.0.0.1:${port}`, `127.0.0.1:${successor}`]);
    await connection.close();
  });

  it('a service starts before its sentinels and its master do', async () => {
    const all = [...redis.nodes, ...redis.sentinels];
    await Promise.all(all.map((each) => each.crash()));
    const service = await start();
    const broadcast = () => ask(service, 'POST /broadcast', { body: aBroadcast() });
    expectError(await broadcast(), 'registry_unavailable');
    await Promise.all(all.map((each) => each.restart()));
    await addUsers();
    await until(async () => (await broadcast()).status === 200);
  });

  it('a sentinel that hangs is left for the next one', async () => {
    const [first] = redis.sentinels;
    first!.freeze();
    try {
      const stopwatch = new Stopwatch();
      const service = await start({}, silentLogger, DEADLINES);
      const broadcast = () => ask(service, 'POST /broadcast', { body: aBroadcast() });
      await until(async () => (await broadcast()).status === 200);
      expect(stopwatch.stop()).to.be.below(5000);
    } finally {
      first!.thaw();
    }
  });
});

needs('redis-server', 'openssl').describe('a Redis behind --redis-sentinel with TLS', function () {
  this.timeout(60_000);

  it('TLS is used with the master and with the sentinels', async () => {
    const certificate = createCertificate('redis.internal');
    const redis = await startRedisSentinel({ certificate, replicas: 0, sentinels: 1 });
    const service = await startTestService({
      GSLS_REDIS_SENTINEL: redis.sentinels.map(({ host, port }) => `${host}:${port}`).join(','),
      GSLS_REDIS_TLS: 'true',
      GSLS_REDIS_CA: certificate.file,
      GSLS_REDIS_SERVER_NAME: certificate.name,
    });
    try {
      expect((await ask(service, 'POST /broadcast', { body: aBroadcast() })).status).to.equal(200);
    } finally {
      await service.close();
      await redis.stop();
      certificate.remove();
    }
  });
});
