/** Work that takes turns, and the askers for whom it is done. */

/**
 * Yields where it may be interrupted: after a fraction of a ms. If it yields a promise, the promise is awaited, and its
 * value is the result of that yield.
 */
export type Work<T> = Generator<Promise<unknown> | undefined, T, unknown>;

/** How many entries are matched against filters between two pauses: 0.1 ms with the costliest filters. */
export const ROWS_AT_ONCE = 32;

/** Awaits a value within work, unless it is there already. */
export function* awaited<T>(value: T | Promise<T>): Work<T> {
  return value instanceof Promise ? ((yield value) as T) : value;
}

/** Runs all steps at once, for short work that awaits nothing. */
export function finish<T>(work: Work<T>): T {
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

/** A request or a stream that wants something. It is admitted or refused with all that it wants. */
export interface Asker {
  readonly client: {
    /** The address in canonical form. */
    readonly address: string;
  };
  /** Whether nobody waits for the answer any more. */
  readonly isGone?: (() => boolean) | undefined;
}

/** The replica itself, for work that many wait for and no client can multiply. It is never refused. */
export const OWN: Asker = { client: { address: '' } };

/** Work for which several askers may wait. */
export interface Shared<T> {
  /** Rejects with the error of the work, or with a ServiceError `overloaded` if it is refused. */
  readonly result: Promise<T>;
  /** Adds an asker: the turns of its client count as well. */
  join(asker: Asker): void;
}

/** `queue`: the work would have waited too long. `wait`: it has. `gone`: its clients hung up. */
export const WORK_REFUSALS = ['queue', 'wait', 'gone'] as const;
export type WorkRefusal = (typeof WORK_REFUSALS)[number];

/** The events of clients' work, for the metrics. */
export interface WorkEvents {
  /** Called when work is done. `spentMs`: how much of its duration it had the event loop. */
  readonly onDone: (durationMs: number, spentMs: number) => void;
  readonly onRefused: (reason: WorkRefusal) => void;
  /** Called with the number of unfinished jobs. */
  readonly onJobs: (count: number) => void;
}
