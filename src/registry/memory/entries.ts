/**
 * All that a registry in memory keeps: listed and expired entries, tombstones, the holder of each address, how many
 * entries each client has, the settings, and the history. Every change goes to the list and to the journal from here.
 * Decides nothing: which change is right is up to the registry.
 */

import type { Fate } from '../backend.ts';
import { randomBytes } from 'node:crypto';
import type { GameServer, GameServerId, Standing } from '../../model/game-server.ts';
import type { HistoryRecord } from '../history-record.ts';
import { isRevivable, type Lifetime } from '../lifetime.ts';
import { Tombstones } from '../tombstones.ts';
import type { Decisions } from '../bans/decisions.ts';
import type { Clock } from '../registry.ts';
import { ShownRules } from '../bans/shown-rules.ts';
import { AddressIndex } from './address-index.ts';
import { ClientCounts } from '../client-counts.ts';
import { DeadlineMap } from './deadline-map.ts';
import { ListedEntries } from './listed-entries.ts';
import {
  createEntry,
  entryOf,
  expiredChange,
  listedChange,
  type MemoryEntry,
  type NativePart,
} from './memory-entry.ts';
import { MemoryHistory } from './memory-history.ts';
import {
  SETTINGS_ID,
  type Change,
  type Journal,
  type SettingsChange,
  type TombstoneChange,
} from './journal.ts';
import { VersionedList } from './versioned-list.ts';

export interface EntriesOptions {
  readonly lifetime: Lifetime;
  readonly clock: Clock;
  readonly journal: Journal | undefined;
  /** The history that the registry begins with. */
  readonly past?: HistoryRecord | undefined;
  readonly hidesUnreached: boolean;
}

export class Entries {
  readonly listed: ListedEntries;
  readonly expired = new DeadlineMap();
  readonly addresses = new AddressIndex();
  /** How many entries, listed or expired, each client has. */
  readonly clients = new ClientCounts();
  readonly history: MemoryHistory;
  /** The list that the entries add up to, with its versions. Only this class changes it. */
  readonly list: VersionedList;
  readonly #lifetime: Lifetime;
  readonly #clock: Clock;
  readonly #journal: Journal | undefined;
  readonly #tombstones = new Tombstones<TombstoneChange>();
  #secret = randomBytes(32).toString('base64url');
  #rules: ShownRules;

