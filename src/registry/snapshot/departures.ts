/**
 * Remembers the entries that ceased to be shown, and those that are shown again without having changed. Together with
 * the rows of a Snapshot, each with the version of its last change, this gives all that changed between two versions.
 * Any number of Snapshots share it.
 *
 * A list of any age may have any entry that is not shown, unless this replica knows better. So a departure counts for
 * the lists of all versions before it, except those up to a version at which the entry is known not to have been shown.
 * Nothing is concluded from when an entry was registered: it may have been listed under its id before.
 */

import type { GameServerId } from '../../model/game-server.ts';
import { mayForget } from '../lifetime.ts';
import { lowerBound, type Row } from './row.ts';

interface Departure {
  readonly id: GameServerId;
  /** The version from which on the entry is not shown. */
  readonly version: number;
  /** The last version before that at which it is known not to have been shown; NEVER if there is none. */
  readonly hiddenAt: number;
}

/** Below all versions. */
export const NEVER = -1;

/** How many departures beyond those that must be kept gather before all of these are dropped at once. */
const SLACK = 1000;

export class Departures {
  /** The departures, in order of their versions. */
  #departures: Departure[] = [];
  #floor = 0;
  readonly #returns = new WeakMap<Row, number>();
  #lastReturn = 0;

  /** Departures and returns up to this version may be missing. */
  get floor(): number {
    return this.#floor;
  }

  raiseFloor(version: number): void {
    this.#floor = Math.max(this.#floor, version);
  }

  /** Remembers that the entry is not shown from this version on, and may have been since `hiddenAt`. */
  note(id: GameServerId, version: number, hiddenAt: number): void {
    if (hiddenAt >= version) return;
    const departures = this.#departures;
    const departure = { id, version, hiddenAt };
    if (version >= (departures.at(-1)?.version ?? 0)) departures.push(departure);
    else
      departures.splice(
        lowerBound(departures, (other) => other.version > version),
        0,
        departure,
      );
    const latest = departures.at(-1)!.version;
    const excess = departures[SLACK];
    if (excess === undefined || !mayForget(departures.length - SLACK, excess.version, latest)) return;
    this.raiseFloor(departures[SLACK - 1]!.version);
    this.#departures = departures.slice(SLACK);
  }

  /** Remembers that the row is shown again from this version on, although it has not changed. */
  noteReturn(row: Row, version: number): void {
    this.#returns.set(row, version);
    this.#lastReturn = Math.max(this.#lastReturn, version);
  }

  /** Whether any row returned after this version. */
  hasReturns(since: number): boolean {
    return this.#lastReturn > since;
  }

  /** Whether this row returned after this version. */
  hasReturned(row: Row, since: number): boolean {
    return (this.#returns.get(row) ?? 0) > since;
  }

  /** The ids that may have been shown at `since`, and have ceased to be up to `version`. */
  *between(since: number, version: number): Iterable<GameServerId> {
    // note() replaces the array when it drops departures: this one still has them.
    const departures = this.#departures;
    const first = lowerBound(departures, (departure) => departure.version > since);
    for (let i = first; i < departures.length; i += 1) {
      const departure = departures[i]!;
      if (departure.version > version) break;
      if (departure.hiddenAt < since) yield departure.id;
    }
  }
}
