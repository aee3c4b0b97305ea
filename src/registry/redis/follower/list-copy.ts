/**
 * One replica's copy of the list: applies the batches of the feed, and checks whether it agrees with Redis. It knows
 * what batches mean, not how they are fetched.
 */

import { createHash } from 'node:crypto';
import type { GameServerId } from '../../../model/game-server.ts';
import { Tombstones } from '../../tombstones.ts';
import { inTurns } from '../../snapshot/in-turns.ts';
import type { Appearance } from '../../snapshot/row.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { SnapshotBuilder } from '../../snapshot/snapshot-builder.ts';
import {
  BEGINNING,
  DIGEST_MODULUS,
  positionAfter,
  stateVersionOf,
  type ChangesBatch,
  type FollowedEntry,
  type FollowerPosition,
  type Tombstone,
} from './changes-batch.ts';
import type { ReloadReason } from '../events.ts';

/** The list as it was in Redis at `at`, ms by the clock. */
export interface ConfirmedList {
  readonly snapshot: Snapshot;
  readonly at: number;
  /** The last loss that had been mended by then (RegistryHealth). */
  readonly loss: string;
}

export class ListCopy {
  readonly #builder: SnapshotBuilder<FollowedEntry>;
  readonly #tombstones = new Tombstones<Tombstone>();
  #position = BEGINNING;
  /** Whether the first catch-up is still under way. */
  #isLoading = true;
  #digest = 0;

  /**
   * `appearance`: returns how entries are shown now. Whoever changes that must call reconsider().
   * `shownVersion`: the version at which they last changed.
   */
  constructor(appearance: () => Appearance, shownVersion: number) {
    this.#builder = new SnapshotBuilder(appearance);
    this.#builder.gather();
    this.#builder.departures.raiseFloor(shownVersion);
  }

  /** The position at which the next batch must begin. */
  get position(): FollowerPosition {
    return this.#position;
  }

  /** Whether the batch continues this copy; if not, it must be applied to an empty one. */
  continuesWith(batch: ChangesBatch): boolean {
    return !batch.full || this.#position.cursor === 0;
  }

  /** The reason why the batch does not continue this copy. */
  reasonToReload(batch: ChangesBatch): ReloadReason {
    if (batch.epoch !== this.#position.epoch) return batch.isMended ? 'damage' : 'epoch';
    if (batch.version < this.#position.cursor) return 'rollback';
    return batch.resetVersion > this.#position.base ? 'reset' : 'floor';
  }

  /** Applies the batch in turns: meanwhile the copy has some of the changes. */
  async apply(batch: ChangesBatch): Promise<void> {
    // Redis may forget tombstones while this copy is loaded, batch after batch.
    if (this.#isLoading) this.#builder.departures.raiseFloor(batch.floor);
    await inTurns(batch.tombstones, (tombstone) => {
      this.#unlist(tombstone);
      this.#tombstones.add(tombstone);
    });
    await inTurns(batch.changed, (gameServer) => {
      this.#tombstones.delete(gameServer.id);
      this.#list(gameServer);
    });
    await inTurns(batch.playerChanges, ({ id, players, version }) => {
      const known = this.#builder.get(id);
      // If the entry is unknown, count and digest will not agree.
      if (known !== undefined) this.#list({ ...known, players, version, restoredFrom: undefined });
    });
    if (!batch.more) {
      await this.#builder.order();
      this.#isLoading = false;
    }
    this.#position = positionAfter(batch);
  }

  /** Whether count and digest are those of Redis. Call it after the last batch of a catch-up. */
  agreesWith(batch: ChangesBatch): boolean {
    return batch.count === this.#builder.count && batch.digest === this.#digest;
  }

  /** How new the state of this id is (stateVersionOf), or the version of its removal; undefined if it is not known. */
  stateVersionOf(id: GameServerId): number | undefined {
    const entry = this.#builder.get(id);
    return entry === undefined ? this.#tombstones.get(id)?.version : stateVersionOf(entry);
  }

  /** The entry, if it is listed. */
  get(id: GameServerId): FollowedEntry | undefined {
    return this.#builder.get(id);
  }

  /** The unlisted entry with this join code. */
  withJoinCode(code: string): FollowedEntry | undefined {
    return this.#builder.withJoinCode(code);
  }

  get isEmpty(): boolean {
    return this.#builder.count === 0 && this.#tombstones.size === 0;
  }

  /** The entries that are not listed in the other copy, or have a state of another version or claim there. */
  *listedUnlikeIn(other: ListCopy): Iterable<FollowedEntry> {
    for (const entry of this.#builder.all()) {
      const its = other.#builder.get(entry.id);
      const isAlike = its !== undefined && stateVersionOf(entry) === stateVersionOf(its);
      if (!isAlike || entry.isClaimed !== its.isClaimed) yield entry;
    }
  }

  tombstones(): Iterable<Tombstone> {
    return this.#tombstones.values();
  }

  /** Adds tombstones that an earlier copy knew: Redis may lose them once more. */
  addTombstones(tombstones: Iterable<Tombstone>): void {
    for (const tombstone of tombstones)
      if (this.stateVersionOf(tombstone.id) === undefined) this.#tombstones.add(tombstone);
  }

  /** The number to add to the digest of Redis so that it agrees with this copy. */
  digestOffset(batch: ChangesBatch): number {
    return (this.#digest - batch.digest + DIGEST_MODULUS) % DIGEST_MODULUS;
  }

  /** All listed entries, shown or not. */
  entries(): Iterable<FollowedEntry> {
    return this.#builder.all();
  }

  /**
   * Resolves once the list has what is shown since the settings of this version. `isKnown`: whether all that was shown
   * before is known.
   */
  async reconsider(version: number, isKnown: boolean): Promise<void> {
    await this.#builder.reconsider(() => version);
    if (!isKnown) this.#builder.departures.raiseFloor(version);
  }

  /** Builds a Snapshot. `history`: the name of the history to which the present version belongs. */
  build(history: string): Snapshot {
    const { epoch, cursor } = this.#position;
    return this.#builder.build({ epoch: nameOf(epoch), history: nameOf(history), version: cursor });
  }

  #list(gameServer: FollowedEntry): void {
    this.#subtractFromDigest(this.#builder.set(gameServer));
    this.#digest = (this.#digest + (gameServer.version % DIGEST_MODULUS)) % DIGEST_MODULUS;
  }

  #unlist({ id, version }: Tombstone): void {
    this.#subtractFromDigest(this.#builder.delete(id, version));
  }

  /** `gone`: the row that was listed until now, if any. */
  #subtractFromDigest(gone: FollowedEntry | undefined): void {
    if (gone === undefined) return;
    this.#digest = (this.#digest - (gone.version % DIGEST_MODULUS) + DIGEST_MODULUS) % DIGEST_MODULUS;
  }
}

/** Returns a name that headers can carry, whatever another program has put in its place. */
function nameOf(text: string): string {
  if (/^[\w-][\w.-]{0,63}$/.test(text)) return text;
  return createHash('sha256').update(text).digest('base64url').slice(0, 11);
}
