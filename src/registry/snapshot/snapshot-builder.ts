/**
 * Receives changes of the list and builds Snapshots of its shown rows. A change costs next to nothing when it arrives:
 * the builder works changes into the chunks once there are many, or a Snapshot is wanted (edit-chunks.ts).
 *
 * The order of the list is the order of registration. Pings and revivals keep it, so the lists of all replicas are
 * equal.
 */

import { isUnlisted, type GameServerId } from '../../model/game-server.ts';
import { inTurns } from './in-turns.ts';
import { LargeMap } from './large-map.ts';
import { orderRows } from './order-rows.ts';
import type { Chunk } from './chunk.ts';
import { Departures, NEVER } from './departures.ts';
import { editChunks, type Edit } from './edit-chunks.ts';
import { HiddenRows } from './hidden-rows.ts';
import { compareRows, dressed, PLAIN, type Appearance, type Row } from './row.ts';
import { Snapshot, type SnapshotOptions } from './snapshot.ts';

/**
 * How many changes may wait before they are worked into the chunks. In a list of 100,000 working them in takes 2 ms,
 * and a Snapshot has to do no more than that either.
 */
const MOST_PENDING = 512;

/** `R` is the row of one kind of registry, with fields for what that registry knows beside the list. */
export class SnapshotBuilder<R extends Row> {
  readonly departures = new Departures();
  /** The rows that are in the chunks. */
  readonly #rows = new LargeMap<R>();
  /** In order of the list; none is empty. */
  #chunks: readonly Chunk<R>[] = [];
  /**
   * The rows of chunks that no Snapshot has yet: editChunks() changes them in place. While a large list is loaded,
   * copying them would keep the garbage collector so busy that the event loop would stand for half a second.
   */
  #unseen = new WeakSet<readonly R[]>();
  /** The changes that are not in the chunks yet. Null removes the row from them. */
  readonly #pending = new Map<GameServerId, R | null>();
  /** Whether rows are gathered without order: from gather() until order(), before the first Snapshot. */
  #isGathering = false;
  /** How many of the listed game servers are shown. */
  #shown = 0;
  /** How many players are in the shown game servers. */
  #players = 0;
  /** The rows that are listed, but in no chunk. */
  readonly #hidden = new HiddenRows<R>();
  readonly #appearance: () => Appearance;
  /**
   * The version of the last Snapshot: of the states between it and a change nothing is known. An entry may have been
   * shown there that was hidden or missing before and is so again.
   */
  #knownVersion = NEVER;

  /** `appearance`: returns how rows are shown now. Whoever changes that must call reconsider(). */
  constructor(appearance: () => Appearance = () => PLAIN) {
    this.#appearance = appearance;
  }

  /** Prepares for a whole list, whose rows may come in any order until order(). It must be the first call of all. */
  gather(): void {
    this.#isGathering = true;
  }

  /** From now on each visible change comes here, one by one: there are no states in between. */
  missNothing(): void {
    this.#knownVersion = Infinity;
  }

  /** Puts the gathered rows in order. Nothing else may be called until it resolves. */
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

  /** The totals of the next Snapshot. */
  get shown(): Pick<Snapshot, 'count' | 'players'> {
    return { count: this.#shown, players: this.#players };
  }

  /**
   * Lists the game server, with its labels. Replaces the row with the same id and returns it, if there is one. The row
   * must be a new object.
   */
  set(given: R): R | undefined {
    const row = dressed(given, this.#appearance());
    const { id } = row;
    const shown = this.#shownRow(id);
    const before = shown ?? this.#hidden.get(id);
    if (!this.#appearance().isShown(row)) {
      this.#hide(row, row.version);
      return before;
    }
    if (shown === undefined) {
      this.#hidden.delete(id);
      this.#shown += 1;
    }
    this.#players += row.players - (shown?.players ?? 0);
    this.#change(id, row);
    return before;
  }

  /**
   * Removes the game server from the list as of this version. Returns its row, if it was listed; the departure is
   * remembered even if it was not.
   */
  delete(id: GameServerId, version: number): R | undefined {
    const row = this.get(id);
    this.#noteDeparture(id, version);
    this.#hidden.delete(id);
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
   * Shows, hides and labels rows after the answers of the Appearance have changed. A Snapshot that is built before it
   * resolves may have some of these changes. `takeVersion` returns the version of each change; a row may have changed
   * since then.
   */
  async reconsider(takeVersion: () => number): Promise<void> {
    // set() already goes by the new answers: only rows from before have to be looked at.
    this.#applyPending();
    const moved: GameServerId[] = [];
    await inTurns(this.all(), (row) => {
      if (this.#isOutdated(row)) moved.push(row.id);
    });
    // A decision is a visible change, even if it moves nothing.
    takeVersion();
    await inTurns(moved, (id) => {
      const row = this.get(id);
      if (row !== undefined && this.#isOutdated(row)) this.#renew(row, takeVersion());
    });
  }

  /** Builds a Snapshot of the list as it is now. */
  build(of: Pick<SnapshotOptions, 'epoch' | 'history' | 'continues' | 'version'>): Snapshot {
    this.#applyPending();
    this.#unseen = new WeakSet();
    this.#knownVersion = Math.max(this.#knownVersion, of.version);
    return new Snapshot({
      ...of,
      ...this.shown,
      chunks: this.#chunks,
      departures: this.departures,
    });
  }

  /** Works the pending changes into the chunks. */
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

  #isOutdated(row: R): boolean {
    const isHidden = this.#hidden.has(row.id);
    const appearance = this.#appearance();
    return appearance.isShown(row) === isHidden || dressed(row, appearance) !== row;
  }

  /** Shows a row that was hidden, hides one that was shown, or gives it its looks. */
  #renew(row: R, version: number): void {
    const appearance = this.#appearance();
    const next = dressed(row, appearance);
    if (appearance.isShown(row)) {
      this.departures.noteReturn(next, version);
      this.set(next);
    } else if (this.#hidden.has(row.id)) this.#hidden.set(next);
    else this.#hide(next, Math.max(version, row.version));
  }

  #hide(row: R, version: number): void {
    const { id } = row;
    this.#noteDeparture(id, version);
    this.#unshow(id);
    this.#hidden.set(row);
  }

  /**
   * Remembers that the entry is not shown from this version on, except an unlisted one: it never was, and its id is a
   * secret. Call it while the entry is still as it was before.
   */
  #noteDeparture(id: GameServerId, version: number): void {
    const hiddenAt = this.#shownRow(id) === undefined ? this.#knownVersion : NEVER;
    if (!isUnlisted(id)) this.departures.note(id, version, hiddenAt);
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
