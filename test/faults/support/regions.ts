/**
 * Three registries, each a replica with a Redis of its own, and three mirrors of them, each far away from every
 * registry: what passes between takes long, and some of it is lost at first.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fork, type Random } from '../../../src/tools/demo/random.ts';
import { freePort } from '../../support/free-port.ts';
import { startBadConnection, type BadConnection } from './bad-connection.ts';
import { Replica } from './replica.ts';
import { APPEND_ONLY, startSingleRedis, type SingleRedis } from './single-redis.ts';

export const NAMES = ['eu', 'us', 'asia'] as const;
export type Name = (typeof NAMES)[number];

export const TTL_S = 30;
const LATENCY_MS = 150;
const LOSS = 0.02;
/** There and back, with a packet that is lost. */
export const LONGEST_WAY_MS = 2 * LATENCY_MS + 400;
const HOST = '127.0.0.1';

export interface Region {
  readonly name: Name;
  readonly redis: SingleRedis;
  readonly replica: Replica;
}

export interface Mirror {
  readonly name: string;
  readonly replica: Replica;
  /** By the names of the origins. */
  readonly ways: Readonly<Record<Name, Way>>;
}

/** From a mirror to an origin. */
export interface Way {
  /** Nothing passes until mend(); then all that was held back does. */
  readonly cut: () => void;
  readonly mend: () => void;
  readonly stop: () => Promise<void>;
}

export interface World {
  readonly regions: readonly Region[];
  readonly mirrors: readonly Mirror[];
  stop(): Promise<void>;
}

export async function startWorld(random: Random): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'gsls-mirrors-'));
  const regions = await Promise.all(NAMES.map(startRegion));
  const mirrors = await Promise.all(
    NAMES.map(async (_, n): Promise<Mirror> => {
      const connections = await Promise.all(regions.map(({ replica }) => startBadConnection(replica.port)));
      const ways = regions.map(({ name }, at) => [name, wayBy(connections[at]!, fork(random))] as const);
      const origins = regions.map(({ name }, at) => `${name}=http://${HOST}:${connections[at]!.port}`);
      const replica = await startReplicaOf({
        GSLS_MIRRORS: origins.join(','),
        GSLS_MIRROR_KEEP: join(folder, `mirror-${n}`),
      });
      return { name: `mirror ${n}`, replica, ways: Object.fromEntries(ways) as Mirror['ways'] };
    }),
  );
  return {
    regions,
    mirrors,
    async stop() {
      await Promise.all([...mirrors, ...regions].map(({ replica }) => replica.kill()));
      await Promise.all(mirrors.flatMap(({ ways }) => Object.values(ways).map((way) => way.stop())));
      await Promise.all(regions.map(({ redis }) => redis.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startRegion(name: Name): Promise<Region> {
  const redis = await startSingleRedis(APPEND_ONLY);
  const replica = await startReplicaOf({ ...redis.environment, GSLS_TTL: String(TTL_S) });
  return { name, redis, replica };
}

async function startReplicaOf(environment: Readonly<Record<string, string>>): Promise<Replica> {
  const common = { GSLS_LOG_FORMAT: 'json', GSLS_FEED_INTERVAL: '100' };
  const replica = new Replica(HOST, await freePort(), { ...common, ...environment });
  await replica.start();
  return replica;
}

function wayBy(connection: BadConnection, random: Random): Way {
  const mend = (): void => {
    connection.mend();
    connection.slowDown(LATENCY_MS);
    connection.lose(LOSS, random);
  };
  mend();
  return { cut: () => connection.swallow(), mend, stop: () => connection.stop() };
}
