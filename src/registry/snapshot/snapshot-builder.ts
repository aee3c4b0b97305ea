/**
 * Takes changes of the list and gives Snapshots. A change costs next to nothing when it comes, and is worked into the
 * pages when a Snapshot is wanted. It replaces only the page it touches, and the next Snapshot shares all others with
 * the last: the work follows the number of changes, not the number of game servers. Knows nothing of encodings.
 */

import type { GameServerId, ListedGameServer } from '../game-server.ts';
import { createRow, Page, parseRow, type Row } from './page.ts';
import { Snapshot } from './snapshot.ts';

/** In rows. Small enough that a change renders little, large enough that joining the pages costs little. */
const PAGE_SIZE = 64;

/** Order of registration. The id decides between entries that have one version since a loss was mended. */
function compare(a: Row, b: Row): number {
  return a.registeredVersion - b.registeredVersion || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** The index of the first element that `isPast` accepts; the elements must be ordered by it. */
function lowerBound<T>(elements: readonly T[], isPast: (element: T) => boolean): number {
  let low = 0;
  let high = elements.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isPast(elements[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export class SnapshotBuilder {
  /** What is in the pages. */
  readonly #rows = new Map<GameServerId, Row>();
  /** Ordered, none empty. */
  readonly #pages: Page[] = [];
  /** What is not in the pages yet. Undefined: to be taken out. */
  readonly #pending = new Map<GameServerId, ListedGameServer | undefined>();
  #count = 0;

  /** How many game servers are listed. */
  get count(): number {
    return this.#count;
  }

  /** Lists the game server, in place of the one with the same id if there is one. */
  set(gameServer: ListedGameServer): void {
    if (!this.#has(gameServer.id)) this.#count += 1;
    this.#pending.set(gameServer.id, gameServer);
  }

  /** Takes the game server off the list. Does nothing when it is not there. */
  delete(id: GameServerId): void {
    if (!this.#has(id)) return;
    this.#count -= 1;
    if (this.#rows.has(id)) this.#pending.set(id, undefined);
    else this.#pending.delete(id);
  }

  /** The game server with this id, if it is listed. */
  get(id: GameServerId): ListedGameServer | undefined {
    if (this.#pending.has(id)) return this.#pending.get(id);
    const row = this.#rows.get(id);
    return row && parseRow(row);
  }

  /** The list as it is now. */
  build(epoch: string, version: number): Snapshot {
    this.applyPending();
    return new Snapshot(epoch, version, this.#count, [...this.#pages]);
  }

  /** Works the changes so far into the pages. build() does so too; a large list is better taken in pieces. */
  applyPending(): void {
    for (const [id, gameServer] of this.#pending) {
      const before = this.#rows.get(id);
      if (before !== undefined && before.registeredVersion !== gameServer?.registeredVersion)
        this.#takeOut(before);
      if (gameServer !== undefined) this.#putIn(createRow(gameServer));
    }
    this.#pending.clear();
  }

  #has(id: GameServerId): boolean {
    return this.#pending.has(id) ? this.#pending.get(id) !== undefined : this.#rows.has(id);
  }

  #putIn(row: Row): void {
    this.#rows.set(row.id, row);
    if (this.#pages.length === 0) {
      this.#pages.push(new Page([row]));
      return;
    }
    const pageIndex = this.#pageIndexFor(row);
    const { rows } = this.#pages[pageIndex]!;
    const index = lowerBound(rows, (other) => compare(other, row) >= 0);
    if (rows[index]?.id === row.id) this.#pages[pageIndex] = new Page(rows.with(index, row));
    else this.#replacePage(pageIndex, rows.toSpliced(index, 0, row));
  }

  #takeOut(row: Row): void {
    this.#rows.delete(row.id);
    const pageIndex = this.#pageIndexFor(row);
    const { rows } = this.#pages[pageIndex]!;
    this.#replacePage(
      pageIndex,
      rows.filter((other) => other !== row),
    );
  }

  /** The last page that begins at or before the row, or the first one. */
  #pageIndexFor(row: Row): number {
    return Math.max(0, lowerBound(this.#pages, ({ rows }) => compare(rows[0]!, row) > 0) - 1);
  }

  /** Splits a page that is too large now, and joins one that is too small to a neighbour, so that pages stay few. */
  #replacePage(index: number, rows: readonly Row[]): void {
    if (rows.length > 2 * PAGE_SIZE) {
      const halves = [rows.slice(0, PAGE_SIZE), rows.slice(PAGE_SIZE)];
      this.#pages.splice(index, 1, ...halves.map((half) => new Page(half)));
      return;
    }
    const first = Math.max(0, index - 1);
    const neighbour = this.#pages[index === 0 ? 1 : first]?.rows;
    if (rows.length < PAGE_SIZE / 4 && neighbour && neighbour.length <= PAGE_SIZE) {
      const joined = index === 0 ? [...rows, ...neighbour] : [...neighbour, ...rows];
      this.#pages.splice(first, 2, new Page(joined));
      return;
    }
    if (rows.length === 0) this.#pages.splice(index, 1);
    else this.#pages[index] = new Page(rows);
  }
}
