/**
 * Opens the registry in Redis for a reset: it is emptied in a way that its replicas recognize as intended. After a
 * FLUSHALL they would write their copies back. Part of the composition root; knows nothing of HTTP.
 */

import type { Config } from './config/config.ts';
import { explain } from './redis-reasons.ts';
import { createLifetime } from '../registry/lifetime.ts';
import { connectRedis } from '../registry/redis/connection/connect.ts';
import { createKeys } from '../registry/redis/keys.ts';
import { refuseOlderStore } from '../registry/redis/older-store.ts';
import { describeAddress, type RedisAddress } from '../registry/redis/connection/redis-address.ts';
import type { Scripts } from '../registry/redis/scripts/scripts.ts';
import { createScripts } from '../registry/redis/scripts/create-scripts.ts';

export interface ResettableRegistry extends Pick<Scripts, 'count' | 'reset'> {
  /** The name of the registry in words, for a person. */
  readonly name: string;
  close(): Promise<void>;
}

/** Opens a registry whose methods reject with an Error of one line when Redis cannot be used. */
export async function openForReset(config: Config, redisAddress: RedisAddress): Promise<ResettableRegistry> {
  const redis = describeAddress(redisAddress);
  const connection = connectRedis(redisAddress);
  const { client } = connection;
  const keys = createKeys(config.registry);
  const scripts = createScripts({
    client,
    keys,
    admit: () => refuseOlderStore(client, keys),
    lifetime: createLifetime(config.ttl * 1000),
    uniqueAddress: config.uniqueAddress,
    holdMassExpiry: !config.noMassExpiryHold,
  });
  await connection.firstAttempt;
  const explained = async (error: Error): Promise<never> => {
    const reason = explain((await connection.whyDown()) ?? error);
    throw new Error(`Redis at ${redis} cannot be used: ${reason}`, { cause: error });
  };
  return {
    name: `the registry${config.registry && ` "${config.registry}"`} in Redis at ${redis}`,
    count: () => scripts.count().catch(explained),
    reset: (onProgress) => scripts.reset(onProgress).catch(explained),
    close: () => connection.close(),
  };
}
