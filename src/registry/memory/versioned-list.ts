/** The list of a registry in memory with its versions, which the clients of earlier processes can continue. */

import { randomBytes } from 'node:crypto';
import { LATEST_VERSION_BY_CLOCK, type GameServerId } from '../../model/game-server.ts';
import type { LookRules } from '../decisions/shown-rules.ts';
import type { Clock } from '../registry.ts';
import { SnapshotBuilder } from '../snapshot/snapshot-builder.ts';
import type { Appearance, Row } from '../snapshot/row.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { SettingsChange, VersionsPast } from './journal.ts';

/** How many earlier epochs, one for each process in a row, this one continues. */
const MOST_EPOCHS = 16;

export interface VersionedListOptions {
  readonly clock: Clock;
  /** Returns how entries are shown now. */
  readonly appearance?: () => Appearance;
  /** See ShownRules. */
  readonly rules?: LookRules;
}

export class VersionedList<R extends Row> {
  readonly #builder: SnapshotBuilder<R>;
  readonly #clock: Clock;
  readonly #hidesUnreached: boolean;
  readonly #showsSeenPlayers: boolean;
  readonly #epoch = randomBytes(8).toString('base64url');
  readonly #continues = new Map<string, number>();
  /** See VersionsPast. */
  #shownVersion = 0;
  /** How many calls of reconsider() are under way. */
  #reconsiderations = 0;
  #version = 0;

  constructor({ clock, appearance, rules = {} }: VersionedListOptions) {
    this.#builder = new SnapshotBuilder(appearance);
    this.#clock = clock;
    this.#hidesUnreached = rules.hidesUnreached ?? false;
    this.#showsSeenPlayers = rules.showsSeenPlayers ?? false;
  }

  /** The version of the last visible change. */
  get version(): number {
    return this.#version;
  }

  /** How many game servers and players are shown. */
  get shown(): Pick<Snapshot, 'count' | 'players'> {
    return this.#builder.shown;
  }

  /** The entry with this id, shown or not. */
  get(id: GameServerId): R | undefined {
    return this.#builder.get(id);
  }

  /** All entries, shown or not. */
  all(): Iterable<R> {
    return this.#builder.all();
  }

  /** The unlisted entry with this join code. */
  withJoinCode(code: string): R | undefined {
    return this.#builder.withJoinCode(code);
  }

  /** Returns the version of a new visible change: the time in µs, as in Redis, but always a new and greater one. */
  nextVersion(): number {
    const byClock = Math.min(Math.floor(this.#clock.now()) * 1000, LATEST_VERSION_BY_CLOCK);
    this.#version = Math.max(this.#version + 1, byClock);
    return this.#version;
  }

  set(entry: R): void {
    this.#builder.set(entry);
  }

  /** Removes the entry from the list, and returns the version from which on it is not there. */
  delete(id: GameServerId): number {
    const version = this.nextVersion();
    this.#builder.delete(id, version);
    return version;
  }

  /** Shows, hides and labels entries after the answer of `appearance` has changed: a visible change. */
  async reconsider(): Promise<void> {
    this.#reconsiderations += 1;
    await this.#builder.reconsider(() => (this.#shownVersion = this.nextVersion()));
    this.#reconsiderations -= 1;
  }

  build(): Snapshot {
    return this.#builder.build({
      epoch: this.#epoch,
      history: this.#epoch,
      continues: this.#continues,
      version: this.#version,
    });
  }

  /**
   * The versions that a later process can continue, as a part of the settings; none while reconsider() is under way.
   * `floor`: removals up to this version may be forgotten.
   */
  past(floor: number): Pick<SettingsChange, 'feed'> {
    if (this.#reconsiderations > 0) return {};
    const feed = {
      epoch: this.#epoch,
      continues: [...this.#continues],
      shownVersion: Math.max(this.#shownVersion, floor),
      hidesUnreached: this.#hidesUnreached,
      showsSeenPlayers: this.#showsSeenPlayers,
    };
    return { feed };
  }

  /** Restores an entry of an earlier process, with its version. */
  load(entry: R): void {
    this.#version = Math.max(this.#version, entry.version);
    this.#builder.set(entry);
  }

  /** Restores a departure: the entry left the list of an earlier process at this version. */
  loadDeparture(id: GameServerId, version: number): void {
    this.#version = Math.max(this.#version, version);
    this.#builder.delete(id, version);
  }

  /**
   * Begins the versions of this process once all entries and departures are restored. Clients of `feed` and of the
   * epochs before it can then go on from them. `floor`: departures up to this version may be missing.
   */
  begin(feed: VersionsPast | undefined, floor: number): void {
    const { departures } = this.#builder;
    departures.raiseFloor(floor);
    const { hidesUnreached, showsSeenPlayers = false } = feed ?? {};
    const isAlike = showsSeenPlayers === this.#showsSeenPlayers && hidesUnreached === this.#hidesUnreached;
    if (feed !== undefined && isAlike) {
      this.#shownVersion = feed.shownVersion;
      this.#version = Math.max(this.#version, feed.shownVersion);
      departures.raiseFloor(feed.shownVersion);
      for (const [epoch, version] of feed.continues.slice(1 - MOST_EPOCHS))
        this.#continues.set(epoch, version);
      this.#continues.set(feed.epoch, this.#version);
    }
    this.#builder.missNothing();
    this.nextVersion();
  }
}
