/**
 * Remembers the entries that ceased to be shown, and those that are shown again without having changed. Together with
 * the rows of a Snapshot, each with the version of its last change, this gives all that changed between two versions.
 * Any number of Snapshots share it.
 */

import type { GameServerId } from '../../model/game-server.ts';
import { mayForget } from '../lifetime.ts';
import { lowerBound, type Row } from './row.ts';

interface Departure {
  readonly id: GameServerId;
  /** The version from which on the entry is not shown. */
  readonly version: number;
  /** The version of the broadcast of the entry; 0 if it is not known. */
  readonly registeredVersion: number;
}

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

  /** Remembers that the entry is not shown from this version on. `registeredVersion`: 0 if it is not known. */
  note(id: GameServerId, version: number, registeredVersion: number): void {
    const departures = this.#departures;
    const departure = { id, version, registeredVersion };
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

  /**
   * The ids that ceased to be shown after `since`, up to `version`. Ids that were broadcast after `since` are left out:
   * a client that has the list of `since` cannot know them.
   */
  *between(since: number, version: number): Iterable<GameServerId> {
    // note() replaces the array when it drops departures: this one still has them.
    const departures = this.#departures;
    const first = lowerBound(departures, (departure) => departure.version > since);
    for (let i = first; i < departures.length; i += 1) {
      const departure = departures[i]!;
      if (departure.version > version) break;
      if (departure.registeredVersion <= since) yield departure.id;
    }
  }
}
