/**
 * Every way in which a Redis answers and refuses, each provoked on a real one: what the log, the metrics, the alerts,
 * the readiness and the doctor say of it while nobody writes, and where the documents say what to do.
 */

import { randomBytes } from 'node:crypto';
import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { DEADLINES } from '../../../src/runtime/deadlines.ts';
import type { RedisErrorKind } from '../../../src/registry/redis/scripts/error-kind.ts';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { LogRecord, type LogLine } from '../../support/log-record.ts';
import { readDocument } from '../../support/markdown.ts';
import { valueOf } from '../../support/metrics.ts';
import { needs } from '../../support/needs.ts';
import { startRedisServer, type RedisServer } from '../../support/redis-server.ts';
import { addUser } from '../../support/redis-users.ts';
import { readAlerts } from '../../support/rules-file.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';

const AWAY = 'Redis is away: lists are stale and writes are refused until it is back';
const BACK = 'Redis is back: lists are current and writes are accepted';
const ACCEPTS = 'Redis accepts writes again';

interface Way {
  readonly title: string;
  /** `refused`: lists stay current. `away`: what Redis says of the list is not to be trusted, or it says nothing. */
  readonly is: 'refused' | 'away';
  readonly reason: RedisErrorKind;
  /** The end of the sentence in log, readiness and doctor. */
  readonly says: string;
  /** The words of Redis and the advice, in the log. */
  readonly logged: RegExp;
  readonly begin: (redis: RedisServer, admin: Redis) => Promise<unknown>;
  readonly end: (redis: RedisServer, admin: Redis) => Promise<unknown>;
}

const user =
  (...rules: readonly string[]) =>
  (_: RedisServer, admin: Redis): Promise<unknown> =>
    admin.acl('SETUSER', 'gsls', ...rules);
const set =
  (...settings: readonly [string, string]) =>
  (_: RedisServer, admin: Redis): Promise<unknown> =>
    admin.config('SET', ...settings);

/** Ends the connections of the service: they are then made anew. */
const cutOff = (admin: Redis): Promise<unknown> => admin.call('CLIENT', 'KILL', 'USER', 'gsls');

async function dumpPath(admin: Redis): Promise<string> {
  const [, directory] = (await admin.config('GET', 'dir')) as [string, string];
  return join(directory, 'dump.rdb');
}

/** Writes dumps until one ends with this status. */
async function dumped(admin: Redis, status: 'ok' | 'err'): Promise<void> {
  await until(async () => {
    await admin.bgsave().catch(() => undefined);
    return (await admin.info('persistence')).includes(`rdb_last_bgsave_status:${status}`);
  });
}

const LOADS_SLOWLY = ['--key-load-delay', '50000', '--loading-process-events-interval-bytes', '1024'];

