/** A Redis that hangs, refuses, changes roles or drops connections: what callers see of it, and for how long. */

import { rm } from 'node:fs/promises';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { DEADLINES, type Deadlines } from '../../../src/runtime/deadlines.ts';
import { ServiceError } from '../../../src/model/service-error.ts';
import { createGameServerId } from '../../../src/model/game-server.ts';
import { createLifetime } from '../../../src/registry/lifetime.ts';
import { connectRedis, type RedisConnection } from '../../../src/registry/redis/connection/connect.ts';
import { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import { aGameServer, bodyOf, broadcastTo } from '../../support/builders.ts';
import { startForgetfulProxy } from '../../support/forgetful-proxy.ts';
import { startRedisServer, type RedisServer } from '../../support/redis-server.ts';
import { freePort } from '../../support/free-port.ts';
import { needs } from '../../support/needs.ts';
import { PATIENCE_MS, PATIENT } from '../../support/patient.ts';
import { Stopwatch } from '../../support/stopwatch.ts';

const lifetime = createLifetime(60_000);

/** The code a call is refused with. */
async function refusal(call: Promise<unknown>): Promise<{ code: string }> {
  const error = await call.then(
    (outcome) => expect.fail(`not refused: ${String(outcome)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw error;
  return { code: error.code };
}

needs('redis-server').describe('a registry whose Redis has trouble', () => {
  let server: RedisServer;
  let admin: Redis;
  let connection: RedisConnection;
  let registry: RedisRegistry;
  /** What the registry reported: unavailable, available. */
  let told: string[];
  let id: string;

  before(async () => {
    server = await startRedisServer();
    admin = new Redis(server.port);
  });
  after(async () => {
    admin.disconnect();
    await server.stop();
  });

  async function open(deadlines = PATIENT): Promise<void> {
    await admin.flushall();
    await use(server.port, deadlines);
  }

  async function use(port: number, deadlines: Deadlines): Promise<void> {
    connection = connectRedis({ kind: 'standalone', host: '127.0.0.1', port, database: 0 }, {}, deadlines);
    await connection.firstAttempt;
    told = [];
    registry = new RedisRegistry({
      client: connection.client,
      registryName: '',
      lifetime,
      uniqueAddress: false,
      deadlines,
      events: { onUnavailable: () => told.push('out'), onAvailable: () => told.push('in') },
    });
    await registry.untilListed(5000);
    id = await broadcastTo(registry, aGameServer());
    await registry.list();
  }

  async function isListedFresh(): Promise<boolean> {
    const listing = await registry.list();
    return (
      listing.staleSince === undefined && (await bodyOf(listing)).servers.some((listed) => listed.id === id)
    );
  }

  afterEach(async () => {
    server.thaw();
    await registry.close();
    await connection.close();
  });

  describe('and hangs', () => {
    beforeEach(() => open({ ...DEADLINES, listMs: PATIENCE_MS }));

    it('refuses the first write within a second and later ones at once, and serves its last list', async () => {
      server.freeze();
      const first = refusal(registry.ping(id, aGameServer())).then(({ code }) => code);
      // It is sent by now. A timer of a second, as a pause of this process holds that up as well.
      await nextTurn();
      expect(await Promise.race([first, delay(1000, 'later')])).to.equal('registry_unavailable');
      const startedAt = performance.now();
      for (let i = 0; i < 1000; i += 1) await refusal(registry.ping(id, aGameServer()));
      expect((performance.now() - startedAt) / 1000, 'ms each').to.be.below(1);
      const listing = await registry.list();
      expect(listing.staleSince).to.be.a('number');
      expect(listing.snapshot.count).to.equal(1);
    });

    it('is available as soon as Redis answers, and reports each change once', async () => {
      server.freeze();
      await Promise.all(Array.from({ length: 50 }, () => refusal(registry.ping(id, aGameServer()))));
      await delay(100);
      expect(told).to.deep.equal(['out']);
      server.thaw();
      expect(await msUntil(isListedFresh)).to.be.below(1000);
      expect(await registry.ping(id, aGameServer())).to.equal('refreshed');
      expect(told).to.deep.equal(['out', 'in']);
    });

    it('sends no write while it refuses them', async () => {
      await admin.config('RESETSTAT');
      server.freeze();
      await refusal(registry.ping(id, aGameServer()));
      await Promise.all(
        Array.from({ length: 50 }, () => refusal(registry.broadcast(createGameServerId(), aGameServer()))),
      );
      server.thaw();
      await msUntil(isListedFresh);
      expect(await admin.zcard('{gsls}:servers')).to.equal(1);
    });
  });

  describe('and refuses commands', () => {
    it('refuses writes while Redis has no memory, and its lists stay current', async () => {
      await open();
      await admin.config('SET', 'maxmemory', '1');
      for (let i = 0; i < 3; i += 1) {
        const broadcast = registry.broadcast(createGameServerId(), aGameServer());
        expect(await refusal(broadcast)).to.have.property('code', 'registry_unavailable');
      }
      await delay(2 * lifetime.sweepIntervalMs);
      expect(await isListedFresh()).to.equal(true);
      expect(await registry.remove(id, aGameServer().ip)).to.equal('removed');
      expect((await registry.list()).snapshot.count).to.equal(0);
      expect(told).to.deep.equal([]);
      await admin.config('SET', 'maxmemory', '0');
      expect(await registry.broadcast(createGameServerId(), aGameServer())).to.equal('listed');
    });

    it('refuses writes while the disk is full, and its lists stay current, with tombstones to trim', async () => {
      await open();
      await admin.config('SET', 'save', '3600 1');
      const [, directory] = (await admin.config('GET', 'dir')) as [string, string];
      const tombstones = Array.from({ length: 10_001 }, (_, n) => [n, `gone-${n}`]).flat();
      await admin
        .multi()
        .zadd('{gsls}:removed', ...tombstones)
        .hset('{gsls}:state', 'heldSince', '1', 'missingSince', '1')
        .exec();
      await rm(directory, { recursive: true });
      await admin.bgsave().catch(() => undefined);
      await msUntil(async () => (await admin.info('persistence')).includes('rdb_last_bgsave_status:err'));
      const ping = registry.ping(id, aGameServer({ players: 9 }));
      expect(await refusal(ping)).to.have.property('code', 'registry_unavailable');
      await delay(2 * lifetime.sweepIntervalMs);
      expect(await isListedFresh()).to.equal(true);
      expect(told).to.deep.equal([]);
      await admin.config('SET', 'save', '');
    });

    it('refuses what its user of Redis may not do, and nothing else', async () => {
      await open();
      await admin.call('ACL', 'SETUSER', 'default', '-zadd');
      const ping = registry.ping(id, aGameServer());
      expect(await refusal(ping)).to.have.property('code', 'registry_unavailable');
      expect(await isListedFresh()).to.equal(true);
      expect(told).to.deep.equal([]);
      await admin.call('ACL', 'SETUSER', 'default', '+zadd');
    });
  });

  describe('and changes roles', () => {
    beforeEach(() => open());

    it('stays unavailable while Redis takes no writes, though it can be read', async () => {
      await admin.replicaof('127.0.0.1', String(await freePort()));
      await refusal(registry.ping(id, aGameServer()));
      expect(told).to.deep.equal(['out']);
      await delay(100);
      const refused = refusal(registry.ping(id, aGameServer())).then(() => 'at once');
      expect(await Promise.race([refused, nextTurn('later')])).to.equal('at once');
      expect(await isListedFresh()).to.equal(false);
      expect(told).to.deep.equal(['out']);
      await admin.replicaof('NO', 'ONE');
      await msUntil(isListedFresh);
      expect(await registry.ping(id, aGameServer())).to.equal('refreshed');
      expect(told).to.deep.equal(['out', 'in']);
    });
  });

  describe('and loses connections', () => {
    const repeating = { ...PATIENT, retryMs: PATIENCE_MS };

    it('repeats the writes that were under way, and callers get their outcomes', async () => {
      await open(repeating);
      for (let i = 0; i < 5; i += 1) {
        const pings = Array.from({ length: 20 }, () => registry.ping(id, aGameServer({ players: i })));
        await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        expect(new Set(await Promise.all(pings))).to.deep.equal(new Set(['refreshed']));
      }
      expect(told).to.deep.equal([]);
    });

    it('does nothing twice when an answer was lost', async () => {
      await admin.flushall();
      const proxy = await startForgetfulProxy(server.port);
      await use(proxy.port, repeating);
      await registry.close();
      proxy.loseNextAnswer();
      const other = createGameServerId();
      expect(await registry.broadcast(other, aGameServer())).to.equal('listed');
      expect(await admin.zrange('{gsls}:servers', 0, '-1')).to.have.members([id, other]);
      proxy.loseNextAnswer();
      expect(await registry.remove(other, aGameServer().ip)).to.equal('removed');
      expect(await admin.zrange('{gsls}:servers', 0, '-1')).to.deep.equal([id]);
      expect(await admin.zcard('{gsls}:removed')).to.equal(1);
      await connection.close();
      await proxy.close();
    });
  });
});

async function msUntil(condition: () => boolean | Promise<boolean>): Promise<number> {
  const stopwatch = new Stopwatch();
  while (!(await condition())) await delay(5);
  return stopwatch.stop();
}