  /** Loads the entries, the settings and the history of the journal. */
  constructor({ lifetime, clock, journal, past, hidesUnreached }: EntriesOptions) {
    this.#lifetime = lifetime;
    this.listed = new ListedEntries(lifetime);
    this.#clock = clock;
    this.#journal = journal;
    this.history = new MemoryHistory(journal, past);
    this.#rules = new ShownRules(hidesUnreached);
    this.list = new VersionedList({ clock, hidesUnreached, isShown: (entry) => this.#rules.isShown(entry) });
    if (journal !== undefined) this.#loadJournal(journal.begin(() => this.#content()));
    journal?.append(this.#settings());
  }

  get secret(): string {
    return this.#secret;
  }

  get rules(): ShownRules {
    return this.#rules;
  }

  /** The listed entry, or the expired one that can still be revived. */
  find(id: GameServerId): MemoryEntry | undefined {
    const listed = this.listed.get(id);
    if (listed !== undefined) return listed;
    const expired = this.expired.get(id);
    return expired && isRevivable(expired.expiresAt, this.#clock.now(), this.#lifetime) ? expired : undefined;
  }

  /** Whether the id was on the list, and no broadcast brings it back. */
  isOff(id: GameServerId): boolean {
    return this.expired.has(id) || this.#tombstones.get(id) !== undefined;
  }

  /** The fate of the id. */
  fateOf(id: GameServerId): Fate {
    const listed = this.listed.get(id);
    if (listed !== undefined) return { is: 'listed', expiresAt: listed.expiresAt };
    const expired = this.find(id);
    if (expired !== undefined) return { is: 'expired', entry: { ...expired, expiredAt: expired.expiresAt } };
    const removed = this.#tombstones.get(id);
    return removed === undefined
      ? { is: 'unknown' }
      : { is: 'removed', at: Math.floor(removed.version / 1000) };
  }

  /** Gives a listed entry one TTL from now on, which is no visible change. */
  renew(entry: MemoryEntry): void {
    this.listed.renew(entry, this.#clock.now());
  }

  /**
   * Makes the present state of the entry the next visible version. It is listed for one TTL from now on. `former`: its
   * state before, if there is one.
   */
  publish(
    id: GameServerId,
    gameServer: GameServer,
    standing: Standing,
    former?: MemoryEntry,
    native?: NativePart,
  ): void {
    const version = this.list.nextVersion();
    const versions = { registeredVersion: former?.registeredVersion ?? version, version };
    const entry = createEntry(id, gameServer, standing, versions, former?.details, native);
    const listed = this.listed.get(id);
    if (listed?.client !== entry.client) this.#count(entry, listed);
    if (listed === undefined) this.expired.delete(id);
    this.listed.renew(entry, this.#clock.now());
    this.#tombstones.delete(id);
    this.#show(entry);
  }

  /** Makes this reachability of a listed entry the next visible version. Its deadline stays. */
  noteReachability(entry: MemoryEntry, reachability: string): void {
    const noted = { ...entry, reachability, version: this.list.nextVersion() };
    this.listed.replace(noted);
    this.#show(noted);
  }

  /** Takes the entry off the list; a ping can revive it for a while. */
  expire(entry: MemoryEntry): void {
    this.#unlist(entry.id);
    const expired = { ...entry, version: this.list.version };
    this.expired.append(expired);
    this.#journal?.append(expiredChange(expired));
  }

  /** Takes the entry off, listed or expired, and leaves a tombstone: it cannot come back. */
  removeForGood(id: GameServerId): void {
    const { client = '' } = this.listed.get(id) ?? this.expired.get(id) ?? {};
    this.clients.subtract(client);
    this.#unlist(id);
    const { version = this.list.version } = this.expired.get(id) ?? {};
    this.expired.delete(id);
    const tombstone = { is: 'tombstone', id, version } as const;
    this.#tombstones.add(tombstone);
    this.#journal?.append(tombstone);
  }

  /** Limits each deadline to the one that a ping at `now` would set. */
  limitDeadlines(now: number): void {
    for (const { entries, lifetime } of this.listed.groups)
      for (const entry of entries.values()) entry.expiresAt = Math.min(entry.expiresAt, now + lifetime.ttlMs);
    for (const entry of this.expired.values()) entry.expiresAt = Math.min(entry.expiresAt, now);
  }

  /** From now on the list shows what these decisions say: a visible change. */
  async decide(moderation: Decisions): Promise<void> {
    this.#rules = this.#rules.after(moderation);
    const deciding = this.list.reconsider();
    this.#journal?.append(this.#settings());
    await deciding;
    this.#journal?.append(this.#settings());
  }

  /** Counts an entry for its client. `listed`: what is listed of it until now. */
  #count({ id, client }: MemoryEntry, listed: MemoryEntry | undefined): void {
    const before = listed ?? this.expired.get(id);
    if (before !== undefined) this.clients.subtract(before.client);
    this.clients.add(client);
  }

  #show(entry: MemoryEntry): void {
    this.list.set(entry);
    this.#journal?.append(listedChange(entry));
  }

  /** Takes the entry off the list, without a tombstone. Does nothing when it is not listed. */
  #unlist(id: GameServerId): void {
    const entry = this.listed.get(id);
    if (entry === undefined) return;
    this.addresses.release(entry, id);
    this.listed.delete(id);
    this.list.delete(id);
  }

  /** Each listed entry gets a whole TTL, because the pings since the journal ended could not arrive. */
  #loadJournal(changes: Iterable<Change>): void {
    const all = [...changes];
    const settings = all.find((change) => change.is === 'settings');
    if (settings !== undefined) {
      this.#secret = settings.secret;
      this.#rules = this.#rules.after(settings.moderation);
    }
    for (const change of all) {
      if (change.is === 'tombstone' || change.is === 'expired')
        this.list.loadDeparture(change.id, change.version);
      if (change.is === 'history') this.history.load(change);
      else if (change.is === 'tombstone') this.#tombstones.add(change);
      else if (change.is !== 'settings') this.#load(change);
    }
    this.list.begin(settings?.feed, this.#tombstones.floor);
  }

  #load(change: Exclude<Change, { readonly is: 'tombstone' | 'settings' | 'history' }>): void {
    const now = this.#clock.now();
    const entry = entryOf(change, now);
    this.clients.add(entry.client);
    if (change.is === 'expired') this.expired.append(entry);
    else {
      this.listed.renew(entry, now);
      this.addresses.take(entry, entry.id);
      this.list.load(entry);
    }
  }

  #settings(): SettingsChange {
    return {
      is: 'settings',
      id: SETTINGS_ID,
      secret: this.#secret,
      moderation: this.#rules.decided,
      ...(this.list.feed && { feed: this.list.feed }),
    };
  }

  /** The last change of each id, as it is at the call, however late it is read. */
  #content(): Iterable<Change> {
    const kept = [this.#settings(), ...this.history.changes(), ...this.#tombstones.values()];
    const [expired, listed] = [[...this.expired.values()], [...this.listed.values()]];
    return (function* (): Generator<Change> {
      yield* kept;
      for (const entry of expired) yield expiredChange(entry);
      for (const entry of listed) yield listedChange(entry);
    })();
  }
}
