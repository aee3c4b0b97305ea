/**
 * One replica's copy of the list: takes the pages of the feed, and tells whether it is what Redis has.
 * Knows what the feed says, not how it is fetched.
 */

import { createHash } from 'node:crypto';
import type { GameServerId, ListedGameServer } from '../../game-server.ts';
import { mayForget } from '../../lifetime.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { SnapshotBuilder } from '../../snapshot/snapshot-builder.ts';
import { BEGINNING, DIGEST_MODULUS, type ChangesBatch, type FeedPosition, type Tombstone } from './feed.ts';
import type { ReloadReason } from '../events.ts';

export class ListCopy {
  readonly #builder: SnapshotBuilder<ListedGameServer>;
  /** The latest, in order. */
  readonly #tombstones = new Map<GameServerId, Tombstone>();
  #position = BEGINNING;
  #digest = 0;

  /**
   * `isShown`: whether the list shows the entry. If that changes, call reconsider(). `shownVersion`: when it last
   * changed, as a version.
   */
  constructor(isShown: (entry: ListedGameServer) => boolean, shownVersion: number) {
    this.#builder = new SnapshotBuilder(isShown);
    this.#builder.departures.raiseFloor(shownVersion);
  }

  /** Where the next page must begin. */
  get position(): FeedPosition {
    return this.#position;
  }

  /** Whether the page goes on from where this copy stands; else it must be applied to an empty copy. */
  continuesWith(page: ChangesBatch): boolean {
    return !page.full || this.#position.cursor === 0;
  }

  /** Why the page does not go on from here. */
  reasonToReload(page: ChangesBatch): ReloadReason {
    if (page.epoch !== this.#position.epoch) return page.isMended ? 'damage' : 'epoch';
    if (page.version < this.#position.cursor) return 'rollback';
    return page.resetVersion > this.#position.base ? 'reset' : 'floor';
  }

  apply(page: ChangesBatch): void {
    if (this.isEmpty) this.#builder.departures.raiseFloor(page.floor);
    for (const tombstone of page.tombstones) {
      this.#unlist(tombstone);
      this.#addTombstone(tombstone);
    }
    for (const gameServer of page.changed) {
      this.#tombstones.delete(gameServer.id);
      this.#list(gameServer);
    }
    for (const { id, players, version } of page.playerChanges) {
      const known = this.#builder.get(id);
      // Else count and digest will not agree.
      if (known !== undefined) this.#list({ ...known, players, version });
    }
    // A catch-up begins where the last page of the one before ended.
    const { epoch, cursor, logOffset, moderationVersion } = page;
    this.#position = { epoch, cursor, base: page.more ? page.base : cursor, logOffset, moderationVersion };
  }

  /** Whether count and digest are those of Redis, after the last page of a catch-up. */
  agreesWith(page: ChangesBatch): boolean {
    return page.count === this.#builder.count && page.digest === this.#digest;
  }

  /** The version of the last change of this id, or of its removal; undefined if it is not known. */
  lastVersionOf(id: GameServerId): number | undefined {
    return (this.#builder.get(id) ?? this.#tombstones.get(id))?.version;
  }

  /** The entry, if it is listed. */
  get(id: GameServerId): ListedGameServer | undefined {
    return this.#builder.get(id);
  }

  /** The unlisted entry with this join code. */
  withJoinCode(code: string): ListedGameServer | undefined {
    return this.#builder.withJoinCode(code);
  }

  get isEmpty(): boolean {
    return this.#builder.count === 0 && this.#tombstones.size === 0;
  }

  /** The entries that are not listed in the other copy, or have another version or claim there. */
  *listedUnlikeIn(other: ListCopy): Iterable<ListedGameServer> {
    for (const entry of this.#builder.all()) {
      const its = other.#builder.get(entry.id);
      if (entry.version !== its?.version || entry.isClaimed !== its.isClaimed) yield entry;
    }
  }

  tombstones(): Iterable<Tombstone> {
    return this.#tombstones.values();
  }

  /** Takes over what an earlier copy knew: Redis may lose it once more. */
  addTombstones(tombstones: Iterable<Tombstone>): void {
    for (const tombstone of tombstones) {
      const { id } = tombstone;
      if (this.lastVersionOf(id) === undefined) this.#addTombstone(tombstone);
    }
  }

  /** What the digest of Redis lacks, should this copy be right. */
  digestOffset(page: ChangesBatch): number {
    return (this.#digest - page.digest + DIGEST_MODULUS) % DIGEST_MODULUS;
  }

  /** All listed entries, shown or not. */
  entries(): Iterable<ListedGameServer> {
    return this.#builder.all();
  }

  /** Resolves once the list has what is shown by now. `version`: since when. */
  reconsider(version: number): Promise<void> {
    return this.#builder.reconsider(() => version);
  }

  /** What was shown up to this version is not known. */
  forgetShown(version: number): void {
    this.#builder.departures.raiseFloor(version);
  }

  /** `history`: of the page that this copy ends with. */
  build(history: string): Snapshot {
    const { epoch, cursor } = this.#position;
    return this.#builder.build({ epoch: nameOf(epoch), history: nameOf(history), version: cursor });
  }

  #addTombstone(tombstone: Tombstone): void {
    this.#tombstones.delete(tombstone.id);
    this.#tombstones.set(tombstone.id, tombstone);
    const oldest = this.#tombstones.values().next().value!;
    if (mayForget(this.#tombstones.size, oldest.version, tombstone.version))
      this.#tombstones.delete(oldest.id);
  }

  #list(gameServer: ListedGameServer): void {
    this.#subtractFromDigest(gameServer.id);
    this.#digest = (this.#digest + (gameServer.version % DIGEST_MODULUS)) % DIGEST_MODULUS;
    this.#builder.set(gameServer);
  }

  #unlist({ id, version }: Tombstone): void {
    this.#subtractFromDigest(id);
    this.#builder.delete(id, version);
  }

  #subtractFromDigest(id: GameServerId): void {
    const version = this.#builder.get(id)?.version;
    if (version === undefined) return;
    this.#digest = (this.#digest - (version % DIGEST_MODULUS) + DIGEST_MODULUS) % DIGEST_MODULUS;
  }
}

/** A name that headers can carry, whatever another program has put in its place. */
function nameOf(text: string): string {
  if (/^[\w-][\w.-]{0,63}$/.test(text)) return text;
  return createHash('sha256').update(text).digest('base64url').slice(0, 11);
}
