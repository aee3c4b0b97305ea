/** What --redis can say, on real servers: user and password, a database number, TLS. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { connectRedis } from '../../../../src/registry/redis/connection/connect.ts';
import { ask, expectError } from '../../../support/ask.ts';
import { aBroadcast } from '../../../support/builders.ts';
import { createCertificate, type Certificate } from '../../../support/certificate.ts';
import { needs } from '../../../support/needs.ts';
import { clusterAt, reasonAt, redisAt } from '../../../support/reason-at.ts';
import { until } from '../../../support/until.ts';
import { startRedisServer, useRedis, type RedisServer } from '../../../support/redis-server.ts';
import { addUser } from '../../../support/redis-users.ts';
import { silentLogger, startTestService } from '../../../support/start-test-service.ts';

needs('redis-server').describe('a Redis behind --redis', function () {
  this.timeout(60_000);
  const redis = useRedis();
  const address = (credentials: string, database: string): string =>
    redis.url.replace('redis://', `redis://${credentials}@`) + database;

  before(async () => {
    await addUser(redis, 'node', 's/cret');
  });

  it('the user, the password and the database of the URL are used', async () => {
    const service = await startTestService({ GSLS_REDIS: address('gsls:s%2Fcret', '/3') });
    try {
      expect((await ask(service, 'POST /broadcast', { body: aBroadcast() })).status).to.equal(200);
      // A list that Redis does not confirm in time is an older one.
      await until(async () => (await ask(service, 'GET /')).body.count === 1);
    } finally {
      await service.close();
    }
    expect(await redis.client.dbsize()).to.equal(0);
    await redis.client.select(3);
    expect(await redis.client.zcard('{gsls}:servers')).to.equal(1);
  });

  it('a Redis that refuses the password counts as away, and the log says why', async () => {
    const reasons: unknown[] = [];
    const warn = (fields: object): void => void reasons.push((fields as { reason?: unknown }).reason);
    const service = await startTestService(
      { GSLS_REDIS: address('gsls:wrong', '') },
      { ...silentLogger, warn },
    );
    try {
      expectError(await ask(service, 'POST /broadcast', { body: aBroadcast() }), 'registry_unavailable');
      await until(() => reasons.join().includes('WRONGPASS'));
      expect(reasons.join()).to.not.include('wrong');
    } finally {
      await service.close();
    }
  });

  it('the database, the user and the password of options of their own are used', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'gsls-password-'));
    const passwordFile = join(directory, 'password');
    await writeFile(passwordFile, 's/cret\n');
    const service = await startTestService({
      GSLS_REDIS: redis.url,
      GSLS_REDIS_DATABASE: '5',
      GSLS_REDIS_USER: 'gsls',
      GSLS_REDIS_PASSWORD_FILE: passwordFile,
    });
    try {
      expect((await ask(service, 'POST /broadcast', { body: aBroadcast() })).status).to.equal(200);
      await redis.client.select(5);
      expect(await redis.client.zcard('{gsls}:servers')).to.equal(1);
    } finally {
      await service.close();
      await rm(directory, { recursive: true });
    }
  });

  it('the user that the documentation recommends can do nothing else', async () => {
    const user = new Redis({ ...redis.access, username: 'gsls', password: 's/cret' });
    const attempts = [
      () => user.get('other'),
      () => user.flushall(),
      () => user.keys('*'),
      () => user.config('GET', '*'),
      () => user.script('FLUSH'),
      () => user.eval("return redis.call('GET', KEYS[1])", 1, 'other'),
    ];
    for (const attempt of attempts) {
      const error: unknown = await attempt().catch((reason: unknown) => reason);
      expect(String(error)).to.match(/NOPERM|No permissions|can't access/);
    }
    user.disconnect();
  });
});

/** Why the log says that Redis is down, undefined when a broadcast is taken. */
async function reasonAgainst(environment: Readonly<Record<string, string>>): Promise<string | undefined> {
  const reasons: string[] = [];
  const warn = (fields: { readonly reason?: string }): void => {
    if (fields.reason !== undefined) reasons.push(fields.reason);
  };
  const service = await startTestService(environment, { ...silentLogger, warn });
  try {
    const answer = await ask(service, 'POST /broadcast', { body: aBroadcast() });
    if (answer.status === 200) return undefined;
    expectError(answer, 'registry_unavailable');
    await until(() => reasons.length > 0);
    return reasons[0];
  } finally {
    await service.close();
  }
}

needs('redis-server', 'openssl').describe('a Redis that speaks TLS', function () {
  this.timeout(60_000);
  const plain = useRedis();
  let certificate: Certificate;
  let redis: RedisServer;
  before(async () => {
    certificate = createCertificate('localhost');
    redis = await startRedisServer({ certificate });
  });
  after(async () => {
    await redis.stop();
    certificate.remove();
  });

  it('a certificate of the authority in --redis-ca is trusted, and no other', async () => {
    const GSLS_REDIS = `rediss://localhost:${redis.port}`;
    expect(await reasonAgainst({ GSLS_REDIS, GSLS_REDIS_CA: certificate.file })).to.equal(undefined);
    expect(await reasonAgainst({ GSLS_REDIS })).to.match(
      /^self-signed certificate: give the certificate .* --redis-ca$/,
    );
    const other = createCertificate('localhost');
    expect(await reasonAgainst({ GSLS_REDIS, GSLS_REDIS_CA: other.file })).to.match(/certificate|signature/);
    other.remove();
  });

  it('a certificate must have the name connected to, or the one in --redis-server-name', async () => {
    const trusted = { GSLS_REDIS: `rediss://127.0.0.1:${redis.port}`, GSLS_REDIS_CA: certificate.file };
    expect(await reasonAgainst(trusted)).to.match(/does not match/);
    expect(await reasonAgainst({ ...trusted, GSLS_REDIS_SERVER_NAME: 'localhost' })).to.equal(undefined);
    expect(await reasonAgainst({ ...trusted, GSLS_REDIS_SERVER_NAME: 'other' })).to.match(/does not match/);
  });

  it('a connection can be ended at any moment of a handshake that fails', async () => {
    const address = { kind: 'standalone', host: '127.0.0.1', port: redis.port, database: 0 } as const;
    const leave = async (turns: number): Promise<void> => {
      const connection = connectRedis({ ...address, tls: { ca: certificate.pem } });
      for (let turn = 0; turn < turns; turn += 1) await nextTurn();
      await connection.close();
    };
    for (let round = 0; round < 10; round += 1)
      await Promise.all(Array.from({ length: 30 }, (_, turns) => leave(turns)));
  });

  it('a Redis that does or does not speak TLS is explained', async () => {
    expect(await reasonAt(redisAt(redis.port))).to.match(/^Redis speaks TLS there: .*rediss:/);
    expect(await reasonAt(clusterAt(redis.port))).to.match(/^Redis speaks TLS there: /);
    expect(await reasonAt(redisAt(plain.access.port, { tls: {} }))).to.match(/^Redis speaks no TLS there: /);
  });

  it('TLS is used with --redis-tls, and not without', async () => {
    const GSLS_REDIS = `redis://localhost:${redis.port}`;
    const tls = { GSLS_REDIS_TLS: 'true', GSLS_REDIS_CA: certificate.file };
    expect(await reasonAgainst({ GSLS_REDIS, ...tls })).to.equal(undefined);
    expect(await reasonAgainst({ GSLS_REDIS })).to.match(/^Redis speaks TLS there: .*--redis-tls$/);
  });
});
