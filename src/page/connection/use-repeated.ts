/** Repeats work while the page is visible. */

import { useEffect, useState } from 'preact/hooks';

/** How long a run may take before it is aborted. */
const DEADLINE_MS = 20_000;

/**
 * Runs `work` at once, and `everyMs` after each run. It runs at once again when the page becomes visible after that
 * time, or when `work` is another function. Returns whether the latest run failed. `signal` aborts an unwanted run.
 */
export function useRepeated(work: (signal: AbortSignal) => Promise<void>, everyMs: number): boolean {
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let nextAt = 0;
    let isRunning = false;
    const run = async (): Promise<void> => {
      isRunning = true;
      try {
        await withinDeadline(work, ended.signal);
        if (!ended.signal.aborted) setFailed(false);
      } catch {
        if (!ended.signal.aborted) setFailed(true);
      }
      isRunning = false;
      nextAt = Date.now() + everyMs;
      plan();
    };
    const plan = (): void => {
      clearTimeout(timer);
      if (isRunning || ended.signal.aborted || document.visibilityState === 'hidden') return;
      timer = setTimeout(() => void run(), Math.max(0, nextAt - Date.now()));
    };
    plan();
    document.addEventListener('visibilitychange', plan, { signal: ended.signal });
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [work, everyMs]);
  return hasFailed;
}

async function withinDeadline(
  work: (signal: AbortSignal) => Promise<void>,
  ended: AbortSignal,
): Promise<void> {
  const run = new AbortController();
  const deadline = setTimeout(() => run.abort(), DEADLINE_MS);
  ended.addEventListener('abort', () => run.abort(), { signal: run.signal });
  try {
    await work(run.signal);
  } finally {
    clearTimeout(deadline);
    // This removes the listener.
    run.abort();
  }
}
