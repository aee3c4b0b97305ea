/**
 * The part that all sources share: a look at the game server ends by the time limit, by the signal of who asks, or
 * because the source is closed. It knows nothing of where a source looks.
 */

import { setMaxListeners } from 'node:events';
import type { Reading, Source } from './game-state.ts';
import { printableLine } from './printable-line.ts';

/** The time and the timers of this room: those of the system, or of a test. */
export interface SourceClock {
  /** The time in ms since the epoch. */
  now(): number;
  /** Runs the task once, after `ms`, unless the returned function is called before. */
  after(ms: number, task: () => void): () => void;
}

/** Its timers keep the process alive: whoever waits for a reading gets it. */
export const sourceClock: SourceClock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};

export interface SourceLimits {
  /** How long one look may take, all in all. */
  readonly timeoutMs: number;
  readonly clock?: SourceClock;
}

const STOPPED: Reading = { is: 'silent', why: 'it is not asked any more' };

/** `look` ends soon after `over` is aborted. What it throws is a surprise, and makes the reading unusable. */
export function createSource(
  { timeoutMs, clock = sourceClock }: SourceLimits,
  look: (over: AbortSignal) => Promise<Reading>,
): Source {
  const running = new Set<AbortController>();
  let isClosed = false;
  return {
    async read(signal) {
      if (isClosed || signal.aborted) return STOPPED;
      const controller = new AbortController();
      const end = (): void => controller.abort();
      running.add(controller);
      // One signal may end the reads of a thousand sources: that is no leak.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', end);
      const stopTimer = clock.after(timeoutMs, end);
      try {
        const reading = await look(controller.signal);
        return isClosed || signal.aborted ? STOPPED : reading;
      } catch (error) {
        return { is: 'unusable', why: printableLine((error as Error).message) };
      } finally {
        stopTimer();
        signal.removeEventListener('abort', end);
        running.delete(controller);
        end();
      }
    },
    close() {
      isClosed = true;
      for (const each of running) each.abort();
    },
  };
}

/** Resolves when `over` is aborted: for work that does not end by itself. */
export function aborted(over: AbortSignal): Promise<void> {
  if (over.aborted) return Promise.resolve();
  return new Promise((resolve) => over.addEventListener('abort', () => resolve(), { once: true }));
}

/** Resolves after `ms`, or when `over` is aborted. */
export function pause(clock: SourceClock, ms: number, over: AbortSignal): Promise<void> {
  if (over.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      stopTimer();
      over.removeEventListener('abort', end);
      resolve();
    };
    const stopTimer = clock.after(ms, end);
    over.addEventListener('abort', end);
  });
}
