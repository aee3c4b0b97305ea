/** Reads the fates of ids from Redis, and writes nothing. The twin of ../memory/memory-fates.ts. */

import type { GameServerId } from '../../model/game-server.ts';
import { MOST_EXPIRED_OF_CLIENT, type ExpiredEntry, type Fate, type Fates } from '../backend.ts';
import { networkNumber } from './client-network.ts';
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
  'reachability',
  'parked_until',
] as const;

/** The most entries of a network, listed and expired, that are looked at. Ids are random, and so is the choice. */
const MOST_LOOKED_AT = 256;

type SharedKeys = [string, string, string, string, string, string, string, string];

export function createFates(
  client: RedisClient,
  { shared, recordPrefix }: RegistryKeys,
  breaker: Pick<CircuitBreaker, 'run'>,
): Fates {
  const [servers, , tombstones, , , , clients, expired] = shared as SharedKeys;

  const readRecord = (id: GameServerId): Promise<(string | null)[]> =>
    client.hmget(recordPrefix + id, ...FIELDS);

  async function readExpiredOf(address: string, network: string): Promise<readonly ExpiredEntry[]> {
    const ids = await client.zrangebyscore(clients, network, network, 'LIMIT', 0, MOST_LOOKED_AT);
    const ends = ids.length === 0 ? [] : await client.zmscore(expired, ids);
    const latest = ids
      .map((id, at) => ({ id, endsAt: Number(ends[at] ?? 0) }))
      .filter(({ endsAt }) => endsAt > 0)
      .toSorted((one, other) => other.endsAt - one.endsAt)
      .slice(0, MOST_EXPIRED_OF_CLIENT);
    const records = await Promise.all(latest.map(({ id }) => readRecord(id)));
    return latest
      .flatMap(({ id }, at) => expiredEntryOf(id, records[at]!, null) ?? [])
      .filter((entry) => entry.client === address && entry.parkedUntil === undefined);
  }

  return {
    async of(id): Promise<Fate> {
      const [deadline, record, removal] = await breaker.run(() =>
        Promise.all([client.zscore(servers, id), readRecord(id), client.zscore(tombstones, id)]).catch(
          unavailable,
        ),
      );
      if (deadline !== null) return { is: 'listed', expiresAt: Number(deadline) };
      const entry = expiredEntryOf(id, record, removal);
      if (entry !== undefined) return { is: 'expired', entry };
      return removal === null ? { is: 'unknown' } : { is: 'removed', at: Math.floor(Number(removal) / 1000) };
    },

    async expiredOf(address) {
      const network = networkNumber(address);
      return network === '' ? [] : breaker.run(() => readExpiredOf(address, network).catch(unavailable));
    },
  };
}

/**
 * Reads the record of an expired or parked entry; undefined if it is none. Redis drops it when it cannot come back any
 * more. `removal`: the version of its tombstone, if that is known.
 */
function expiredEntryOf(
  id: GameServerId,
  record: readonly (string | null)[],
  removal: string | null,
): ExpiredEntry | undefined {
  const [expiredAt, ip, host, port, name, registeredAt, client, reachability, until] = record;
  if (!expiredAt || !ip || !host || !port || !name) return undefined;
  // A parked record has an `expired_at` of long ago, so that no ping revives it.
  const leftAt = until && removal !== null ? Math.floor(Number(removal) / 1000) : Number(expiredAt);
  return {
    id,
    ip,
    host,
    port: Number(port),
    name,
    client: client ?? '',
    reachability: reachability ?? '',
    registeredVersion: Number(registeredAt),
    expiredAt: leftAt,
    parkedUntil: until ? Number(until) : undefined,
  };
}
