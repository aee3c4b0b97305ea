/** Asks again and again while the page can be seen. Knows nothing of what is asked for. */

/** After failures the pause doubles, up to this. */
const LONGEST_PAUSE_MS = 60_000;

export interface PollOptions {
  /** False if there was no answer. */
  readonly ask: (signal: AbortSignal) => Promise<boolean>;
  readonly everyMs: number;
  readonly document: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;
}

/** Asks at once, and after each answer again, until the returned function is called. */
export function poll({ ask, everyMs, document }: PollOptions): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = everyMs;
  let isDue = false;

  const run = async (): Promise<void> => {
    isDue = false;
    const isAnswered = await ask(signal);
    if (signal.aborted) return;
    pauseMs = isAnswered ? everyMs : Math.min(2 * pauseMs, Math.max(everyMs, LONGEST_PAUSE_MS));
    timer = setTimeout(() => {
      isDue = true;
      runIfVisible();
    }, pauseMs);
  };
  const runIfVisible = (): void => {
    if (isDue && document.visibilityState === 'visible') void run();
  };
  document.addEventListener('visibilitychange', runIfVisible);
  void run();
  return () => {
    stopped.abort();
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', runIfVisible);
  };
}
