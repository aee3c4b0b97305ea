/** The time and the timers of this room: those of the system, or of a test. */

import { systemClock, type Clock } from '../../registry/registry.ts';

export interface ProbeClock extends Clock {
  /** In ms, since any moment. Never goes back. */
  now(): number;
}

/** Setting the time of the machine does not disturb it. Its timers do not keep the process alive. */
export const monotonicClock: ProbeClock = { ...systemClock, now: () => performance.now() };
