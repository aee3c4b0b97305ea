/** Backups, and the way to another Redis, step by step as docs/upgrade.md has them. */

import { expect } from 'chai';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { DEADLINES, type Deadlines } from '../../../src/runtime/deadlines.ts';
import type { Service } from '../../../src/service/service.ts';
import { ask, expectError } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { startRedisServer, type RedisServer } from '../../support/redis-server.ts';
import { silentLogger, startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';

const ADMIN = { Authorization: 'Bearer boss' };
const BAN = { name: 'cheap *', reason: 'advertising' };

/** A game server that is listed, and what it needs to ping. */
interface Listed {
  readonly id: string;
  readonly token: string;
}

async function broadcast(service: Service): Promise<Listed> {
  const answer = await ask(service, 'POST /broadcast', {
    headers: { 'Server-Token': 'claim' },
    body: aBroadcast({ map: 'de_dust2' }),
  });
  return { id: answer.body.server_id!, token: String(answer.headers['server-token']) };
}

async function fill(service: Service): Promise<Listed[]> {
  await ask(service, 'POST /admin/bans', { headers: ADMIN, body: BAN });
  return Promise.all(Array.from({ length: 20 }, () => broadcast(service)));
}

async function expectToPing(service: Service, { id, token }: Listed): Promise<void> {
  const answer = await ask(service, 'POST /ping', {
    headers: { 'Server-Token': token },
    body: aBroadcast({ server_id: id }),
  });
  expect(answer.status).to.equal(200);
  expectError(await ask(service, 'POST /ping', { body: aBroadcast({ server_id: id }) }), 'not_owner');
}

async function expectBan(service: Service): Promise<void> {
  const { text } = await ask(service, 'GET /admin/bans', { headers: ADMIN });
  expect(text).to.include('advertising');
}

needs('redis-server').describe('a registry in Redis', function () {
  this.timeout(120_000);
  const services: Service[] = [];
  const servers: RedisServer[] = [];
  const clients: Redis[] = [];
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.close()));
    for (const client of clients.splice(0)) client.disconnect();
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  async function startRedis(): Promise<[RedisServer, Redis]> {
    const server = await startRedisServer({ password: 'secret' });
    const client = new Redis(server.access);
    client.on('error', () => undefined);
    servers.push(server);
    clients.push(client);
    return [server, client];
  }

  async function startOn(redis: RedisServer, deadlines?: Deadlines): Promise<Service> {
    const environment = { GSLS_REDIS: redis.url, GSLS_ADMIN_KEY: 'boss' };
    const service = await startTestService(environment, silentLogger, deadlines);
    services.push(service);
    return service;
  }

  it('moves to another Redis: no entry, claim, tag or ban is lost, and no game server gets another id', async () => {
    const [from, old] = await startRedis();
    const [to, young] = await startRedis();
    const before = await startOn(from);
    const listed = await fill(before);
    const list = await ask(before, 'GET /');
    await young.replicaof(from.host, from.port);
    await until(async () => (await young.info('replication')).includes('master_link_status:up'));
    const last = await startOn(from, DEADLINES);
    await old.client('PAUSE', 60_000, 'WRITE');
    const changed = aBroadcast({ server_id: listed[0]!.id, players: 9 });
    const owner = { 'Server-Token': listed[0]!.token };
    expectError(await ask(last, 'POST /ping', { headers: owner, body: changed }), 'registry_unavailable');
    await until(async () => (await offsetOf(young)) === (await offsetOf(old)));
    await young.replicaof('NO', 'ONE');
    const after = await startOn(to);
    const moved = await ask(after, 'GET /');
    expect(moved.text).to.equal(list.text);
    expect(moved.headers['etag']).to.equal(list.headers['etag']);
    for (const each of listed) await expectToPing(after, each);
    await expectBan(after);
    // The last replica is still with the old one, and must not be able to change anything there.
    expectError(await ask(last, 'POST /ping', { headers: owner, body: changed }), 'registry_unavailable');
  });

  it('comes back from a backup, with its entries, claims and bans', async () => {
    const [from, source] = await startRedis();
    const [to, target] = await startRedis();
    const service = await startOn(from);
    const listed = await fill(service);
    const { text } = await ask(service, 'GET /');
    await source.save();
    const [fileFrom, fileTo] = await Promise.all([dumpOf(source), dumpOf(target)]);
    await to.crash();
    await copyFile(fileFrom, fileTo);
    await to.restart();
    const restored = await startOn(to);
    expect((await ask(restored, 'GET /')).text).to.equal(text);
    for (const each of listed) await expectToPing(restored, each);
    await expectBan(restored);
  });
});

/** How much of the writes a master has sent, or a replica taken. */
async function offsetOf(redis: Redis): Promise<string> {
  return /master_repl_offset:(\d+)/.exec(await redis.info('replication'))![1]!;
}

async function dumpOf(redis: Redis): Promise<string> {
  const [, folder] = (await redis.config('GET', 'dir')) as string[];
  return join(folder!, 'dump.rdb');
}

describe('a data file', () => {
  it('that is copied while the service writes to it is a backup', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gsls-backup-'));
    const start = (name: string): Promise<Service> =>
      startTestService({ GSLS_DATA_FILE: join(folder, name), GSLS_ADMIN_KEY: 'boss' });
    const running = await start('registry');
    try {
      await ask(running, 'POST /admin/bans', { headers: ADMIN, body: BAN });
      const listed = await Promise.all(Array.from({ length: 20 }, () => broadcast(running)));
      const copied = copyFile(join(folder, 'registry'), join(folder, 'backup'));
      await Promise.all([copied, ...Array.from({ length: 20 }, () => broadcast(running))]);
      const restored = await start('backup');
      try {
        for (const each of listed) await expectToPing(restored, each);
        await expectBan(restored);
      } finally {
        await restored.close();
      }
    } finally {
      await running.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
