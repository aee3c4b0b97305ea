/** Hands out the list of a registry in memory. The twin of ../redis/follower/list-reader.ts. */

import { coalesce } from '../../runtime/coalesce.ts';
import type { Listing } from '../registry.ts';
import type { Row } from '../snapshot/row.ts';
import type { VersionedList } from './versioned-list.ts';

export class MemoryLists<R extends Row> {
  readonly #list: VersionedList<R>;
  readonly #sweep: () => void;
  readonly #readBarrier = coalesce(async () => this.#build());
  #listing: Listing | undefined;

  /** `sweep`: takes what is due off the list. */
  constructor(list: VersionedList<R>, sweep: () => void) {
    this.#list = list;
    this.#sweep = sweep;
  }

  /** The present list. While it changes, all requests that come together get the same Listing. */
  async current(): Promise<Listing> {
    this.#sweep();
    return this.#isCurrent ? this.#listing! : this.#readBarrier();
  }

  get #isCurrent(): boolean {
    return this.#listing?.snapshot.version === this.#list.version;
  }

  #build(): Listing {
    this.#sweep();
    if (!this.#isCurrent) this.#listing = { snapshot: this.#list.build(), staleSince: undefined };
    return this.#listing!;
  }
}
