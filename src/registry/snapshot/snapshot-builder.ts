/**
 * Takes changes of the list and gives Snapshots of what is shown of it. A change costs next to nothing when it comes,
 * and is worked into the chunks when there are many, or a Snapshot is wanted (edit-chunks.ts).
 */

import { isUnlisted, type GameServerId } from '../../model/game-server.ts';
import { inTurns } from './in-turns.ts';
import { LargeMap } from './large-map.ts';
import { orderRows } from './order-rows.ts';
import type { Chunk } from './chunk.ts';
import { Departures } from './departures.ts';
import { editChunks, type Edit } from './edit-chunks.ts';
import { HiddenRows } from './hidden-rows.ts';
import { compareRows, type Row } from './row.ts';
import { Snapshot, type SnapshotOptions } from './snapshot.ts';

/**
 * So many changes are worked into the chunks at once. In a list of 100,000 this takes 2 ms, for a Snapshot too: no more
 * of them wait for it.
 */
const MOST_PENDING = 512;

/** So many hidden rows that left are remembered. */
const MOST_LEFT_HIDDEN = 4096;

/** A registry keeps its own kind of row: what it knows beside the list is in it. */
export class SnapshotBuilder<R extends Row> {
  readonly departures = new Departures();
  /** What is in the chunks. */
  readonly #rows = new LargeMap<R>();
  /** Ordered, none empty. */
  #chunks: readonly Chunk<R>[] = [];
  /**
   * The rows of chunks that no Snapshot has yet: they are changed in place. While a large list is loaded, copies of
   * them would keep the garbage collector so busy that the event loop stood for half a second.
   */
  #unseen = new WeakSet<readonly R[]>();
  /** What is not in the chunks yet. Null: to be taken out. */
  readonly #pending = new Map<GameServerId, R | null>();
  /** Whether rows are gathered, in no order, before the first Snapshot. */
  #isGathering = false;
  /** How many of the listed are shown. */
  #shown = 0;
  /** Of the shown ones. */
  #players = 0;
  /** Listed, but in no chunk. */
  readonly #hidden = new HiddenRows<R>();
  readonly #isShown: (row: R) => boolean;
  /**
   * Hidden rows that left since the last Snapshot, and when. By rules that are not known yet they may have been shown.
   */
  #leftHidden: { readonly row: R; readonly version: number }[] = [];

  /** `isShown`: whether Snapshots have this row. If that changes, call reconsider(). */
  constructor(isShown: (row: R) => boolean = () => true) {
    this.#isShown = isShown;
  }

  /** For a whole list that is about to come: until order() is called its rows are in no order. Call it first of all. */
  gather(): void {
    this.#isGathering = true;
  }

