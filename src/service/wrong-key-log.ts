/** The lines of the log about refused keys: somebody guesses, or a program has an old key. */

import type { Logger } from '../runtime/log/logger.ts';

/** However many are refused, there is a line this often at the most. */
const LOG_INTERVAL_MS = 60_000;

/**
 * Takes the address of each client whose key was refused, as it may be logged. `now`: ms of a clock that cannot be set.
 */
export function createWrongKeyLog(
  logger: Logger,
  now = (): number => performance.now(),
): (address: string | undefined) => void {
  let loggedAt = -Infinity;
  let count = 0;
  return (address) => {
    count += 1;
    if (now() < loggedAt + LOG_INTERVAL_MS) return;
    logger.info({ count, address }, 'requests with a wrong key were refused');
    loggedAt = now();
    count = 0;
  };
}
