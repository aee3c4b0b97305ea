/**
 * All that a registry in memory keeps: listed and expired entries, tombstones, who has which address, how many entries
 * each client has, the settings, and the history. Every change goes to the list and to the journal from here. Decides nothing: which
 * change is right is up to the registry.
 */

import { randomBytes } from 'node:crypto';
import {
  LATEST_VERSION_BY_CLOCK,
  type GameServer,
  type GameServerId,
  type ListedGameServer,
  type Standing,
} from '../game-server.ts';
import { FEWEST_TOMBSTONES, isRevivable, mayForget, type Lifetime } from '../lifetime.ts';
import type { Moderation } from '../moderation.ts';
import type { Clock } from '../registry.ts';
import { ShownRules } from '../shown-rules.ts';
import { SnapshotBuilder } from '../snapshot/snapshot-builder.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { AddressIndex } from './address-index.ts';
import { ClientCounts } from './client-counts.ts';
import { DeadlineMap } from './deadline-map.ts';
import { createEntry, expiredChange, listedChange, type Entry } from './entry.ts';
import { KeptHistory } from './kept-history.ts';
import {
  SETTINGS_ID,
  type Change,
  type FeedState,
  type Journal,
  type SettingsChange,
  type TombstoneChange,
} from './journal.ts';

export interface EntriesOptions {
  readonly lifetime: Lifetime;
  readonly clock: Clock;
  readonly journal: Journal | undefined;
  /** See ShownRules. */
  readonly hidesUnreached: boolean;
}

const SECRET_BYTES = 32;

/** Of so many restarts in a row clients can go on. */
const MOST_EPOCHS = 16;

export class Entries {
  readonly listed = new DeadlineMap();
  readonly expired = new DeadlineMap();
  readonly addresses = new AddressIndex();
  readonly clients = new ClientCounts();
  readonly history: KeptHistory;
  readonly #lifetime: Lifetime;
  readonly #clock: Clock;
  readonly #journal: Journal | undefined;
  /** The latest, in order of the removals. */
  readonly #tombstones = new Map<GameServerId, TombstoneChange>();
  readonly #builder = new SnapshotBuilder<Entry>((entry) => this.#rules.isShown(entry));
  readonly #epoch = randomBytes(8).toString('base64url');
  readonly #continues = new Map<string, number>();
  readonly #hidesUnreached: boolean;
  /** See FeedState. */
  #shownVersion = 0;
  #secret = randomBytes(SECRET_BYTES).toString('base64url');
  #rules: ShownRules;
  #version = 0;

  /** Takes over what the journal has. */
  constructor({ lifetime, clock, journal, hidesUnreached }: EntriesOptions) {
    this.#lifetime = lifetime;
    this.#clock = clock;
    this.#journal = journal;
    this.history = new KeptHistory(journal);
    this.#hidesUnreached = hidesUnreached;
    this.#rules = new ShownRules(hidesUnreached);
    if (journal === undefined) return;
    this.#loadJournal(journal.begin(() => this.#content()));
    journal.append(this.#settings());
  }

  /** Of the last visible change. */
  get version(): number {
    return this.#version;
  }

  get secret(): string {
    return this.#secret;
  }

  get rules(): ShownRules {
    return this.#rules;
  }

  /** The listed entry, or the expired one that can still be revived. */
  find(id: GameServerId): Entry | undefined {
    const listed = this.listed.get(id);
    if (listed !== undefined) return listed;
    const expired = this.expired.get(id);
    return expired && isRevivable(expired.expiresAt, this.#clock.now(), this.#lifetime) ? expired : undefined;
  }

  /** Whether the id was on the list, and no broadcast brings it back. */
  isOff(id: GameServerId): boolean {
    return this.expired.has(id) || this.#tombstones.has(id);
  }

  /** All listed entries, shown or not. */
  all(): Iterable<ListedGameServer> {
    return this.#builder.all();
  }

  /** The unlisted entry with this join code. */
  withJoinCode(code: string): ListedGameServer | undefined {
    return this.#builder.withJoinCode(code);
  }

  /** How many game servers and players the present list shows. */
  get shown(): Pick<Snapshot, 'count' | 'players'> {
    return this.#builder.shown;
  }

  /** The present list. */
  build(): Snapshot {
    return this.#builder.build({
      epoch: this.#epoch,
      history: this.#epoch,
      continues: this.#continues,
      version: this.#version,
    });
  }

  /** Gives a listed entry one TTL from now on, which is no visible change. */
  renew(entry: Entry): void {
    entry.expiresAt = this.#deadline();
    this.listed.append(entry);
  }

