/**
 * What the metrics say of the registry: its list, and what became of its entries. Its events feed them, and the list at
 * the time of a scrape.
 */

import type { DataFileEvents } from '../../registry/data-file/data-file.ts';
import type { RedisRegistryEvents, ReloadReason } from '../../registry/redis/events.ts';
import type { Moderation } from '../../registry/moderation.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Instruments } from './instruments.ts';

export interface RegistryMetrics {
  /** The events to count. */
  readonly events: CountedEvents;
  /** Brings the metrics to the present list, if the registry has one. */
  readonly read: (registry: CountedRegistry) => Promise<void>;
}

/** What the metrics ask a registry for. */
export type CountedRegistry = Pick<Registry, 'list'> & { readonly moderation: Pick<Moderation, 'decided'> };

type CountedEvents = Pick<
  RedisRegistryEvents,
  | 'onListed'
  | 'onExpired'
  | 'onExpiryHeld'
  | 'onExpiryReleased'
  | 'onReload'
  | 'onRestored'
  | 'onUnavailable'
  | 'onAvailable'
>;

const RELOAD_REASONS = ['epoch', 'rollback', 'digest', 'floor', 'reset', 'damage'] satisfies ReloadReason[];

/** `maxServers`: Infinity without a limit. */
export function createRegistryMetrics(
  { gauge, counter, counterBy }: Instruments,
  maxServers: number,
): RegistryMetrics {
  const gameServers = gauge('gsls_game_servers', 'game servers in the list of this replica');
  const players = gauge('gsls_players', 'players on all game servers in the list of this replica');
  const limit = gauge(
    'gsls_max_game_servers',
    'how many game servers may be registered (--max-servers); 0 without a limit',
  );
  const bans = gauge('gsls_bans', 'bans in force, as this replica knows them');
  const staleSeconds = gauge(
    'gsls_list_stale_seconds',
    'age of the list in seconds while it cannot be brought up to date; 0 if current',
  );
  const available = gauge(
    'gsls_registry_available',
    '1; 0 while Redis does not answer and writes are refused',
    'min',
  );
  const held = gauge(
    'gsls_mass_silence_game_servers',
    'game servers that had stopped pinging when the hold of a mass expiry began; 0 without a hold',
  );
  const expired = counter('gsls_expired_total', 'game servers that this replica let expire');
  const revived = counter('gsls_revived_total', 'expired game servers that came back with a ping');
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
  limit.set(maxServers === Infinity ? 0 : maxServers);

  return {
    events: {
      onListed(_, why) {
        if (why === 'revived') revived.inc();
      },
      onExpired: (entries) => expired.inc(entries.length),
      onExpiryHeld: ({ silent }) => held.set(silent),
      onExpiryReleased: () => held.set(0),
      onReload: (reason) => reloads.inc({ reason }),
      onRestored: (entries) => restored.inc(entries.length),
      onUnavailable: () => available.set(0),
      onAvailable: () => available.set(1),
    },
    async read(registry) {
      bans.set(registry.moderation.decided.bans.length);
      const listing = await registry.list().catch(() => undefined);
      if (listing === undefined) return;
      const { snapshot, staleSince } = listing;
      gameServers.set(snapshot.count);
      players.set(snapshot.players);
      staleSeconds.set(staleSince === undefined ? 0 : Math.max(0, Date.now() - staleSince) / 1000);
    },
  };
}

/** For a registry in memory that is kept in a file. */
export function createDataFileMetrics({
  gauge,
}: Instruments): Pick<DataFileEvents, 'onUnwritable' | 'onWritable'> {
  const writable = gauge(
    'gsls_data_file_writable',
    '1; 0 while the data file (--data-file) cannot be written and changes are in memory alone',
  );
  writable.set(1);
  return { onUnwritable: () => writable.set(0), onWritable: () => writable.set(1) };
}
