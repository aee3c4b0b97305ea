/**
 * The deliberate opposite of write-back: emptying the registry in Redis so that the replicas understand that it was
 * meant. After a FLUSHALL they would restore what they know.
 */

import type { Config } from '../config/config.ts';
import { UsageError } from '../config/option.ts';
import { explain } from '../log/redis-reasons.ts';
import { createLifetime } from '../registry/lifetime.ts';
import { connectRedis } from '../registry/redis/connection/connect.ts';
import { createKeys } from '../registry/redis/keys.ts';
import { describeAddress, type RedisAddress } from '../registry/redis/connection/redis-address.ts';
import { createScripts, type Scripts } from '../registry/redis/scripts.ts';

export interface ResettableRegistry extends Pick<Scripts, 'count' | 'reset'> {
  /** In words, for questions and answers. */
  readonly name: string;
  close(): Promise<void>;
}

/** Throws a UsageError when the configuration names no Redis. */
export function addressForReset({ redisAddress }: Config): RedisAddress {
  if (redisAddress !== undefined) return redisAddress;
  throw new UsageError('reset needs --redis: a registry in memory ends with its process');
}

/** Rejects with an Error of one line when there is no Redis to speak to. */
export async function openForReset(config: Config, redisAddress: RedisAddress): Promise<ResettableRegistry> {
  const redis = describeAddress(redisAddress);
  const connection = connectRedis(redisAddress);
  const scripts = createScripts({
    client: connection.client,
    keys: createKeys(config.registry),
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
