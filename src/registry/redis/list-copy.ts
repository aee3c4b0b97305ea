/**
 * One replica's copy of the list: takes the pages of the feed, and tells whether it is what Redis has.
 * Knows what the feed says, not how it is fetched.
 */

import type { GameServerId } from '../game-server.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { SnapshotBuilder } from '../snapshot/snapshot-builder.ts';
import type { ChangedGameServer, ChangesPage, FeedPosition, Tombstone } from './feed.ts';

/** As in lua/lib/versions.lua. */
const DIGEST_MODULUS = 2 ** 40;

/** As many as Redis keeps: lua/lib/removal.lua. */
const MOST_TOMBSTONES = 10_000;

export class ListCopy {
  readonly #builder = new SnapshotBuilder();
  readonly #versions = new Map<GameServerId, number>();
  /** The last to leave, in order. */
  readonly #left = new Map<GameServerId, Tombstone>();
  #position: FeedPosition = { epoch: '', cursor: 0, base: 0 };
  #digest = 0;

  /** Where the next page must begin. */
  get position(): FeedPosition {
    return this.#position;
  }

  /** Whether the page goes on from where this copy stands; else it must be applied to an empty copy. */
  continuesWith(page: ChangesPage): boolean {
    return !page.full || this.#position.cursor === 0;
  }

  /** Why the page does not go on from here. */
  reasonToReload(page: ChangesPage): 'epoch' | 'damage' | 'rollback' | 'reset' | 'floor' {
    if (page.epoch !== this.#position.epoch) return page.isMended ? 'damage' : 'epoch';
    if (page.version < this.#position.cursor) return 'rollback';
    return page.resetVersion > this.#position.base ? 'reset' : 'floor';
  }

  apply(page: ChangesPage): void {
    for (const tombstone of page.removed) {
      this.#forget(tombstone.id);
      this.#remember(tombstone);
    }
    for (const { version, ...gameServer } of page.changed) {
      this.#left.delete(gameServer.id);
      this.#forgetVersion(gameServer.id);
      this.#versions.set(gameServer.id, version);
      this.#digest = (this.#digest + (version % DIGEST_MODULUS)) % DIGEST_MODULUS;
      this.#builder.set(gameServer);
    }
    if (page.more) this.#builder.applyPending();
    // The last page of a walk is where the next walk begins.
    this.#position = { epoch: page.epoch, cursor: page.cursor, base: page.more ? page.base : page.cursor };
  }

  /** Whether count and digest are those of Redis, after the last page of a walk. */
  agreesWith(page: ChangesPage): boolean {
    return page.count === this.#builder.count && page.digest === this.#digest;
  }

  /** The version of what became of it last, change or removal; undefined if nothing is known of it. */
  lastVersionOf(id: GameServerId): number | undefined {
    return this.#versions.get(id) ?? this.#left.get(id)?.version;
  }

  /** The entry, if it is listed. */
  get(id: GameServerId): ChangedGameServer | undefined {
    const version = this.#versions.get(id);
    return version === undefined ? undefined : { ...this.#builder.get(id)!, version };
  }

  get isEmpty(): boolean {
    return this.#versions.size === 0 && this.#left.size === 0;
  }

  /** What is listed here and not there, or there with another last change. */
  *listedUnlikeIn(other: ListCopy): Iterable<ChangedGameServer> {
    for (const [id, version] of this.#versions) {
      if (version !== other.#versions.get(id)) yield { ...this.#builder.get(id)!, version };
    }
  }

  /** The last to leave. */
  removed(): Iterable<Tombstone> {
    return this.#left.values();
  }

  /** Takes over what an earlier copy knew: Redis may lose it once more. */
  remember(removed: Iterable<Tombstone>): void {
    for (const tombstone of removed) {
      const { id } = tombstone;
      if (!this.#versions.has(id) && !this.#left.has(id)) this.#remember(tombstone);
    }
  }

  /** What the digest of Redis lacks, should this copy be right. */
  digestOffset(page: ChangesPage): number {
    return (this.#digest - page.digest + DIGEST_MODULUS) % DIGEST_MODULUS;
  }

  build(): Snapshot {
    return this.#builder.build(this.#position.epoch, this.#position.cursor);
  }

  #remember(tombstone: Tombstone): void {
    this.#left.delete(tombstone.id);
    this.#left.set(tombstone.id, tombstone);
    if (this.#left.size > MOST_TOMBSTONES) this.#left.delete(this.#left.keys().next().value!);
  }

  #forget(id: GameServerId): void {
    this.#forgetVersion(id);
    this.#versions.delete(id);
    this.#builder.delete(id);
  }

  #forgetVersion(id: GameServerId): void {
    const version = this.#versions.get(id);
    if (version === undefined) return;
    this.#digest = (this.#digest - (version % DIGEST_MODULUS) + DIGEST_MODULUS) % DIGEST_MODULUS;
  }
}
