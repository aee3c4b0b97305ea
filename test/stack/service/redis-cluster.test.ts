/** What --redis-cluster finds and follows: a real Cluster of three masters and a replica of each. */

import { expect } from 'chai';
import { Redis, type Cluster } from 'ioredis';
import { DEADLINES } from '../../../src/runtime/deadlines.ts';
import { createLifetime } from '../../../src/registry/lifetime.ts';
import { connectRedis } from '../../../src/registry/redis/connection/connect.ts';
import { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import { ask, expectError } from '../../support/ask.ts';
import { aBroadcast, aGameServer, broadcastTo } from '../../support/builders.ts';
import { createCertificate, type Certificate } from '../../support/certificate.ts';
import { keepBroadcasting } from '../../support/keep-broadcasting.ts';
import { needs } from '../../support/needs.ts';
import { PATIENCE_MS, PATIENT } from '../../support/patient.ts';
import { clusterAt, reasonAt, redisAt } from '../../support/reason-at.ts';
import { until } from '../../support/until.ts';
import { startRedisCluster, type RedisCluster } from '../../support/redis-cluster.ts';
import { type RedisServer } from '../../support/redis-server.ts';
import { addUser } from '../../support/redis-users.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { Stopwatch } from '../../support/stopwatch.ts';
import { useServices, type Environment } from '../../support/use-services.ts';

/** Of all nodes, beside the users that a service is given. */
const ADMIN = { database: 0, password: 'of-nodes' };
/** The hash tag of the unnamed registry. */
const OUR_KEY = '{gsls}';

function textOf(addresses: RedisCluster['addresses']): string {
  return addresses.map(({ host, port }) => `${host}:${port}`).join(',');
}

async function takesWrites(cluster: Cluster): Promise<boolean> {
  return cluster.set(OUR_KEY, '').then(
    () => true,
    () => false,
  );
}

needs('redis-server').describe('a Redis behind --redis-cluster', function () {
  this.timeout(120_000);
  let redis: RedisCluster;
  let environment: Environment;
  const { start, listedAnew, expectNothingLost, expectAway } = useServices(() => environment);

  before(async () => {
    redis = await startRedisCluster({ masters: 3, replicasEach: 1, password: ADMIN.password });
    await addUsers();
    environment = {
      GSLS_REDIS_CLUSTER: textOf(redis.addresses.slice(0, 2)),
      GSLS_REDIS_USER: 'gsls',
      GSLS_REDIS_PASSWORD: 'one',
    };
  });
  after(() => redis.stop());

  /** They are gone after a restart. */
  async function addUsers(): Promise<void> {
    await Promise.all(redis.nodes.map((node) => addUser(node, 'node', 'one')));
  }

  it('broadcasts, pings, removes and lists work, with a user and a password', async () => {
    const service = await start();
    const { status, body } = await ask(service, 'POST /broadcast', { body: aBroadcast() });
    expect(status).to.equal(200);
    const id = body.server_id!;
    const ping = { ...aBroadcast({ players: 4 }), server_id: id };
    expect((await ask(service, 'POST /ping', { body: ping })).status).to.equal(200);
    expect(await listedAnew()).to.include(id);
    const remove = { server_id: id, server_ip: aBroadcast()['server_ip'] };
    expect((await ask(service, 'POST /remove', { body: remove })).status).to.equal(200);
    expect(await listedAnew()).to.not.include(id);
  });

  const MISTAKES: readonly (readonly [what: string, mistake: Environment, reason: string])[] = [
    ['the password is wrong', { GSLS_REDIS_PASSWORD: 'hunter2' }, 'WRONGPASS'],
    ['its nodes are elsewhere', { GSLS_REDIS_CLUSTER: '127.0.0.1:1' }, 'ECONNREFUSED 127.0.0.1:1'],
  ];
  for (const [what, mistake, reason] of MISTAKES)
    it(`the Cluster counts as away when ${what}, and the log says why`, () => expectAway(mistake, reason));

  it('a node is explained where a Redis on its own is expected', async () => {
    const holder = await redis.masterOf(OUR_KEY);
    const other = redis.nodes.slice(0, 3).find((node) => node !== holder)!;
    expect(await reasonAt(redisAt(other.port, ADMIN))).to.match(
      /^MOVED \d+ 127\.0\.0\.1:\d+: .*--redis-cluster$/,
    );
    expect(await reasonAt(redisAt(holder.port, { ...ADMIN, database: 1 }))).to.match(
      /^ERR SELECT is not allowed in cluster mode: .*--redis-cluster$/,
    );
  });

  it('the risks of the masters that get commands are reported, each once', async () => {
    const told: string[] = [];
    const onRisk = (_risk: string, where: string): void => void told.push(where);
    const connection = connectRedis({ kind: 'cluster', nodes: redis.addresses, ...ADMIN }, { onRisk });
    try {
      for (const key of [OUR_KEY, '{gsls:eu}']) {
        await until(() =>
          (connection.client as Redis).get(key).then(
            () => true,
            () => false,
          ),
        );
        const { port } = await redis.masterOf(key);
        await until(() => told.includes(`127.0.0.1:${port}`));
      }
      expect(new Set(told).size).to.equal(told.length);
    } finally {
      await connection.close();
    }
  });

  it('the slot of the registry is followed to another node', async () => {
    const load = keepBroadcasting(await start());
    await load.more(50);
    const from = await redis.masterOf(OUR_KEY);
    const to = redis.nodes.slice(0, 3).find((node) => node !== from)!;
    await redis.moveSlot(await redis.slotOf(OUR_KEY), from, to);
    await load.more(50);
    expect(await redis.masterOf(OUR_KEY)).to.equal(to);
    await expectNothingLost(load);
  });

  it('a write waits while the slot of its registry is on two nodes, longer than a command may take', async () => {
    // Nothing but a command that is not given back fails it.
    const deadlines = { ...PATIENT, commandMs: DEADLINES.commandMs, retryMs: PATIENCE_MS };
    const address = { kind: 'cluster', nodes: redis.addresses, ...ADMIN } as const;
    const connection = connectRedis(address, {}, deadlines);
    await connection.firstAttempt;
    const registry = new RedisRegistry({
      client: connection.client,
      registryName: 'moved',
      lifetime: createLifetime(60_000),
      uniqueAddress: false,
      deadlines,
    });
    try {
      await registry.untilListed(PATIENCE_MS);
      const id = await broadcastTo(registry, aGameServer());
      const key = '{gsls:moved}:state';
      const from = await redis.masterOf(key);
      const to = redis.nodes.slice(0, 3).find((node) => node !== from)!;
      let ping: Promise<unknown> | undefined;
      await redis.moveSlot(await redis.slotOf(key), from, to, async () => {
        const since = performance.now();
        ping = registry.ping(id, aGameServer()).catch(String);
        await until(() => performance.now() > since + 2 * DEADLINES.commandMs);
      });
      expect(await ping).to.equal('refreshed');
    } finally {
      await registry.close();
      await connection.close();
    }
  });

  it('the successor of a master that dies is found', async () => {
    const load = keepBroadcasting(await start());
    await load.more(50);
    const master = await redis.masterOf(OUR_KEY);
    await master.crash();
    expect(await redis.masterOf(OUR_KEY)).to.not.equal(master);
    const stopwatch = new Stopwatch();
    await load.more(1);
    expect(stopwatch.stop()).to.be.below(1000);
    await load.more(20);
    await expectNothingLost(load);
    await master.restart();
  });

  it('the successor of a master that hangs is found soon', async () => {
    const address = { kind: 'cluster', nodes: redis.addresses, ...ADMIN } as const;
    const connection = connectRedis(address);
    const cluster = connection.client as Cluster;
    const master = await redis.masterOf(OUR_KEY);
    await until(() => takesWrites(cluster));
    // From now on it does not look again for two seconds, unless it has a reason.
    await new Promise((resolve) => cluster.once('refresh', resolve));
    master.freeze();
    try {
      await promoteReplicaOf(master);
      const stopwatch = new Stopwatch();
      await until(() => takesWrites(cluster));
      expect(stopwatch.stop()).to.be.below(1500);
    } finally {
      master.thaw();
      await connection.close();
    }
  });

  async function promoteReplicaOf(master: RedisServer): Promise<void> {
    const others = redis.nodes.filter((node) => node !== master).map(({ access }) => new Redis(access));
    for (const node of others) {
      const isReplica = (await node.info('replication')).includes(`master_port:${master.port}\r`);
      if (isReplica) await node.cluster('FAILOVER', 'TAKEOVER');
      node.disconnect();
    }
  }

  it('a Cluster without any node is waited for, and each change is reported once', async () => {
    await Promise.all(redis.nodes.map((node) => node.crash()));
    const told: string[] = [];
    const service = await start();
    const connection = connectRedis(
      { kind: 'cluster', nodes: redis.addresses, ...ADMIN },
      { onUp: () => told.push('up'), onDown: () => told.push('down') },
    );
    try {
      await connection.firstAttempt;
      await until(() => told.length === 1);
      const broadcast = () => ask(service, 'POST /broadcast', { body: aBroadcast() });
      expectError(await broadcast(), 'registry_unavailable');
      await Promise.all(redis.nodes.map((node) => node.restart()));
      await addUsers();
      await until(async () => (await broadcast()).status === 200);
      await until(() => told.length === 2);

      await Promise.all(redis.nodes.map((node) => node.crash()));
      await until(() => told.length === 3);
      expect(told).to.deep.equal(['down', 'up', 'down']);
      await Promise.all(redis.nodes.map((node) => node.restart()));
      await until(() => told.length === 4);
    } finally {
      await connection.close();
    }
  });
});

needs('redis-server', 'openssl').describe('a Redis behind --redis-cluster with TLS', function () {
  this.timeout(60_000);
  let certificate: Certificate;
  let redis: RedisCluster;
  before(async () => {
    certificate = createCertificate('redis.internal');
    redis = await startRedisCluster({ certificate, args: ['--cluster-require-full-coverage', 'yes'] });
  });
  after(async () => {
    await redis.stop();
    certificate.remove();
  });

  it('TLS is used with every node', async () => {
    const service = await startTestService({
      GSLS_REDIS_CLUSTER: textOf(redis.addresses),
      GSLS_REDIS_TLS: 'true',
      GSLS_REDIS_CA: certificate.file,
      GSLS_REDIS_SERVER_NAME: certificate.name,
    });
    try {
      expect((await ask(service, 'POST /broadcast', { body: aBroadcast() })).status).to.equal(200);
    } finally {
      await service.close();
    }
  });

  it('a Cluster that is down is explained', async () => {
    const [node] = redis.nodes;
    const admin = new Redis(node!.access);
    await admin.cluster('DELSLOTS', 0);
    await until(async () => (await admin.cluster('INFO')).includes('cluster_state:fail'));
    admin.disconnect();
    const tls = { ca: certificate.pem, serverName: certificate.name };
    expect(await reasonAt(clusterAt(node!.port, { tls }))).to.match(/^CLUSTERDOWN The cluster is down: /);
  });
});
