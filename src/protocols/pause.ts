/** Waits by the timers that a protocol is opened with: those of the system, or of a test. */

import type { Clock } from '../registry/registry.ts';

/** Resolves after so many ms. Rejects as soon as the signal is aborted. */
export function pause(timers: Pick<Clock, 'every'>, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      stopTimer();
      signal.removeEventListener('abort', giveUp);
    };
    const giveUp = (): void => {
      end();
      reject(signal.reason);
    };
    const stopTimer = timers.every(ms, async () => {
      end();
      resolve();
    });
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
  });
}
