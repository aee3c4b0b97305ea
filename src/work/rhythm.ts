/**
 * When work has its turns on the event loop: all the time while nothing else wants it, and a quarter of the time
 * otherwise.
 */

/** A turn of all work together, in ms. */
const SHORTEST_TURN_MS = 1;
const LONGEST_TURN_MS = 8;
/**
 * Everything else has so many times as long between two turns, if it wants it. A single round of the event loop would
 * not do: it accepts one connection alone, so that those that wait would have a turn of work between any two of them.
 */
const REST_OF_A_TURN = 3;
/** In a round that takes no longer, nothing else wanted the event loop. */
const IDLE_ROUND_MS = 0.05;

/** Works from now until this time, or a step longer. Returns when it ended; undefined once there is nothing to do. */
export type TakeTurn = (now: number, endsAt: number) => number | undefined;

export class Rhythm {
  readonly #takeTurn: TakeTurn;
  #hasBegun = false;

  constructor(takeTurn: TakeTurn) {
    this.#takeTurn = takeTurn;
  }

  /** There is something to do: turns follow until there is not. */
  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#rest(performance.now());
  }

  /** Until the next turn. `since`: when the last one ended, or work came while there was none. */
  #rest(since: number): void {
    const from = performance.now();
    setImmediate(() => {
      const now = performance.now();
      const isWanted = now - from > IDLE_ROUND_MS;
      const earnedMs = (now - since) / REST_OF_A_TURN;
      if (isWanted && earnedMs < SHORTEST_TURN_MS) return this.#rest(since);
      const lengthMs = Math.min(Math.max(SHORTEST_TURN_MS, earnedMs), LONGEST_TURN_MS);
      const endedAt = this.#takeTurn(now, now + lengthMs);
      if (endedAt === undefined) this.#hasBegun = false;
      else this.#rest(endedAt);
    });
  }
}
