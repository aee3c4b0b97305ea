/** What --redis can say, on real servers: user and password, a database number, TLS. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { ask, expectError } from './support/ask.ts';
import { aBroadcast } from './support/builders.ts';
import { freePort, hasRedisServer, startRedisServer, useRedis } from './support/redis-server.ts';
import { startListeningCli } from './support/start-cli.ts';
import { silentLogger, startTestService } from './support/start-test-service.ts';

describe('a Redis behind --redis', () => {
  if (!hasRedisServer()) return;
  const redis = useRedis();
  const address = (credentials: string, database: string): string =>
    redis.url.replace('redis://', `redis://${credentials}@`) + database;

  before(async () => {
    await redis.client.call('ACL', 'SETUSER', 'gsls', 'on', '>s/cret', '~{gsls*', '+@all');
  });

  it('is used as the user, with the password and in the database of the URL', async () => {
    const service = await startTestService({ GSLS_REDIS: address('gsls:s%2Fcret', '/3') });
    try {
      expect((await ask(service, 'POST /broadcast', { body: aBroadcast() })).status).to.equal(200);
      expect((await ask(service, 'GET /')).body.count).to.equal(1);
    } finally {
      await service.close();
    }
    expect(await redis.client.dbsize()).to.equal(0);
    await redis.client.select(3);
    expect(await redis.client.zcard('{gsls}:servers')).to.equal(1);
  });

  it('that refuses the password is as good as away, and the log says why', async () => {
    const reasons: unknown[] = [];
    const warn = (fields: object): void => void reasons.push((fields as { reason?: unknown }).reason);
    const service = await startTestService(
      { GSLS_REDIS: address('gsls:wrong', '') },
      { ...silentLogger, warn },
    );
    try {
      expectError(await ask(service, 'POST /broadcast', { body: aBroadcast() }), 'registry_unavailable');
      expect(reasons.join()).to.include('WRONGPASS').and.to.not.include('wrong');
    } finally {
      await service.close();
    }
  });

  it('is reached through TLS, if its certificate is trusted', async function () {
    this.timeout(20_000);
    const directory = mkdtempSync(join(tmpdir(), 'gsls-tls-'));
    const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const made = spawnSync('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '1',
      ...subject,
      '-keyout',
      key,
      '-out',
      certificate,
    ]);
    if (made.status !== 0) {
      rmSync(directory, { recursive: true });
      if (process.env['CI']) throw new Error('openssl is missing: install it, CI tests on the real thing');
      return;
    }
    const tlsPort = await freePort();
    const tls = [
      '--tls-port',
      String(tlsPort),
      '--tls-cert-file',
      certificate,
      '--tls-key-file',
      key,
      '--tls-auth-clients',
      'no',
    ];
    const server = await startRedisServer({ args: tls });
    const environment = { GSLS_REDIS: `rediss://localhost:${tlsPort}`, GSLS_LOG_FORMAT: 'json' };
    const trusting = await startListeningCli([], { ...environment, NODE_EXTRA_CA_CERTS: certificate });
    const doubting = await startListeningCli([], environment);
    try {
      expect((await ask(trusting, 'POST /broadcast', { body: aBroadcast() })).status).to.equal(200);
      expectError(await ask(doubting, 'POST /broadcast', { body: aBroadcast() }), 'registry_unavailable');
      const plain = new Redis(server.port);
      expect(await plain.zcard('{gsls}:servers')).to.equal(1);
      plain.disconnect();
    } finally {
      await Promise.all([trusting.stop(), doubting.stop()]);
      await server.stop();
      rmSync(directory, { recursive: true });
    }
  });
});