const WAYS: readonly Way[] = [
  {
    title: 'its memory is full',
    is: 'refused',
    reason: 'out_of_memory',
    says: 'its memory is full',
    logged: /^OOM command not allowed .* raise maxmemory/,
    begin: set('maxmemory', '1'),
    end: set('maxmemory', '0'),
  },
  {
    title: 'it cannot write its dump',
    is: 'refused',
    reason: 'disk',
    says: 'it cannot write to its disk',
    logged: /^MISCONF .*is the disk full\?/,
    async begin(_, admin) {
      await mkdir(await dumpPath(admin));
      await admin.config('SET', 'save', '3600 1');
      await dumped(admin, 'err');
    },
    async end(_, admin) {
      await rmdir(await dumpPath(admin));
      await dumped(admin, 'ok');
      await admin.config('SET', 'save', '');
    },
  },
  {
    title: 'its user lacks one command that scripts call',
    is: 'refused',
    reason: 'auth',
    says: 'its user lacks a right',
    logged: /may not run PEXPIRE: give the user the rights/,
    begin: user('-pexpire'),
    end: user('+pexpire'),
  },
  {
    title: 'its user may not write at all',
    is: 'away',
    reason: 'auth',
    says: 'its user lacks a right',
    logged: /: give the user the rights/,
    begin: user('-@write'),
    end: user('+@write', '-@dangerous', '+info'),
  },
  {
    title: 'its user may not run scripts',
    is: 'away',
    reason: 'auth',
    says: 'its user lacks a right',
    logged: /^NOPERM .*: give the user the rights/,
    begin: user('-evalsha', '-eval'),
    end: user('+evalsha', '+eval'),
  },
  {
    title: 'the password is wrong',
    is: 'away',
    reason: 'auth',
    says: 'user or password is wrong',
    logged: /^WRONGPASS .*: correct user and password/,
    begin: async (_, admin) => [
      await admin.acl('SETUSER', 'gsls', 'resetpass', '>other'),
      await cutOff(admin),
    ],
    end: user('resetpass', '>secret'),
  },
  {
    title: 'it is a replica of another Redis',
    is: 'away',
    reason: 'read_only',
    says: 'it is a replica, which takes no writes',
    logged: /^READONLY .*: this is a replica; give the address of its master/,
    begin: (_, admin) => admin.replicaof('127.0.0.1', 1),
    end: (_, admin) => admin.replicaof('NO', 'ONE'),
  },
  {
    title: 'it is a replica that has lost its master',
    is: 'away',
    reason: 'replication',
    says: 'it is a replica that has lost its master',
    logged: /^MASTERDOWN .*: this is a replica that has lost its master/,
    async begin(_, admin) {
      await admin.config('SET', 'replica-serve-stale-data', 'no');
      await admin.replicaof('127.0.0.1', 1);
    },
    async end(_, admin) {
      await admin.replicaof('NO', 'ONE');
      await admin.config('SET', 'replica-serve-stale-data', 'yes');
    },
  },
  {
    title: 'it has too few replicas',
    is: 'away',
    reason: 'replication',
    says: 'it has fewer replicas than it must have',
    logged: /^NOREPLICAS .* min-replicas-to-write/,
    begin: set('min-replicas-to-write', '1'),
    end: set('min-replicas-to-write', '0'),
  },
  {
    title: 'another program runs a long script in it',
    is: 'away',
    reason: 'busy',
    says: 'another program keeps it busy with a script',
    logged: /^BUSY .*: .*SCRIPT KILL/,
    async begin({ access }, admin) {
      await admin.config('SET', 'busy-reply-threshold', '1');
      const other = new Redis(access);
      other.on('error', () => undefined);
      void other
        .eval('while true do end', 0)
        .catch(() => undefined)
        .finally(() => other.disconnect());
    },
    end: (_, admin) => admin.script('KILL'),
  },
  {
    title: 'it loads its data',
    is: 'away',
    reason: 'loading',
    says: 'it loads its data',
    logged: /^LOADING .*: wait until Redis has loaded its data/,
    async begin({ access }, admin) {
      // It answers after every 1024 bytes that it has loaded.
      for (let key = 0; key < 60; key += 1) await admin.set(`filler-${key}`, randomBytes(1500));
      const other = new Redis(access);
      void other.call('DEBUG', 'RELOAD').finally(() => other.disconnect());
    },
    end: (_, admin) =>
      until(() =>
        admin.ping().then(
          () => true,
          () => false,
        ),
      ),
  },
];

