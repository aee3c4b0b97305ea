/** The time and the timers of this room: those of the system, or of a test. */

import { systemClock, type Clock } from '../../registry/registry.ts';

export interface ProbeClock extends Clock {
  /** ms since an arbitrary moment. It never goes back. */
  now(): number;
}

/** A clock that does not change when the time of the machine is set. Its timers do not keep the process alive. */
export const monotonicClock: ProbeClock = { ...systemClock, now: () => performance.now() };
