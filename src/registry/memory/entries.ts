/**
 * All that a registry in memory keeps: listed and expired entries, tombstones, who has which address, how many entries
 * each client has, and the settings. Every change goes to the list and to the journal from here. Decides nothing: which
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
import { isRevivable, MOST_TOMBSTONES, type Lifetime } from '../lifetime.ts';
import type { Moderation } from '../moderation.ts';
import type { Clock } from '../registry.ts';
import { ShownRules } from '../shown-rules.ts';
import { SnapshotBuilder } from '../snapshot/snapshot-builder.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { AddressIndex } from './address-index.ts';
import { ClientCounts } from './client-counts.ts';
import { DeadlineMap } from './deadline-map.ts';
import { createEntry, expiredChange, listedChange, type Entry } from './entry.ts';
import { SETTINGS_ID, type Change, type Journal, type SettingsChange } from './journal.ts';

export interface EntriesOptions {
  readonly lifetime: Lifetime;
  readonly clock: Clock;
  readonly journal: Journal | undefined;
  /** See ShownRules. */
  readonly hidesUnreached: boolean;
}

const SECRET_BYTES = 32;

export class Entries {
  readonly listed = new DeadlineMap();
  readonly expired = new DeadlineMap();
  readonly addresses = new AddressIndex();
  readonly clients = new ClientCounts();
  readonly #lifetime: Lifetime;
  readonly #clock: Clock;
  readonly #journal: Journal | undefined;
  /** The latest, in order of the removals. */
  readonly #tombstones = new Set<GameServerId>();
  readonly #builder = new SnapshotBuilder<Entry>((entry) => this.#rules.isShown(entry));
  readonly #epoch = randomBytes(8).toString('base64url');
  #secret = randomBytes(SECRET_BYTES).toString('base64url');
  #rules: ShownRules;
  #version = 0;

  /** Takes over what the journal has. */
  constructor({ lifetime, clock, journal, hidesUnreached }: EntriesOptions) {
    this.#lifetime = lifetime;
    this.#clock = clock;
    this.#journal = journal;
    this.#rules = new ShownRules(hidesUnreached);
    if (journal !== undefined) this.#loadJournal(journal.begin(() => this.#content()));
    journal?.append(this.#settings());
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

  /** The present list. */
  build(): Snapshot {
    return this.#builder.build(this.#epoch, this.#version);
  }

  /** Gives a listed entry one TTL from now on, which is no visible change. */
  renew(entry: Entry): void {
    entry.expiresAt = this.#deadline();
    this.listed.append(entry);
  }

  /** Makes the present state of the entry the next visible version. It is listed from now on, by default for one TTL. */
  publish(
    id: GameServerId,
    gameServer: GameServer,
    standing: Standing,
    registeredVersion?: number,
    expiresAt = this.#deadline(),
  ): void {
    const version = this.#nextVersion();
    const versions = { registeredVersion: registeredVersion ?? version, version };
    const entry = createEntry(id, gameServer, standing, versions, expiresAt);
    const before = this.listed.get(id) ?? this.expired.get(id);
    if (before !== undefined) this.clients.subtract(before.client);
    this.clients.add(entry.client);
    this.expired.delete(id);
    this.listed.append(entry);
    this.#builder.set(entry);
    this.#journal?.append(listedChange(entry));
  }

  /** Takes the entry off the list; a ping can revive it for a while. */
  expire(entry: Entry): void {
    this.#unlist(entry.id);
    this.expired.append(entry);
    this.#journal?.append(expiredChange(entry));
  }

  /** Takes the entry off, listed or expired, and leaves a tombstone: it cannot come back. */
  removeForGood(id: GameServerId): void {
    const { client = '' } = this.listed.get(id) ?? this.expired.get(id) ?? {};
    this.clients.subtract(client);
    this.#unlist(id);
    this.expired.delete(id);
    this.#addTombstone(id);
    this.#journal?.append({ is: 'tombstone', id });
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
    this.#journal?.append(this.#settings());
    await this.#builder.reconsider();
    this.#nextVersion();
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
    this.#builder.delete(id);
    this.#nextVersion();
  }

  #addTombstone(id: GameServerId): void {
    this.#tombstones.add(id);
    if (this.#tombstones.size > MOST_TOMBSTONES)
      this.#tombstones.delete(this.#tombstones.values().next().value!);
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
      if (change.is === 'tombstone') this.#addTombstone(change.id);
      else this.#load(change);
    }
  }

  #load(change: Exclude<Change, { readonly is: 'tombstone' | 'settings' }>): void {
    const { id, version, client } = change;
    this.#version = Math.max(this.#version, version);
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
    };
  }

  /** The last change of each id, as it is at the call, however late it is read. */
  #content(): Iterable<Change> {
    const [settings, tombstones, expired, listed] = [
      this.#settings(),
      [...this.#tombstones],
      [...this.expired.values()],
      [...this.listed.values()],
    ];
    return (function* (): Generator<Change> {
      yield settings;
      for (const id of tombstones) yield { is: 'tombstone', id };
      for (const entry of expired) yield expiredChange(entry);
      for (const entry of listed) yield listedChange(entry);
    })();
  }
}
