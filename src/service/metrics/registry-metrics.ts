/**
 * The metrics of the registry: its list, and what became of its entries. Its events feed them, and the list at the time
 * of a scrape.
 */

import type { Backend, Moderation } from '../../registry/backend.ts';
import type { DataFileEvents } from '../../registry/data-file/data-file.ts';
import type { RedisRegistryEvents, ReloadReason } from '../../registry/redis/events.ts';
import type { Instruments } from './instruments.ts';

export interface RegistryMetrics {
  /** The events to count. */
  readonly events: CountedEvents;
  /** Brings the metrics to the present list, if the registry has one. */
  readonly read: (registry: CountedRegistry) => Promise<void>;
}

/** The part of a registry that the metrics read. */
export type CountedRegistry = Pick<Backend, 'glance' | 'origins'> & {
  readonly moderation: Pick<Moderation, 'decided'>;
};

type CountedEvents = Pick<
  RedisRegistryEvents,
  | 'onListed'
  | 'onLeft'
  | 'onExpired'
  | 'onExpiryHeld'
  | 'onExpiryReleased'
  | 'onReload'
  | 'onRestored'
  | 'onUnavailable'
  | 'onAvailable'
  | 'onWritesRefused'
  | 'onWritesAccepted'
>;

const RELOAD_REASONS = ['epoch', 'rollback', 'digest', 'floor', 'reset', 'damage'] satisfies ReloadReason[];

/** `maxServers`: the limit at each moment, undefined without one. `origins`: the names of those of a mirror. */
export function createRegistryMetrics(
  instruments: Instruments,
  maxServers: () => number | undefined,
  origins: readonly string[] = [],
): RegistryMetrics {
  const { originCurrent, originGameServers, originStaleSeconds } =
    origins.length === 0
      ? {}
      : instruments.gaugesBy('origin', origins, {
          originCurrent: '1 while the list of this origin of a mirror is current; else 0',
          originGameServers: 'game servers that this origin lists, shown or not',
          originStaleSeconds: 'age of the list of this origin in seconds; 0 if current',
        });
  const { gameServers, players, maxGameServers, bans, listStaleSeconds } = instruments.gauges('max', {
    gameServers: 'game servers in the list of this replica',
    players: 'players on all game servers in the list of this replica',
    maxGameServers: 'how many game servers may be registered (--max-servers); 0 without a limit',
    bans: 'bans in force, as this replica knows them',
    listStaleSeconds: 'age of the list in seconds while it cannot be brought up to date; 0 if current',
  });
  const { registryAvailable, registryWritable } = instruments.gauges('min', {
    registryAvailable: '1; 0 while Redis does not answer and writes are refused',
    registryWritable:
      '1; 0 while Redis takes no writes, because it does not answer, or answers and refuses them',
  });
  const { massSilenceGameServers } = instruments.gauges('max', {
    massSilenceGameServers:
      'game servers that had stopped pinging when the hold of a mass expiry began; 0 without a hold',
  });
  const { expired, parked, revived, restored } = instruments.counters({
    expired: 'game servers that this replica let expire',
    parked: 'game servers that left the list and keep their ids (keep_id)',
    revived: 'expired game servers that came back with a ping',
    restored: 'game servers that Redis had lost and this replica wrote back',
  });
  const { reloads } = instruments.countersBy('reason', RELOAD_REASONS, {
    reloads: 'times that the list was loaded anew because Redis had another history',
  });
  const writes = { isAvailable: true, isRefused: false };
  const setWrites = (change: Partial<typeof writes>): void => {
    Object.assign(writes, change);
    registryAvailable.set(writes.isAvailable ? 1 : 0);
    registryWritable.set(writes.isAvailable && !writes.isRefused ? 1 : 0);
  };
  setWrites({});

  return {
    events: {
      onListed(_, why) {
        if (why === 'revived') revived.inc();
      },
      onLeft(_, why) {
        if (why === 'parked') parked.inc();
      },
      onExpired: (entries) => expired.inc(entries.length),
      onExpiryHeld: ({ silent }) => massSilenceGameServers.set(silent),
      onExpiryReleased: () => massSilenceGameServers.set(0),
      onReload: (reason) => reloads.inc({ reason }),
      onRestored: (entries) => restored.inc(entries.length),
      onUnavailable: () => setWrites({ isAvailable: false, isRefused: false }),
      onAvailable: () => setWrites({ isAvailable: true }),
      onWritesRefused: () => setWrites({ isRefused: true }),
      onWritesAccepted: () => setWrites({ isRefused: false }),
    },
    async read(registry) {
      maxGameServers.set(maxServers() ?? 0);
      bans.set(registry.moderation.decided.bans.length);
      for (const { name: origin, staleSince: since, servers } of registry.origins?.() ?? []) {
        originCurrent?.set({ origin }, since === undefined ? 1 : 0);
        originGameServers?.set({ origin }, servers);
        originStaleSeconds?.set({ origin }, since === undefined ? 0 : Math.max(0, Date.now() - since) / 1000);
      }
      const listing = await registry.glance().catch(() => undefined);
      if (listing === undefined) return;
      const { snapshot, staleSince } = listing;
      gameServers.set(snapshot.count);
      players.set(snapshot.players);
      listStaleSeconds.set(staleSince === undefined ? 0 : Math.max(0, Date.now() - staleSince) / 1000);
    },
  };
}

/** Declares the metrics of a registry in memory that is kept in a file. */
export function createDataFileMetrics(
  instruments: Instruments,
): Pick<DataFileEvents, 'onUnwritable' | 'onWritable'> {
  const { dataFileWritable } = instruments.gauges('max', {
    dataFileWritable:
      '1; 0 while the data file (--data-file) cannot be written and changes are in memory alone',
  });
  dataFileWritable.set(1);
  return { onUnwritable: () => dataFileWritable.set(0), onWritable: () => dataFileWritable.set(1) };
}
