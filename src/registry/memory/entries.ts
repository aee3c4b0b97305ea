/**
 * All that a registry in memory keeps: the entries that are listed or can come back, tombstones, the holder of each
 * address, how many entries each client has, and the settings. Every change goes to the list and to the journal from
 * here. Decides nothing: which change is right is up to the registry.
 */

import { randomBytes } from 'node:crypto';
import type { GameServer, GameServerId, Standing } from '../../model/game-server.ts';
import type { Lifetime } from '../lifetime.ts';
import { Tombstones } from '../tombstones.ts';
import type { Decisions } from '../decisions/decisions.ts';
import type { Clock } from '../registry.ts';
import { ShownRules, type LookRules } from '../decisions/shown-rules.ts';
import { AddressIndex } from './address-index.ts';
import { ClientCounts } from '../client-counts.ts';
import { ListedEntries } from './listed-entries.ts';
import {
  createEntry,
  entryOf,
  expiredChange,
  listedChange,
  parkedChange,
  type MemoryEntry,
  type NativePart,
} from './memory-entry.ts';
import type { KeptBeside } from './beside/kept-beside.ts';
import { RevivableEntries } from './revivable-entries.ts';
import {
  SETTINGS_ID,
  type Change,
  type ExpiredChange,
  type Journal,
  type ListedChange,
  type SettingsChange,
  type TombstoneChange,
} from './journal.ts';
import { VersionedList } from './versioned-list.ts';

export interface EntriesOptions {
  readonly lifetime: Lifetime;
  readonly clock: Clock;
  readonly journal: Journal | undefined;
  readonly beside: Pick<KeptBeside, 'load' | 'changes'>;
  readonly rules: LookRules;
}

export class Entries {
  readonly listed: ListedEntries;
  readonly revivable: RevivableEntries;
  readonly addresses = new AddressIndex();
  /** How many entries, listed or revivable, each client has. */
  readonly clients = new ClientCounts();
  /** The list that the entries add up to, with its versions. Only this class changes it. */
  readonly list: VersionedList<MemoryEntry>;
  readonly #beside: Pick<KeptBeside, 'load' | 'changes'>;
  readonly #clock: Clock;
  readonly #journal: Journal | undefined;
  readonly #tombstones = new Tombstones<TombstoneChange>();
  #secret = randomBytes(32).toString('base64url');
  #rules: ShownRules;

  /** Loads what the journal has. */
  constructor({ lifetime, clock, journal, beside, rules }: EntriesOptions) {
    this.listed = new ListedEntries(lifetime);
    this.revivable = new RevivableEntries(lifetime);
    this.#clock = clock;
    this.#journal = journal;
    this.#beside = beside;
    this.#rules = new ShownRules(rules);
    this.list = new VersionedList({ clock, rules, appearance: () => this.#rules });
    if (journal !== undefined) this.#loadJournal(journal.begin(() => this.#content()));
    journal?.append(this.#settings());
  }

  get secret(): string {
    return this.#secret;
  }

  get rules(): ShownRules {
    return this.#rules;
  }

  /** The listed entry, or the one that can still be revived. */
  find(id: GameServerId): MemoryEntry | undefined {
    return this.listed.get(id) ?? this.revivable.find(id, this.#clock.now());
  }

  /** Whether the id was on the list, and no broadcast brings it back. */
  isOff(id: GameServerId): boolean {
    return this.revivable.has(id) || this.removedVersionOf(id) !== undefined;
  }

  /** The version at which the id was removed for good; undefined if that is not known. */
  removedVersionOf(id: GameServerId): number | undefined {
    return this.#tombstones.get(id)?.version;
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
    if (listed === undefined) this.revivable.delete(id);
    this.listed.renew(entry, this.#clock.now());
    this.#tombstones.delete(id);
    this.#show(entry);
  }

  /** Makes this reachability of a listed entry the next visible version. Its deadline stays. */
  noteReachability(entry: MemoryEntry, noticed: Pick<Standing, 'reachability' | 'seen'>): void {
    const noted = { ...entry, ...noticed, version: this.list.nextVersion() };
    this.listed.replace(noted);
    this.#show(noted);
  }

  /** Takes the entry off the list, without its document; a ping can revive it for a while. */
  expire(entry: MemoryEntry): void {
    this.#unlist(entry.id);
    const expired = { ...entry, native: undefined, version: this.list.version };
    this.revivable.addExpired(expired);
    this.#journal?.append(expiredChange(expired));
  }

  /** Takes the entry off the list, if it is there: its token alone can bring it back for a while, and claims it. */
  park(entry: MemoryEntry): void {
    this.#unlist(entry.id);
    const version = this.revivable.get(entry.id)?.version ?? this.list.version;
    const parked = { ...entry, isClaimed: true, version, expiresAt: this.#clock.now() };
    this.revivable.addParked(parked);
    this.#journal?.append(parkedChange(parked));
  }

  /** Takes the entry off, listed or revivable, and leaves a tombstone: it cannot come back. */
  removeForGood(id: GameServerId): void {
    const { client = '' } = this.listed.get(id) ?? this.revivable.get(id) ?? {};
    this.clients.subtract(client);
    this.#unlist(id);
    const { version = this.list.version } = this.revivable.get(id) ?? {};
    this.revivable.delete(id);
    const tombstone = { is: 'tombstone', id, version } as const;
    this.#tombstones.add(tombstone);
    this.#journal?.append(tombstone);
  }

  /** Limits each deadline to the one that a ping at `now` would set. */
  limitDeadlines(now: number): void {
    for (const { entries, lifetime } of this.listed.groups)
      for (const entry of entries.values()) entry.expiresAt = Math.min(entry.expiresAt, now + lifetime.ttlMs);
    this.revivable.limit(now);
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
    const before = listed ?? this.revivable.get(id);
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
      if (change.is === 'listed' || change.is === 'expired') this.#load(change);
      else if (change.is === 'tombstone') this.#tombstones.add(change);
      else if (change.is !== 'settings') this.#beside.load(change);
    }
    this.list.begin(settings?.feed, this.#tombstones.floor);
  }

  #load(change: ListedChange | ExpiredChange): void {
    const now = this.#clock.now();
    const entry = entryOf(change, now);
    this.clients.add(entry.client);
    if (change.is === 'expired')
      if (change.parkedAt === undefined) this.revivable.addExpired(entry);
      else this.revivable.addParked(entry);
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
      ...this.list.past(this.#tombstones.floor),
    };
  }

  /** The last change of each id, as it is at the call, however late it is read. */
  #content(): Iterable<Change> {
    const kept = [this.#settings(), ...this.#beside.changes(), ...this.#tombstones.values()];
    const [revivable, listed] = [this.revivable.changes(), [...this.listed.values()]];
    return (function* (): Generator<Change> {
      yield* kept;
      yield* revivable;
      for (const entry of listed) yield listedChange(entry);
    })();
  }
}
