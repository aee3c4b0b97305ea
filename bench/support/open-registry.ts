/** A registry on a Redis of the benchmark, without HTTP, as a replica has it. */

import { createGameServerId } from '../../src/model/game-server.ts';
import { createLifetime } from '../../src/registry/lifetime.ts';
import { connectRedis } from '../../src/registry/redis/connection/connect.ts';
import type { Registry } from '../../src/registry/registry.ts';
import { RedisRegistry } from '../../src/registry/redis/redis-registry.ts';
import { gameServerNumber, type Listed } from './requests.ts';

export interface OpenRegistry {
  readonly registry: RedisRegistry;
  readonly close: () => Promise<void>;
}

/** No entry expires during a measurement. */
export const lifetime = createLifetime(86_400_000);
/** A first start takes half a second. */
const LONGEST_START_MS = 10_000;
const AT_A_TIME = 100;

/** Resolves when it is connected, before it has a list. */
export async function openRegistry(port: number): Promise<OpenRegistry> {
  const connection = connectRedis({ kind: 'standalone', host: '127.0.0.1', port, database: 0 });
  await connection.firstAttempt;
  const { client } = connection;
  const registry = new RedisRegistry({ client, registryName: '', lifetime, uniqueAddress: false });
  return {
    registry,
    async close() {
      await registry.close();
      await connection.close();
    },
  };
}

/** The same, with its list. */
export async function openListedRegistry(port: number): Promise<OpenRegistry> {
  const open = await openRegistry(port);
  await open.registry.untilListed(LONGEST_START_MS);
  return open;
}

/** Lists so many, as `create` says, and resolves with all of them. */
export async function fill(registry: Registry, count: number, create = gameServerNumber): Promise<Listed[]> {
  const listed: Listed[] = [];
  for (let from = 0; from < count; from += AT_A_TIME) {
    const some = Array.from({ length: Math.min(AT_A_TIME, count - from) }, (_, i) => ({
      id: createGameServerId(),
      n: from + i,
    }));
    await Promise.all(some.map(({ id, n }) => registry.broadcast(id, create(n))));
    listed.push(...some);
  }
  return listed;
}
