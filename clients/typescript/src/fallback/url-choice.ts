/**
 * Which of several URLs of one list is asked: the first that answers, and by a watch the first of all again after a
 * while. It sends nothing, and is loaded where there are several: it imports nothing that the rest has.
 */

import type { FeedFailure } from '../feed/changes-answer.ts';

/** How long another URL is asked before the first one is tried again. ms. */
const RETURN_MS = 60_000;
/** How long the answer of a URL may take to begin, ms: the next one is waiting. */
const PATIENCE_MS = 5000;
/** The same for the first URL while another one answers: meanwhile the reader hears of no change. */
const RETURN_PATIENCE_MS = 2000;

export class UrlChoice {
  readonly #urls: readonly string[];
  readonly #now: () => number;
  #at = 0;
  /** The failures since one of them answered. */
  #failures: FeedFailure[] = [];
  #returnsAt = 0;
  #isReturning = false;

  constructor(urls: readonly string[], now: () => number) {
    this.#urls = urls;
    this.#now = now;
  }

  get url(): string {
    return this.#urls[this.#at]!;
  }

  get patienceMs(): number {
    return this.#isReturning ? RETURN_PATIENCE_MS : PATIENCE_MS;
  }

  /** Goes back to the first URL, if another one has answered for long enough. Returns whether it does. */
  returns(): boolean {
    if (this.#at === 0 || this.#now() < this.#returnsAt) return false;
    this.#at = 0;
    this.#isReturning = true;
    return true;
  }

  answered(): void {
    this.#failures = [];
    this.#isReturning = false;
  }

  /**
   * Goes on to the next URL. Returns undefined while one is left to ask at once, else the first failure of them all,
   * and how long they have asked to be left alone, in ms.
   */
  fail(failure: FeedFailure): { readonly failure: FeedFailure; readonly restMs: number } | undefined {
    const failures = [...this.#failures, failure];
    const restMs = Math.max(...failures.map(({ retryAfterMs = 0 }) => retryAfterMs));
    this.answered();
    this.#returnsAt = this.#now() + Math.max(RETURN_MS, restMs);
    const isLast = failures.length === this.#urls.length;
    this.#at = isLast ? 0 : (this.#at + 1) % this.#urls.length;
    if (isLast) return { failure: failures[0]!, restMs };
    this.#failures = failures;
    return undefined;
  }
}

/** The first answer of the services. Rejects with the first error. Whoever aborts `signal` asks no other one. */
export async function askFirst<S, T>(
  services: readonly S[],
  ask: (service: S) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  let first: unknown;
  for (const service of services)
    try {
      return await ask(service);
    } catch (error) {
      first ??= error;
      if (signal?.aborted) break;
    }
  throw first;
}
