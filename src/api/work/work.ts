/** What work is that takes turns, and who asks for it. */

/**
 * Yields where it may be interrupted: after a fraction of a ms. A promise that it yields is waited for, and its value
 * comes back.
 */
export type Work<T> = Generator<Promise<unknown> | undefined, T, unknown>;

/** So many entries are held against filters at once: 0.1 ms for what the costliest filters may ask. */
export const ROWS_AT_ONCE = 32;

/** The value within work, whenever it is there. */
export function* awaited<T>(value: T | Promise<T>): Work<T> {
  return value instanceof Promise ? ((yield value) as T) : value;
}

/** Does all of it at once: short work that waits for nothing. */
export function finish<T>(work: Work<T>): T {
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

/** Who wants something: a request, or a stream. It is let in or refused with all that it wants. */
export interface Asker {
  readonly client: {
    /** In canonical form. */
    readonly address: string;
  };
  /** Whether nobody waits for it any more. */
  readonly isGone?: (() => boolean) | undefined;
}

/** The replica itself, for what many wait for and no client can multiply. It is never refused. */
export const OWN: Asker = { client: { address: '' } };

/** Work that several may wait for. */
export interface Shared<T> {
  /** Rejects with what the work throws, and with a ServiceError `overloaded` if it is refused. */
  readonly result: Promise<T>;
  /** One more waits for it: the turns of its client count as well. */
  join(asker: Asker): void;
}

/** `queue`: it would have waited too long. `wait`: it has. `gone`: its clients hung up. */
export const WORK_REFUSALS = ['queue', 'wait', 'gone'] as const;
export type WorkRefusal = (typeof WORK_REFUSALS)[number];

/** What is told of the work of clients. */
export interface WorkEvents {
  /** Work is done. From its beginning to its end it had the event loop for `spentMs`. */
  readonly onDone: (durationMs: number, spentMs: number) => void;
  readonly onRefused: (reason: WorkRefusal) => void;
  /** How much work is not done. */
  readonly onJobs: (count: number) => void;
}