needs('redis-server').describe('a Redis that answers and refuses', function () {
  this.timeout(60_000);
  let redis: RedisServer;
  let admin: Redis;
  let service: Service;
  let log: LogRecord;
  let from: number;

  const since = (): readonly LogLine[] =>
    log.lines.slice(from).filter(({ level, msg }) => level > 20 && /^Redis (?!keeps|had)/.test(msg));
  const logged = (beginning: string): Promise<void> =>
    until(() => since().some(({ msg }) => msg.startsWith(beginning)));
  const metric = async (name: string): Promise<number> =>
    valueOf((await ask({ url: service.opsUrl! }, 'GET /metrics')).text, name);
  const readiness = async (): Promise<unknown> => {
    const { status, body } = await ask({ url: service.opsUrl! }, 'GET /readyz');
    return [status, body];
  };
  const registryCheck = async (): Promise<unknown> => {
    const { body } = await ask(service, 'POST /doctor', { body: { server_port: 7777 } });
    const { checks } = body as unknown as { checks: readonly { code: string }[] };
    return checks.find(({ code }) => code === 'registry');
  };

  before(async () => {
    redis = await startRedisServer({ args: [...LOADS_SLOWLY, '--enable-debug-command', 'yes'] });
    admin = new Redis(redis.access);
    await addUser(redis, 'node', 'secret');
    log = new LogRecord();
    const url = redis.url.replace('//', '//gsls:secret@');
    service = await startTestService({ GSLS_REDIS: url, GSLS_OPS_PORT: '0' }, log.logger, {
      ...DEADLINES,
      refusalMs: 300,
    });
  });
  after(async () => {
    await service.close();
    admin.disconnect();
    await redis.stop();
  });
  beforeEach(async () => {
    await until(async () => JSON.stringify(await readiness()) === '[200,{"ready":true}]');
    from = log.lines.length;
    expect(await metric('gsls_registry_writable')).to.equal(1);
  });

  const alerts = readAlerts();
  const document = readDocument('docs/redis.md');

  for (const { title, is, reason, says, logged: words, begin, end } of WAYS)
    it(`is reported in every place from begin to end: ${title}`, async () => {
      const [verb, begins, ends] =
        is === 'away'
          ? ['is away', AWAY, BACK]
          : ['refuses writes', `Redis refuses writes: ${says}`, ACCEPTS];
      await begin(redis, admin);
      await logged(begins);
      expect(since().find(({ msg }) => msg === begins)!.reason).to.match(words);
      const trouble = { writes: 'refused', reason, message: `Redis ${verb}: ${says}` };
      expect(await readiness()).to.deep.equal([200, { ready: true, ...trouble }]);
      expect(await metric('gsls_registry_writable')).to.equal(0);
      expect(await metric('gsls_registry_available')).to.equal(is === 'away' ? 0 : 1);
      const alert = is === 'away' ? 'GslsRegistryUnavailable' : 'GslsRegistryNotWritable';
      expect(alerts.map(({ name }) => name)).to.include(alert);
      const about =
        is === 'away'
          ? 'the list is not current, as the registry cannot be used'
          : 'the list is current, but the registry refuses writes';
      expect(await registryCheck()).to.deep.equal({
        code: 'registry',
        result: 'wrong',
        says: `${about}: ${says}`,
      });
      expect((await ask(service, 'GET /')).headers['warning'] === undefined).to.equal(is === 'refused');
      expect((await ask(service, 'POST /broadcast', { body: aBroadcast() })).status).to.equal(503);
      expect(document).to.include(`\n| ${says} `);

      await end(redis, admin);
      await logged(ends);
      await until(async () => (await metric('gsls_registry_writable')) === 1);
      expect((await ask(service, 'POST /broadcast', { body: aBroadcast() })).status).to.equal(200);
      // A task of the replica may have met the refusal before the list did.
      const told = since()
        .map(({ msg }) => msg)
        .filter((msg) => is === 'refused' || msg.startsWith('Redis is'));
      expect(told).to.deep.equal([begins, ends]);
    });
});

needs('redis-server').describe('a Redis that deletes keys instead of refusing writes', function () {
  this.timeout(60_000);

  it('is reported by its setting first, then by what is lost, and takes writes all the while', async () => {
    const redis = await startRedisServer({
      args: ['--appendonly', 'yes', '--maxmemory-policy', 'allkeys-random'],
    });
    const admin = new Redis(redis.access);
    const log = new LogRecord();
    const environment = { GSLS_REDIS: redis.url, GSLS_OPS_PORT: '0' };
    const service = await startTestService(environment, log.logger, DEADLINES);
    const ops = { url: service.opsUrl! };
    await log.logged('maxmemory-policy is allkeys-random: at maxmemory, Redis deletes listed game servers');
    for (let count = 0; count < 50; count += 1) await ask(service, 'POST /broadcast', { body: aBroadcast() });

    const [, used] = /used_memory:(\d+)/.exec(await admin.info('memory'))!;
    await admin.config('SET', 'maxmemory', Number(used) + 100_000);
    const hasLost = (): boolean => log.lines.some(({ msg }) => msg.startsWith('Redis had lost game servers'));
    for (let key = 0; !hasLost(); key += 1)
      await admin.set(`filler-${key % 50}`, randomBytes(4000)).catch(() => undefined);
    await admin.config('SET', 'maxmemory', 0);

    await until(async () => (await ask(service, 'GET /')).body.count === 50);
    const { text } = await ask(ops, 'GET /metrics');
    expect(valueOf(text, 'gsls_restored_total')).to.be.above(0);
    expect(valueOf(text, 'gsls_registry_writable')).to.equal(1);
    expect(readAlerts().map(({ name }) => name)).to.include('GslsGameServersRestored');
    expect(log.lines.filter(({ msg }) => msg.startsWith('Redis refuses'))).to.deep.equal([]);
    await service.close();
    admin.disconnect();
    await redis.stop();
  });
});
