/**
 * One replica's copy of the list: takes the pages of the feed, and tells whether it is what Redis has.
 * Knows what the feed says, not how it is fetched.
 */

import type { GameServerId } from '../game-server.ts';
import { SnapshotBuilder, type Snapshot } from '../snapshot.ts';
import type { ChangesPage, FeedPosition } from './scripts.ts';

/** As in lua/lib/versions.lua. */
const DIGEST_MODULUS = 2 ** 40;

export class ListCopy {
  readonly #builder = new SnapshotBuilder();
  readonly #versions = new Map<GameServerId, number>();
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

  apply(page: ChangesPage): void {
    for (const id of page.removed) this.#forget(id);
    for (const { version, ...gameServer } of page.changed) {
      this.#forgetVersion(gameServer.id);
      this.#versions.set(gameServer.id, version);
      this.#digest = (this.#digest + (version % DIGEST_MODULUS)) % DIGEST_MODULUS;
      this.#builder.set(gameServer);
    }
    if (page.more) this.#builder.settle();
    // The last page of a walk is where the next walk begins.
    this.#position = { epoch: page.epoch, cursor: page.cursor, base: page.more ? page.base : page.cursor };
  }

  /** Whether count and digest are those of Redis, after the last page of a walk. */
  agreesWith(page: ChangesPage): boolean {
    return page.count === this.#builder.count && page.digest === this.#digest;
  }

  /** Takes the digest of Redis for granted, so that from now on only a further difference counts. */
  adoptDigest(page: ChangesPage): void {
    this.#digest = page.digest;
  }

  build(): Snapshot {
    return this.#builder.build(this.#position.epoch, this.#position.cursor);
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
