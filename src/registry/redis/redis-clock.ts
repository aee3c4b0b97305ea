/**
 * The clock of Redis as this replica knows it: the time in the last reply that had one, and the time since then by a
 * clock that is never set. It is never ahead of Redis, which read the time before its reply arrived: a deadline by this
 * clock comes too early rather than too late.
 *
 * The clock of this machine, by which answers are dated, is compared with it. Redis read its clock at some moment
 * between question and reply, so a slow reply tells little, and never a difference that there is not.
 */

/** The bounds of how far the clock of this machine is ahead of that of Redis, in ms; below 0 where it is behind. */
export interface ClockOffset {
  readonly least: number;
  readonly most: number;
}

/** The smallest difference within the bounds, with its sign. */
export function sureOffset({ least, most }: ClockOffset): number {
  return least > 0 ? least : Math.min(most, 0);
}

/** One moment, by a clock that is never set and by the clock of this machine, both in ms. */
export interface Moment {
  readonly steady: number;
  readonly system: number;
}

/** `asked` and `told`: the moments before and after Redis read `redisNow`, ms since the epoch. */
export function clockOffset(asked: Moment, redisNow: number, told: Moment): ClockOffset {
  // The steady clock stands still while a machine sleeps, and the other one may be set back.
  const tookMs = Math.max(told.steady - asked.steady, told.system - asked.system);
  const most = told.system - redisNow;
  // Redis gives whole ms.
  return { least: most - tookMs - 1, most };
}

export class RedisClock {
  /** How far the clock of Redis is ahead of performance.now(), in ms; undefined before the first reply. */
  #ahead: number | undefined;

  /** Receives the time, ms since the epoch, of a reply that has just arrived. */
  told(now: number): void {
    this.#ahead = now - performance.now();
  }

  /** The time of Redis, ms since the epoch, at `time` by performance.now(); the greatest of all if it is not known. */
  at(time: number): number {
    return this.#ahead === undefined ? Number.MAX_SAFE_INTEGER : Math.floor(time + this.#ahead);
  }
}
