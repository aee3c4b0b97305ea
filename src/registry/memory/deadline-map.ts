/**
 * Entries by id, in order of their deadlines: each is appended when it gets a deadline, and all get the same TTL. A Map
 * keeps such an order too, but V8 rebuilds it after as many renewals as it has entries: 1.4 s at a million.
 */

import type { GameServerId } from '../../model/game-server.ts';
import { LargeMap } from '../snapshot/large-map.ts';
import type { MemoryEntry } from './memory-entry.ts';

interface Link {
  entry: MemoryEntry;
  before: Link | undefined;
  after: Link | undefined;
}

export class DeadlineMap {
  readonly #links = new LargeMap<Link>();
  #first: Link | undefined;
  #last: Link | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(id: GameServerId): boolean {
    return this.#links.has(id);
  }

  get(id: GameServerId): MemoryEntry | undefined {
    return this.#links.get(id)?.entry;
  }

  /** Adds the entry at the end, in place of another one with its id. */
  append(entry: MemoryEntry): void {
    let link = this.#links.get(entry.id);
    if (link === undefined) {
      link = { entry, before: undefined, after: undefined };
      this.#links.set(entry.id, link);
      this.#size += 1;
    } else {
      this.#unlink(link);
      link.entry = entry;
    }
    link.before = this.#last;
    link.after = undefined;
    if (this.#last === undefined) this.#first = link;
    else this.#last.after = link;
    this.#last = link;
  }

  /** Replaces the entry with the same id, which must have the same deadline. */
  replace(entry: MemoryEntry): void {
    this.#links.get(entry.id)!.entry = entry;
  }

  /** Removes the entry with this id, if it is here. */
  delete(id: GameServerId): void {
    const link = this.#links.get(id);
    if (link === undefined) return;
    this.#links.delete(id);
    this.#unlink(link);
    this.#size -= 1;
  }

  /** All entries, from the earliest deadline on. The caller may delete each that it receives. */
  *values(): Generator<MemoryEntry, undefined> {
    for (let link = this.#first; link !== undefined;) {
      const { after } = link;
      yield link.entry;
      link = after;
    }
    return undefined;
  }

  #unlink({ before, after }: Link): void {
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
  }
}