  /** Resolves once the rows that were gathered are in order. No other call may come before that. */
  async order(): Promise<void> {
    if (!this.#isGathering) return;
    const rows: R[] = [];
    await inTurns(this.#rows.values(), (row) => void rows.push(row));
    this.#chunks = await orderRows(rows);
    this.#isGathering = false;
  }

  /** How many game servers are listed, shown or not. */
  get count(): number {
    return this.#shown + this.#hidden.size;
  }

  /** What the next Snapshot will say of all its game servers. */
  get shown(): Pick<Snapshot, 'count' | 'players'> {
    return { count: this.#shown, players: this.#players };
  }

  /**
   * Lists the game server, in place of the one with the same id: returns that row, if there is one. The row must be a
   * new object.
   */
  set(row: R): R | undefined {
    const { id } = row;
    const shown = this.#shownRow(id);
    const before = shown ?? this.#hidden.get(id);
    if (!this.#isShown(row)) {
      this.#hide(row, row.version);
      return before;
    }
    if (shown === undefined) {
      this.#hidden.delete(id);
      this.#shown += 1;
    }
    // A client of the list before knows the id, under the registration before.
    else if (shown.registeredVersion !== row.registeredVersion)
      this.#noteDeparture(id, row.version, shown.registeredVersion);
    this.#players += row.players - (shown?.players ?? 0);
    this.#change(id, row);
    return before;
  }

  /**
   * Takes the game server off the list, which it is not on any more since this version: returns its row. It need not be
   * there.
   */
  delete(id: GameServerId, version: number): R | undefined {
    const row = this.get(id);
    if (!this.#hidden.delete(id)) this.#noteDeparture(id, version, row?.registeredVersion ?? 0);
    else if (!isUnlisted(id)) this.#noteHiddenLeft(row!, version);
    this.#unshow(id);
    return row;
  }

  /** The row of the game server with this id, if it is listed. */
  get(id: GameServerId): R | undefined {
    return this.#shownRow(id) ?? this.#hidden.get(id);
  }

  /** The row of the unlisted entry with this join code. */
  withJoinCode(code: string): R | undefined {
    return this.#hidden.withJoinCode(code);
  }

  /** The rows of all listed game servers, shown or not, in no order. */
  *all(): Iterable<R> {
    for (const row of this.#rows.values()) if (!this.#pending.has(row.id)) yield row;
    for (const row of this.#pending.values()) if (row !== null) yield row;
    yield* this.#hidden.values();
  }

  /**
   * Resolves once Snapshots have the rows that are shown by now; a Snapshot before may have some of them.
   * `takeVersion`: of each change that this is, when it is made. Rows may have changed since that version.
   */
  async reconsider(takeVersion: () => number): Promise<void> {
    // What is set from now on goes by what is shown by now.
    this.#applyPending();
    const moved: GameServerId[] = [];
    await inTurns(this.all(), (row) => {
      if (this.#isMisplaced(row)) moved.push(row.id);
    });
    const version = takeVersion();
    for (const { row, version: leftVersion } of this.#leftHidden)
      if (leftVersion > version && this.#isShown(row))
        this.#noteDeparture(row.id, leftVersion, row.registeredVersion);
    await inTurns(moved, (id) => {
      const row = this.get(id);
      if (row !== undefined && this.#isMisplaced(row)) this.#move(row, takeVersion());
    });
  }

  /** The list as it is now. */
  build(of: Pick<SnapshotOptions, 'epoch' | 'history' | 'continues' | 'version'>): Snapshot {
    this.#applyPending();
    this.#unseen = new WeakSet();
    this.#leftHidden = [];
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
      if (before !== undefined && (row === null || compareRows(before, row) !== 0))
        edits.push({ place: before, row: undefined });
      if (row === null) this.#rows.delete(id);
      else {
        edits.push({ place: row, row });
        this.#rows.set(id, row);
      }
    }
    this.#pending.clear();
    edits.sort((a, b) => compareRows(a.place, b.place));
    this.#chunks = editChunks(this.#chunks, edits, this.#unseen);
  }

  #isMisplaced(row: R): boolean {
    return this.#isShown(row) === this.#hidden.has(row.id);
  }

  /** Shows a row that was hidden, or hides one that was shown. */
  #move(row: R, version: number): void {
    if (!this.#isShown(row)) return this.#hide(row, Math.max(version, row.version));
    this.departures.noteReturn(row, version);
    this.set(row);
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

  #noteHiddenLeft(row: R, version: number): void {
    this.#leftHidden.push({ row, version });
    if (this.#leftHidden.length < MOST_LEFT_HIDDEN) return;
    this.departures.raiseFloor(version);
    this.#leftHidden = [];
  }

  #unshow(id: GameServerId): void {
    const row = this.#shownRow(id);
    if (row === undefined) return;
    this.#shown -= 1;
    this.#players -= row.players;
    if (this.#rows.has(id)) this.#change(id, null);
    else this.#pending.delete(id);
  }

  #change(id: GameServerId, row: R | null): void {
    if (this.#isGathering) {
      if (row === null) this.#rows.delete(id);
      else this.#rows.set(id, row);
      return;
    }
    this.#pending.set(id, row);
    if (this.#pending.size >= MOST_PENDING) this.#applyPending();
  }

  #shownRow(id: GameServerId): R | undefined {
    const pending = this.#pending.get(id);
    return pending === undefined ? this.#rows.get(id) : (pending ?? undefined);
  }
}
