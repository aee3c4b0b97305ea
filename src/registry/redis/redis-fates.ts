/** Reads the fates of ids from Redis, and writes nothing. The twin of ../memory/memory-fates.ts. */

import type { Fate, Fates } from '../backend.ts';
import type { RedisClient } from './connection/create-client.ts';
import type { RegistryKeys } from './keys.ts';
import type { CircuitBreaker } from './scripts/circuit-breaker.ts';
import { unavailable } from './scripts/script-runner.ts';

const FIELDS = [
  'expired_at',
  'ip',
  'host',
  'port',
  'name',
  'registered_at',
  'client',
  'parked_until',
] as const;

export function createFates(
  client: RedisClient,
  { shared, recordPrefix }: RegistryKeys,
  breaker: Pick<CircuitBreaker, 'run'>,
): Fates {
  const [servers, , tombstones] = shared as [string, string, string];
  return {
    async of(id): Promise<Fate> {
      const [deadline, record, removal] = await breaker.run(() =>
        Promise.all([
          client.zscore(servers, id),
          client.hmget(recordPrefix + id, ...FIELDS),
          client.zscore(tombstones, id),
        ]).catch(unavailable),
      );
      if (deadline !== null) return { is: 'listed', expiresAt: Number(deadline) };
      const [expiredAt, ip, host, port, name, registeredAt, from, until] = record;
      if (!expiredAt || !ip || !host || !port || !name)
        return removal === null
          ? { is: 'unknown' }
          : { is: 'removed', at: Math.floor(Number(removal) / 1000) };
      const parkedUntil = until ? Number(until) : undefined;
      const leftAt = until && removal !== null ? Math.floor(Number(removal) / 1000) : Number(expiredAt);
      const times = { registeredVersion: Number(registeredAt), expiredAt: leftAt, parkedUntil };
      return {
        is: 'expired',
        entry: { id, ip, host, port: Number(port), name, client: from ?? '', ...times },
      };
    },
  };
}
