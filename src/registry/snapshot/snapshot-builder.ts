/**
 * Takes changes of the list and gives Snapshots of what is shown of it. A change costs next to nothing when it comes, and
 * is worked into the chunks when there are many, or a Snapshot is wanted. The changes of one chunk make one new chunk, and the next Snapshot
 * shares all others with the last: the work follows the number of changes, not the number of game servers. Knows nothing
 * of encodings.
 */

import { isUnlisted, type GameServerId } from '../game-server.ts';
import { inTurns } from '../in-turns.ts';
import { LargeMap } from '../large-map.ts';
import { Chunk, type Lineage } from './chunk.ts';
import { Departures } from './departures.ts';
import { HiddenRows } from './hidden-rows.ts';
import { nextRevision } from './layout.ts';
import { compareRows, lowerBound, type Row } from './row.ts';
import { Snapshot, type SnapshotOptions } from './snapshot.ts';

/**
 * In rows: at most twice as many, and a quarter at least where there are neighbours. Chunks of 512 cost a third more CPU
 * for each change, and each change keeps one old chunk in memory as long as a slow reader is before it. Chunks of 128
 * gain a tenth, and cost as much when they are sent.
 */
const CHUNK_ROWS = 256;

/** So many changes are worked into the chunks even if no Snapshot is wanted: in a list of a million this takes 20 ms. */
const MOST_PENDING = 4096;

/** What happens at one place of the list. */
interface Edit<R> {
  readonly place: R;
  /** The row that is there from now on, if any. */
  readonly row: R | undefined;
}

/** A chunk that is still to be made, or stays as it is. */
type Draft<R extends Row> =
  | Chunk<R>
  | {
      readonly rows: readonly R[];
      readonly formerly: Chunk<R> | undefined;
      /** Undefined if entries have come or gone. */
      readonly lineage?: Lineage;
    };

/** A registry keeps its own kind of row: what it knows beside the list is in it. */
export class SnapshotBuilder<R extends Row> {
  readonly departures = new Departures();
  /** What is in the chunks. */
  readonly #rows = new LargeMap<R>();
  /** Ordered, none empty. */
  #chunks: readonly Chunk<R>[] = [];
  /**
   * The rows of chunks that no Snapshot has yet: they are changed in place. While a large list is loaded, copies of them
   * would keep the garbage collector so busy that the event loop stood for half a second.
   */
  #unseen = new WeakSet<readonly R[]>();
  /** What is not in the chunks yet. Undefined: to be taken out. */
  readonly #pending = new Map<GameServerId, R | undefined>();
  /** How many of the listed are shown. */
  #shown = 0;
  /** Of the shown ones. */
  #players = 0;
  /** Listed, but in no chunk. */
  readonly #hidden = new HiddenRows<R>();
  readonly #isShown: (row: R) => boolean;

  /** `isShown`: whether Snapshots have this row. If that changes, call reconsider(). */
  constructor(isShown: (row: R) => boolean = () => true) {
    this.#isShown = isShown;
  }

  /** How many game servers are listed, shown or not. */
  get count(): number {
    return this.#shown + this.#hidden.size;
  }

