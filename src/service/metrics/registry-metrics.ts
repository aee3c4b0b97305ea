/**
 * What the metrics say of the registry: its list, and what became of its entries. Its events feed them, and the list at
 * the time of a scrape. Knows no requests.
 */

import type { RedisRegistryEvents, ReloadReason } from '../../registry/redis/events.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Instruments } from './instruments.ts';

export interface RegistryMetrics {
  /** The events to count. */
  readonly events: RedisRegistryEvents;
  /** Brings the metrics to the present list, if the registry has one. */
  readonly read: (registry: Pick<Registry, 'list'>) => Promise<void>;
}

const RELOAD_REASONS = ['epoch', 'rollback', 'digest', 'floor', 'reset', 'damage'] satisfies ReloadReason[];

export function createRegistryMetrics({ gauge, counter, counterBy }: Instruments): RegistryMetrics {
  const gameServers = gauge('gsls_game_servers', 'game servers in the list of this replica');
  const staleSeconds = gauge(
    'gsls_list_stale_seconds',
    'age of the list in seconds while it cannot be brought up to date; 0 if current',
  );
  const available = gauge(
    'gsls_registry_available',
    '1; 0 while Redis does not answer and writes are refused',
  );
  const held = gauge(
    'gsls_mass_silence_game_servers',
    'game servers that had stopped pinging when the hold of a mass expiry began; 0 without a hold',
  );
  const expired = counter('gsls_expired_total', 'game servers that this replica let expire');
  const restored = counter(
    'gsls_restored_total',
    'game servers that Redis had lost and this replica wrote back',
  );
  const reloads = counterBy(
    'gsls_reloads_total',
    'times that the list was loaded anew because Redis had another history',
    'reason',
    RELOAD_REASONS,
  );
  available.set(1);

  return {
    events: {
      onExpired: (ids) => expired.inc(ids.length),
      onExpiryHeld: ({ silent }) => held.set(silent),
      onExpiryReleased: () => held.set(0),
      onReload: (reason) => reloads.inc({ reason }),
      onRestored: (count) => restored.inc(count),
      onWrongType: () => undefined,
      onUnavailable: () => available.set(0),
      onAvailable: () => available.set(1),
    },
    async read(registry) {
      const listing = await registry.list().catch(() => undefined);
      if (listing === undefined) return;
      const { snapshot, staleSince } = listing;
      gameServers.set(snapshot.count);
      staleSeconds.set(staleSince === undefined ? 0 : Math.max(0, Date.now() - staleSince) / 1000);
    },
  };
}
