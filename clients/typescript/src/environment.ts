/** The part of the outside world that a client of the service uses, so that tests can bring their own. */

export interface Environment {
  readonly fetch: (url: string, request: RequestInit) => Promise<Response>;
  /** Returns the time in ms since the epoch. */
  readonly now: () => number;
  /** Runs the task once after `ms`, unless the returned function is called before. */
  readonly after: (ms: number, task: () => void) => () => void;
  /** The timer that limits how long an answer may be silent. Defaults to `after`. */
  readonly afterSilence?: Environment['after'];
  /** Returns ms of a clock that nobody sets, for what is measured. Defaults to performance.now(). */
  readonly elapsed?: () => number;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
}

export const systemEnvironment: Environment = {
  fetch: (url, request) => fetch(url, request),
  now: () => Date.now(),
  after: (ms, task) => {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};
