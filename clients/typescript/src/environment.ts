/** The world around a client of the service: its time, its chance and its network. Tests bring their own. */

export interface Environment {
  readonly fetch: (url: string, request: RequestInit) => Promise<Response>;
  /** ms since the epoch. */
  readonly now: () => number;
  /** Runs the task once after so many ms, unless the returned function is called before. */
  readonly after: (ms: number, task: () => void) => () => void;
  /** As `after`, for how long an answer may be silent; left out, that is `after` too. */
  readonly afterSilence?: Environment['after'];
  /** From 0 to 1. */
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