  /** What the next Snapshot will say of all its game servers. */
  get shown(): Pick<Snapshot, 'count' | 'players'> {
    return { count: this.#shown, players: this.#players };
  }

  /** Lists the game server, in place of the one with the same id if there is one. The row must be a new object. */
  set(row: R): void {
    if (!this.#isShown(row)) return this.#hide(row, row.version);
    this.#hidden.delete(row.id);
    const before = this.#shownRow(row.id);
    if (before === undefined) this.#shown += 1;
    // A client of the list before knows the id, under the registration before.
    else if (before.registeredVersion !== row.registeredVersion)
      this.#noteDeparture(row.id, row.version, before.registeredVersion);
    this.#players += row.players - (before?.players ?? 0);
    this.#pending.set(row.id, row);
    if (this.#pending.size >= MOST_PENDING) this.#applyPending();
  }

  /** Takes the game server off the list, which it is not on any more since this version. It need not be there. */
  delete(id: GameServerId, version: number): void {
    const row = this.get(id);
    if (!this.#hidden.delete(id)) this.#noteDeparture(id, version, row?.registeredVersion ?? 0);
    this.#unshow(id);
  }

  /** The row of the game server with this id, if it is listed. */
  get(id: GameServerId): R | undefined {
    if (this.#pending.has(id)) return this.#pending.get(id) ?? this.#hidden.get(id);
    return this.#rows.get(id) ?? this.#hidden.get(id);
  }

  /** The row of the unlisted entry with this join code. */
  withJoinCode(code: string): R | undefined {
    return this.#hidden.withJoinCode(code);
  }

  /** The rows of all listed game servers, shown or not, in no order. */
  *all(): Iterable<R> {
    for (const row of this.#rows.values()) if (!this.#pending.has(row.id)) yield row;
    for (const row of this.#pending.values()) if (row !== undefined) yield row;
    yield* this.#hidden.values();
  }

  /**
   * Resolves once Snapshots have the rows that are shown by now. `takeVersion`: of this change, when it is made. Rows may
   * have changed since that version.
   */
  async reconsider(takeVersion: () => number): Promise<void> {
    const moved: GameServerId[] = [];
    for await (const row of inTurns(this.all()))
      if (this.#isShown(row) === this.#hidden.has(row.id)) moved.push(row.id);
    const version = takeVersion();
    for (const id of moved) {
      const row = this.get(id);
      if (row === undefined) continue;
      if (this.#isShown(row)) {
        this.departures.noteReturn(row, version);
        this.set(row);
      } else this.#hide(row, Math.max(version, row.version));
    }
  }

  /** The list as it is now. */
  build(of: Pick<SnapshotOptions, 'epoch' | 'history' | 'continues' | 'version'>): Snapshot {
    this.#applyPending();
    this.#unseen = new WeakSet();
    return new Snapshot({
      ...of,
      ...this.shown,
      chunks: this.#chunks,
      departures: this.departures,
    });
  }

  /** Works the changes so far into the chunks. */
  #applyPending(): void {
    if (this.#pending.size === 0) return;
    const edits: Edit<R>[] = [];
    for (const [id, row] of this.#pending) {
      const before = this.#rows.get(id);
      if (before !== undefined && (row === undefined || compareRows(before, row) !== 0))
        edits.push({ place: before, row: undefined });
      if (row === undefined) this.#rows.delete(id);
      else {
        edits.push({ place: row, row });
        this.#rows.set(id, row);
      }
    }
    this.#pending.clear();
    edits.sort((a, b) => compareRows(a.place, b.place));
    this.#chunks = settle(draft(this.#chunks, edits, this.#unseen));
  }

  #hide(row: R, version: number): void {
    const { id } = row;
    const { registeredVersion } = this.#shownRow(id) ?? row;
    if (!this.#hidden.has(id)) this.#noteDeparture(id, version, registeredVersion);
    this.#unshow(id);
    this.#hidden.set(row);
  }

  /** An unlisted entry never was shown, and its id is a secret. */
  #noteDeparture(id: GameServerId, version: number, registeredVersion: number): void {
    if (!isUnlisted(id)) this.departures.note(id, version, registeredVersion);
  }

  #unshow(id: GameServerId): void {
    const row = this.#shownRow(id);
    if (row === undefined) return;
    this.#shown -= 1;
    this.#players -= row.players;
    if (this.#rows.has(id)) this.#pending.set(id, undefined);
    else this.#pending.delete(id);
  }

  #shownRow(id: GameServerId): R | undefined {
    return this.#pending.has(id) ? this.#pending.get(id) : this.#rows.get(id);
  }
}

/** The chunks with the edits, which are in order, worked into them. The rows that are `unseen` can be changed in place. */
function draft<R extends Row>(
  chunks: readonly Chunk<R>[],
  edits: readonly Edit<R>[],
  unseen: WeakSet<readonly R[]>,
): Draft<R>[] {
  const drafts: Draft<R>[] = [];
  let untouched = 0;
  for (let first = 0; first < edits.length;) {
    const { place } = edits[first]!;
    const isAfter = ({ rows }: Chunk<R>): boolean => compareRows(rows[0]!, place) > 0;
    // The last chunk that begins at or before the place, or the first one.
    const index = Math.max(0, lowerBound(chunks, isAfter, untouched) - 1);
    const next = chunks[index + 1]?.rows[0];
    const isBeyond = (edit: Edit<R>): boolean => next !== undefined && compareRows(edit.place, next) >= 0;
    const end = lowerBound(edits, isBeyond, first);
    for (; untouched < index; untouched += 1) add(drafts, chunks[untouched]!);
    const formerly = chunks[index];
    const before = formerly?.rows ?? [];
    const rows = unseen.has(before) ? (before as R[]) : [...before];
    const some = edits.slice(first, end);
    const lineage = formerly && lineageAfter(formerly, rows, some);
    merge(rows, some);
    unseen.add(rows);
    add(drafts, { rows, formerly, ...(lineage && { lineage }) });
    untouched = index + 1;
    first = end;
  }
  for (; untouched < chunks.length; untouched += 1) add(drafts, chunks[untouched]!);
  return drafts;
}

/** The lineage of the chunk that comes of these edits, if all put rows in the place of others. Notes what changes. */
function lineageAfter<R extends Row>(
  { layout }: Chunk<R>,
  rows: readonly R[],
  edits: readonly Edit<R>[],
): Lineage | undefined {
  const indices: number[] = [];
  for (const { place, row } of edits) {
    const index = lowerBound(rows, (other) => compareRows(other, place) >= 0, indices.at(-1) ?? 0);
    if (row === undefined || rows[index]?.id !== row.id) return undefined;
    indices.push(index);
  }
  const revision = nextRevision();
  for (const index of indices) layout.note(index, revision);
  return { layout, revision };
}

/** Works the edits into the rows, both in order. Most edits put a row in the place of one. */
function merge<R extends Row>(rows: R[], edits: readonly Edit<R>[]): void {
  let index = 0;
  for (const { place, row } of edits) {
    index = lowerBound(rows, (other) => compareRows(other, place) >= 0, index);
    const isThere = rows[index]?.id === place.id;
    if (row === undefined) rows.splice(index, isThere ? 1 : 0);
    else if (isThere) rows[index] = row;
    else rows.splice(index, 0, row);
  }
}

/** Splits a draft that is too large, and joins one that is too small to the one before it, so that chunks stay few. */
function add<R extends Row>(drafts: Draft<R>[], each: Draft<R>): void {
  const { length } = each.rows;
  if (length === 0) return;
  if (length > 2 * CHUNK_ROWS) {
    const { formerly } = each as Exclude<Draft<R>, Chunk<R>>;
    let start = 0;
    for (; length - start > 2 * CHUNK_ROWS; start += CHUNK_ROWS)
      drafts.push({ rows: each.rows.slice(start, start + CHUNK_ROWS), formerly });
    drafts.push({ rows: each.rows.slice(start), formerly });
    return;
  }
  const before = drafts.at(-1);
  if (
    before === undefined ||
    Math.min(before.rows.length, length) >= CHUNK_ROWS / 4 ||
    before.rows.length + length > CHUNK_ROWS
  ) {
    drafts.push(each);
    return;
  }
  const larger = before.rows.length < length ? each : before;
  const formerly = larger instanceof Chunk ? larger : larger.formerly;
  drafts.splice(-1, 1, { rows: [...before.rows, ...each.rows], formerly });
}

/** Makes the chunks. One that becomes the first, or is it no longer, is made anew. */
function settle<R extends Row>(drafts: readonly Draft<R>[]): Chunk<R>[] {
  return drafts.map((each, index) => {
    const isFirst = index === 0;
    if (!(each instanceof Chunk)) return new Chunk(each.rows, isFirst, each.formerly, each.lineage);
    return each.isFirst === isFirst ? each : new Chunk(each.rows, isFirst, each, each);
  });
}
