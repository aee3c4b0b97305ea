/** The list of game servers as the service has sent it, change by change, and the fields that each change changed. */

import { searchedText } from '../query/search.ts';
import type { Arranged } from './list-order.ts';
import type { ListedServer, ToldChanges } from './listed-server.ts';

/** An entry as filters read it. */
export interface Searchable {
  readonly server: ListedServer;
  /** The text in which words are searched (searchedText). */
  readonly searchText: string;
}

/** A game server of the list. It stays the same object as long as its id is listed. */
export class ListEntry implements Searchable, Arranged {
  registeredAt: number;
  arrival: number;
  isListed = true;
  /** Whether a view has a row for it, so that it is kept while it is not listed. */
  isShown = false;
  /** The fields that the last change changed. */
  changed: readonly (keyof ListedServer)[] = [];
  /** Whether it came with the last change. */
  isNew: boolean;
  /** When it came or last changed. ms. */
  changedAt: number;
  #server: ListedServer;
  #searchText: string | undefined;

  constructor(server: ListedServer, arrival: number, isNew: boolean, now: number) {
    this.#server = server;
    this.registeredAt = Date.parse(server.registered_at);
    this.arrival = arrival;
    this.isNew = isNew;
    this.changedAt = now;
  }

  get server(): ListedServer {
    return this.#server;
  }

  get searchText(): string {
    return (this.#searchText ??= searchedText(this.#server, this.#server));
  }

  /** Updates the entry. Returns whether anything is different. */
  update(server: ListedServer, now: number): boolean {
    const changed = differences(this.#server, server);
    if (changed.length === 0) return false;
    if (changed.some((name) => SEARCHED.has(name))) this.#searchText = undefined;
    this.#server = server;
    this.registeredAt = Date.parse(server.registered_at);
    this.changed = changed;
    this.isNew = false;
    this.changedAt = now;
    return true;
  }
}

const SEARCHED: ReadonlySet<keyof ListedServer> = new Set([
  ...(['name', 'host', 'ip', 'port'] as const),
  ...(['map', 'mode', 'tags', 'region', 'version'] as const),
]);

function differences(before: ListedServer, after: ListedServer): readonly (keyof ListedServer)[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof ListedServer>;
  return [...names].filter((name) => !isEqual(before[name], after[name]));
}

function isEqual(a: unknown, b: unknown): boolean {
  return (
    a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))
  );
}

export class FollowedList {
  readonly #entries = new Map<string, ListEntry>();
  /** The entries that are shown though they are not listed any more. */
  readonly #left = new Map<string, ListEntry>();
  #arrivals = 0;
  #isKnown = false;

  /** Whether a whole list was received. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  get size(): number {
    return this.#entries.size;
  }

  entries(): Iterable<ListEntry> {
    return this.#entries.values();
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** Applies the changes. Returns the entries that came, left, changed, or may have another place in the order. */
  apply({ servers, removed, full }: ToldChanges, now: number): readonly ListEntry[] {
    const touched: ListEntry[] = [];
    const ids = full ? this.#withoutThese(servers) : removed;
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry === undefined) continue;
      this.#entries.delete(id);
      entry.isListed = false;
      if (entry.isShown) this.#left.set(id, entry);
      touched.push(entry);
    }
    const isFirst = !this.#isKnown;
    for (const server of servers) {
      const { entry, isChanged } = this.#put(server, isFirst, now);
      // A whole list is in order of registration, which may differ from the order known before.
      if (full) entry.arrival = this.#nextArrival();
      if (full || isChanged) touched.push(entry);
    }
    this.#isKnown ||= full;
    return touched;
  }

  /** Forgets the entries that have left, once no view shows them. */
  forgetLeft(): void {
    this.#left.clear();
  }

  #withoutThese(servers: readonly ListedServer[]): readonly string[] {
    const listed = new Set(servers.map(({ id }) => id));
    return [...this.#entries.keys()].filter((id) => !listed.has(id));
  }

  #put(server: ListedServer, isFirst: boolean, now: number): { entry: ListEntry; isChanged: boolean } {
    const { id } = server;
    const known = this.#entries.get(id) ?? this.#left.get(id);
    if (known === undefined) {
      const entry = new ListEntry(server, this.#nextArrival(), !isFirst, now);
      this.#entries.set(id, entry);
      return { entry, isChanged: true };
    }
    const { isListed, registeredAt } = known;
    const isDifferent = known.update(server, now);
    if (isListed && known.registeredAt === registeredAt) return { entry: known, isChanged: isDifferent };
    known.isListed = true;
    known.arrival = this.#nextArrival();
    this.#left.delete(id);
    this.#entries.set(id, known);
    return { entry: known, isChanged: true };
  }

  #nextArrival(): number {
    this.#arrivals += 1;
    return this.#arrivals;
  }
}
