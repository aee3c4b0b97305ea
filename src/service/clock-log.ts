/**
 * The lines of the log about the clock of this machine: one when it begins to differ from that of Redis, and one when
 * they agree again. Deadlines go by the clock of Redis; answers are dated by that of the machine.
 */

import type { Logger } from '../runtime/log/logger.ts';
import { sureOffset, type ClockOffset } from '../registry/redis/redis-clock.ts';

/** The difference from which clocks differ, in ms. Machines that set their clocks by NTP keep within 0.1 s. */
const DIFFERENT_MS = 5000;
/** The difference below which they agree again, in ms: one that grows slowly makes one line, and not many. */
const EQUAL_MS = 2000;

/** Creates what compares the clocks at each poll of Redis. */
export function createClockLog(logger: Logger): (offset: ClockOffset) => void {
  let areDifferent = false;
  return (offset) => {
    const { least, most } = offset;
    const aheadMs = Math.round(sureOffset(offset));
    if (!areDifferent && Math.abs(aheadMs) >= DIFFERENT_MS) {
      areDifferent = true;
      logger.warn(
        { aheadMs },
        'the clocks of this machine and of Redis differ: lists are right, but answers are dated by the clock of this machine',
      );
    } else if (areDifferent && least > -EQUAL_MS && most < EQUAL_MS) {
      areDifferent = false;
      logger.info({}, 'the clocks of this machine and of Redis agree again');
    }
  };
}