  /** Makes the present state of the entry the next visible version. It is listed for one TTL from now on. */
  publish(id: GameServerId, gameServer: GameServer, standing: Standing, registeredVersion?: number): void {
    const version = this.#nextVersion();
    const versions = { registeredVersion: registeredVersion ?? version, version };
    const entry = createEntry(id, gameServer, standing, versions, this.#deadline());
    const before = this.listed.get(id) ?? this.expired.get(id);
    if (before !== undefined) this.clients.subtract(before.client);
    this.clients.add(entry.client);
    this.expired.delete(id);
    this.listed.append(entry);
    this.#show(entry);
  }

  /** Makes this reachability of a listed entry the next visible version. Its deadline stays. */
  noteReachability(entry: Entry, reachability: string): void {
    const noted = { ...entry, reachability, version: this.#nextVersion() };
    this.listed.replace(noted);
    this.#show(noted);
  }

  /** Takes the entry off the list; a ping can revive it for a while. */
  expire(entry: Entry): void {
    this.#unlist(entry.id);
    const expired = { ...entry, version: this.#version };
    this.expired.append(expired);
    this.#journal?.append(expiredChange(expired));
  }

  /** Takes the entry off, listed or expired, and leaves a tombstone: it cannot come back. */
  removeForGood(id: GameServerId): void {
    const { client = '' } = this.listed.get(id) ?? this.expired.get(id) ?? {};
    this.clients.subtract(client);
    this.#unlist(id);
    const { version = this.#version } = this.expired.get(id) ?? {};
    this.expired.delete(id);
    const tombstone = { is: 'tombstone', id, version } as const;
    this.#addTombstone(tombstone);
    this.#journal?.append(tombstone);
  }

  /** No deadline lies further ahead than a ping at `now` would set it. */
  limitDeadlines(now: number): void {
    for (const entry of this.listed.values())
      entry.expiresAt = Math.min(entry.expiresAt, now + this.#lifetime.ttlMs);
    for (const entry of this.expired.values()) entry.expiresAt = Math.min(entry.expiresAt, now);
  }

  /** From now on the list shows what these decisions say: a visible change. */
  async decide(moderation: Moderation): Promise<void> {
    this.#rules = this.#rules.after(moderation);
    const { feed: _, ...unsettled } = this.#settings();
    this.#journal?.append(unsettled);
    await this.#builder.reconsider(() => (this.#shownVersion = this.#nextVersion()));
    this.#journal?.append(this.#settings());
  }

  #show(entry: Entry): void {
    this.#builder.set(entry);
    this.#journal?.append(listedChange(entry));
  }

  #deadline(): number {
    return this.#clock.now() + this.#lifetime.ttlMs;
  }

  /** Microseconds, as in Redis. Each visible change has a version of its own. */
  #nextVersion(): number {
    const byClock = Math.min(Math.floor(this.#clock.now()) * 1000, LATEST_VERSION_BY_CLOCK);
    this.#version = Math.max(this.#version + 1, byClock);
    return this.#version;
  }

  /** Takes the entry off the list, without a tombstone. Does nothing when it is not listed. */
  #unlist(id: GameServerId): void {
    const entry = this.listed.get(id);
    if (entry === undefined) return;
    this.addresses.release(entry, id);
    this.listed.delete(id);
    this.#builder.delete(id, this.#nextVersion());
  }

  #addTombstone(tombstone: TombstoneChange): void {
    this.#tombstones.set(tombstone.id, tombstone);
    const oldest = this.#tombstones.values().next().value!;
    if (mayForget(this.#tombstones.size, oldest.version, tombstone.version))
      this.#tombstones.delete(oldest.id);
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
      // A release before 0.4 leaves a tombstone of them.
      if (change.id === SETTINGS_ID || change.is === 'settings') continue;
      if (change.is === 'history') {
        this.history.load(change);
        continue;
      }
      this.#version = Math.max(this.#version, change.version);
      if (change.is !== 'listed') this.#builder.delete(change.id, change.version);
      if (change.is === 'tombstone') this.#addTombstone(change);
      else this.#load(change);
    }
    this.#continueFeed(settings?.feed);
  }

  /** Clients go on from all that is in the journal; of what came after it nothing is known. */
  #continueFeed(feed: FeedState | undefined): void {
    const oldest = this.#tombstones.values().next().value;
    if (this.#tombstones.size >= FEWEST_TOMBSTONES) this.#builder.departures.raiseFloor(oldest!.version);
    if (feed?.hidesUnreached === this.#hidesUnreached) {
      this.#shownVersion = feed.shownVersion;
      this.#version = Math.max(this.#version, feed.shownVersion);
      this.#builder.departures.raiseFloor(feed.shownVersion);
      for (const [epoch, version] of [
        ...feed.continues.slice(1 - MOST_EPOCHS),
        [feed.epoch, this.#version] as const,
      ])
        this.#continues.set(epoch, version);
    }
    this.#nextVersion();
  }

  #load(change: Exclude<Change, { readonly is: 'tombstone' | 'settings' | 'history' }>): void {
    const { id, client } = change;
    this.clients.add(client);
    if (change.is === 'expired') {
      // A time that is still to come is that of another clock.
      const expiresAt = Math.min(change.expiresAt, this.#clock.now());
      this.expired.append(createEntry(id, change, change, change, expiresAt));
    } else {
      const entry = createEntry(id, change, change, change, this.#deadline());
      this.listed.append(entry);
      this.addresses.take(entry, id);
      this.#builder.set(entry);
    }
  }

  #settings(): SettingsChange {
    return {
      is: 'settings',
      id: SETTINGS_ID,
      secret: this.#secret,
      moderation: this.#rules.moderation,
      feed: {
        epoch: this.#epoch,
        continues: [...this.#continues],
        shownVersion: this.#shownVersion,
        hidesUnreached: this.#hidesUnreached,
      },
    };
  }

  /** The last change of each id, as it is at the call, however late it is read. */
  #content(): Iterable<Change> {
    const [settings, history, tombstones, expired, listed] = [
      this.#settings(),
      [...this.history.changes()],
      [...this.#tombstones.values()],
      [...this.expired.values()],
      [...this.listed.values()],
    ];
    return (function* (): Generator<Change> {
      yield settings;
      yield* history;
      yield* tombstones;
      for (const entry of expired) yield expiredChange(entry);
      for (const entry of listed) yield listedChange(entry);
    })();
  }
}
