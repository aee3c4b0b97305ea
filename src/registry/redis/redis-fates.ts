/** The fates of ids, as Redis has them. It is only read. Twin of Entries.fateOf() in ../memory/entries.ts. */

import type { Fate, Fates } from '../fates.ts';
import type { GameServerId } from '../game-server.ts';
import type { RedisClient } from './connection/create-client.ts';
import type { RegistryKeys } from './keys.ts';
import type { CircuitBreaker } from './scripts/circuit-breaker.ts';
import { unavailable } from './scripts/script-runner.ts';

const FIELDS = ['expired_at', 'ip', 'host', 'port', 'name', 'registered_at', 'client'] as const;

export class RedisFates implements Fates {
  readonly #client: RedisClient;
  readonly #keys: RegistryKeys;
  readonly #breaker: Pick<CircuitBreaker, 'run'>;

  constructor(client: RedisClient, keys: RegistryKeys, breaker: Pick<CircuitBreaker, 'run'>) {
    this.#client = client;
    this.#keys = keys;
    this.#breaker = breaker;
  }

  async of(id: GameServerId): Promise<Fate> {
    const [servers, , tombstones] = this.#keys.shared as [string, string, string];
    const [deadline, record, removal] = await this.#breaker.run(() =>
      Promise.all([
        this.#client.zscore(servers, id),
        this.#client.hmget(this.#keys.recordPrefix + id, ...FIELDS),
        this.#client.zscore(tombstones, id),
      ]).catch(unavailable),
    );
    if (deadline !== null) return { is: 'listed', expiresAt: Number(deadline) };
    const [expiredAt, ip, host, port, name, registeredAt, client] = record;
    if (expiredAt && ip && host && port && name)
      return {
        is: 'expired',
        entry: {
          id,
          ip,
          host,
          port: Number(port),
          name,
          client: client ?? '',
          registeredVersion: Number(registeredAt),
          expiredAt: Number(expiredAt),
        },
      };
    return removal === null ? { is: 'unknown' } : { is: 'removed', at: Math.floor(Number(removal) / 1000) };
  }
}
