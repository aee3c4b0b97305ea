/**
 * Keeps callers from waiting for a Redis that does not answer: an operation without an answer opens the breaker, which
 * refuses all others at once until a probe succeeds.
 *
 * A Redis that refuses one command, since it has no memory left, has answered: other commands may succeed, and the
 * breaker stays closed.
 */

import { ServiceError } from '../../../model/service-error.ts';
import { isOutage } from './retry.ts';

export interface CircuitBreakerEvents {
  /** Redis gave no answer in time. Called once, until it answers again. */
  readonly onOpen: (error: unknown) => void;
  readonly onClose: () => void;
  /** Redis has answered an operation with this error. */
  readonly onRefused?: (error: unknown) => void;
}

export class CircuitBreaker {
  readonly #events: CircuitBreakerEvents;
  #isOpen = false;

  constructor(events: CircuitBreakerEvents) {
    this.#events = events;
  }

  /** Whether operations are refused. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Runs the operation, and rejects with its error; at once with `registry_unavailable` if the breaker is open.
   */
  run<T>(operation: () => Promise<T>): Promise<T> {
    return this.#isOpen
      ? Promise.reject(new ServiceError('registry_unavailable'))
      : operation().catch(this.#noteFailure);
  }

  /**
   * Runs the operation even if the breaker is open: its outcome opens or closes the breaker. A failure does not open it
   * if nobody needs the outcome by then.
   */
  async probe<T>(operation: () => Promise<T>, isNeeded = () => true): Promise<T> {
    try {
      const result = await operation();
      this.#close();
      return result;
    } catch (error) {
      if (isNeeded()) this.#open(error);
      throw error;
    }
  }

  readonly #noteFailure = (error: unknown): never => {
    const { cause } = error as Error;
    // A refusal by Redis (its memory is full, say) is an answer.
    if (isOutage(cause)) this.#open(error);
    else this.#events.onRefused?.(cause);
    throw error;
  };

  #open(error: unknown): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#events.onOpen(error);
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#events.onClose();
  }
}
