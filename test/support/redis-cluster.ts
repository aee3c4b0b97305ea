/** Real Redis Clusters on free ports, from one node up; slots can be moved between their masters. */

import { Cluster, Redis } from 'ioredis';
import type { Certificate } from './certificate.ts';
import { until } from './until.ts';
import { startRedisServer, type RedisServer } from './redis-server.ts';
import { freePort } from './free-port.ts';

export interface RedisCluster {
  readonly client: Cluster;
  readonly addresses: readonly { readonly host: string; readonly port: number }[];
  /** The masters of the beginning, then their replicas. */
  readonly nodes: readonly RedisServer[];
  /** The node that says it is the master of the key's slot. Waits while there is none. */
  masterOf(key: string): Promise<RedisServer>;
  slotOf(key: string): Promise<number>;
  /**
   * Moves a slot with its keys from one master to another, as `redis-cli --cluster reshard` does. `between`: one key
   * goes first, and the others once this resolves.
   */
  moveSlot(slot: number, from: RedisServer, to: RedisServer, between?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export interface RedisClusterOptions {
  readonly masters?: number;
  readonly replicasEach?: number;
  /** How long a node is silent before the others call it failing. */
  readonly nodeTimeoutMs?: number;
  readonly password?: string;
  readonly certificate?: Certificate;
  readonly args?: readonly string[];
}

const SLOTS = 16_384;
/** The bus of a node has the port that much above its own, and is to stay below the ports of connections too. */
const BUS_OFFSET = 10_000;
const HIGHEST_PORT = 22_000;
/** A frozen node does not answer. */
const ADMIN_TIMEOUT_MS = 200;
const MIGRATE_TIMEOUT_MS = 5000;
/** As docs/redis.md asks for. */
const KEYS_PER_STEP = 1000;

/** Resolves when every node finds the Cluster well and every replica follows its master. */
export async function startRedisCluster(options: RedisClusterOptions = {}): Promise<RedisCluster> {
  const { masters = 1, replicasEach = 0, nodeTimeoutMs = 2000, password } = options;
  const nodes: RedisServer[] = [];
  const admins = new Map<RedisServer, Redis>();
  const adminOf = (node: RedisServer): Redis => admins.get(node)!;
  let client: Cluster | undefined;
  const stop = async (): Promise<void> => {
    client?.disconnect();
    for (const admin of admins.values()) admin.disconnect();
    await Promise.all(nodes.map((node) => node.stop()));
  };

  try {
    await Promise.all(
      Array.from({ length: masters * (1 + replicasEach) }, async () => {
        const node = await startNode(nodeTimeoutMs, options);
        nodes.push(node);
        admins.set(node, connectAdmin(node));
      }),
    );
    await unite(nodes, masters, adminOf);
    const { host, port, ...redisOptions } = nodes[0]!.access;
    client = new Cluster([{ host, port }], { redisOptions, lazyConnect: true });
    client.on('error', () => undefined);
    await client.connect();
  } catch (error) {
    await stop();
    throw error;
  }

  const ofAny = async <T>(question: (admin: Redis) => Promise<T>): Promise<T> =>
    Promise.any(nodes.map((node) => question(adminOf(node))));
  const slotOf = (key: string): Promise<number> => ofAny((admin) => admin.cluster('KEYSLOT', key));

  return {
    client,
    addresses: nodes.map(({ host, port }) => ({ host, port })),
    nodes,
    slotOf,
    async masterOf(key) {
      const slot = await slotOf(key);
      let master: RedisServer | undefined;
      await until(async () => {
        const claims = await Promise.all(
          nodes.map(async (node) => ({ node, epoch: await claimOn(slot, adminOf(node)) })),
        );
        const [newest] = claims
          .filter(({ epoch }) => epoch !== undefined)
          .toSorted((a, b) => b.epoch! - a.epoch!);
        master = newest?.node;
        return master !== undefined;
      });
      return master!;
    },
    async moveSlot(slot, from, to, between) {
      const [source, target] = [adminOf(from), adminOf(to)];
      const [sourceId, targetId] = [await source.cluster('MYID'), await target.cluster('MYID')];
      await target.cluster('SETSLOT', slot, 'IMPORTING', sourceId);
      await source.cluster('SETSLOT', slot, 'MIGRATING', targetId);
      for (let step = 0; ; step += 1) {
        if (step === 1) await between?.();
        const most = step === 0 && between !== undefined ? 1 : KEYS_PER_STEP;
        const keys = await source.cluster('GETKEYSINSLOT', slot, most);
        if (keys.length === 0) break;
        const auth = password === undefined ? [] : ['AUTH', password];
        const where = [to.host, to.port, '', 0, MIGRATE_TIMEOUT_MS, ...auth];
        await source.call('MIGRATE', ...where, 'KEYS', ...keys);
      }
      // The node that gets it first: so it has an owner at any moment.
      const others = nodes.filter((node) => node !== from && node !== to);
      for (const node of [to, from, ...others]) {
        const telling = adminOf(node).cluster('SETSLOT', slot, 'NODE', targetId);
        // Replicas, and nodes that are down, hear of it from the others.
        await (node === to || node === from ? telling : telling.catch(() => undefined));
      }
    },
    stop,
  };
}

async function startNode(
  nodeTimeoutMs: number,
  { password, certificate, args = [] }: RedisClusterOptions,
): Promise<RedisServer> {
  for (;;) {
    const port = await freePort(HIGHEST_PORT);
    const cluster = [
      ['--cluster-enabled', 'yes'],
      ['--cluster-announce-ip', '127.0.0.1'],
      ['--cluster-port', String(port + BUS_OFFSET)],
      ['--cluster-node-timeout', String(nodeTimeoutMs)],
      ['--cluster-require-full-coverage', 'no'],
      ['--cluster-allow-replica-migration', 'no'],
    ];
    // Another program may have the port of the bus: then it ends, and another port may be free.
    const node = await startRedisServer({
      port,
      ...(password !== undefined && { password }),
      ...(certificate !== undefined && { certificate }),
      args: [...cluster.flat(), ...args],
    }).catch(() => undefined);
    if (node !== undefined) return node;
  }
}

function connectAdmin(node: RedisServer): Redis {
  const admin = new Redis({
    ...node.access,
    commandTimeout: MIGRATE_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 50,
  });
  admin.on('error', () => undefined);
  return admin;
}

/** Makes one Cluster of the nodes: the first of them masters, each of the others replica of one. */
async function unite(
  nodes: readonly RedisServer[],
  masters: number,
  adminOf: (node: RedisServer) => Redis,
): Promise<void> {
  const admins = nodes.map(adminOf);
  const ids = await Promise.all(admins.map((admin) => admin.cluster('MYID')));
  await Promise.all(admins.map((admin, index) => admin.cluster('SET-CONFIG-EPOCH', index + 1)));
  // Each meets each: to hear of the others from the first one takes them seconds.
  await Promise.all(
    admins.flatMap((admin, index) =>
      nodes.slice(index + 1).map(({ host, port }) => admin.cluster('MEET', host, port)),
    ),
  );
  const met = async (admin: Redis): Promise<boolean> => {
    const seen = await nodesSeenBy(admin);
    return seen.length === nodes.length && !seen.some(([, , flags]) => flags!.includes('handshake'));
  };
  await Promise.all(admins.map((admin) => until(() => met(admin))));

  await Promise.all(
    admins.map((admin, index) => {
      if (index >= masters) return admin.cluster('REPLICATE', ids[index % masters]!);
      const first = Math.ceil((index * SLOTS) / masters);
      const last = Math.ceil(((index + 1) * SLOTS) / masters) - 1;
      return admin.cluster('ADDSLOTSRANGE', first, last);
    }),
  );
  await Promise.all(
    admins.map(async (admin, index) => {
      await until(async () => (await admin.cluster('INFO')).includes('cluster_state:ok'));
      if (index < masters) return;
      await until(async () => (await admin.info('replication')).includes('master_link_status:up'));
    }),
  );
  // All nodes agree on which of them replicate which: each gives the same answer.
  const replicas = nodes.length - masters;
  await Promise.all(
    admins.map((admin) =>
      until(async () => {
        const seen = await nodesSeenBy(admin);
        return seen.filter(([, , flags]) => flags!.includes('slave')).length === replicas;
      }),
    ),
  );
}

/** Its configuration epoch, if this node says it is the master of the slot. */
async function claimOn(slot: number, admin: Redis): Promise<number | undefined> {
  const silent = new Promise<string[][]>((resolve) => setTimeout(resolve, ADMIN_TIMEOUT_MS, []).unref());
  const seen = await Promise.race([nodesSeenBy(admin).catch(() => []), silent]);
  const self = seen.find(([, , flags]) => flags!.includes('myself'));
  const [, , flags, , , , epoch, , ...ranges] = self ?? [];
  const owns = ranges.some((range) => {
    const [first, last = first] = range.split('-').map(Number);
    return slot >= first! && slot <= last!;
  });
  return flags?.includes('master') === true && owns ? Number(epoch) : undefined;
}

/** The words of each line of CLUSTER NODES: id, address, flags, master, pinged, heard, epoch, link, slots. */
async function nodesSeenBy(admin: Redis): Promise<string[][]> {
  const lines = (await admin.cluster('NODES')) as string;
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '));
}
