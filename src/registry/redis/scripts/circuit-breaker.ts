/**
 * Keeps callers from waiting for a Redis that does not answer: a failed operation opens the breaker, and all others are
 * refused at once until a probe succeeds.
 */

import { ServiceError } from '../../../model/service-error.ts';
import { isOutage } from './retry.ts';

export interface CircuitBreakerEvents {
  /** Redis gave no answer in time. Reported once, until it answers again. */
  readonly onOpen: (error: unknown) => void;
  readonly onClose: () => void;
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
   * Runs the operation. Throws what it threw; if the breaker is open, a ServiceError `registry_unavailable` at once.
   */
  run<T>(operation: () => Promise<T>): Promise<T> {
    return this.#isOpen
      ? Promise.reject(new ServiceError('registry_unavailable'))
      : operation().catch(this.#noteFailure);
  }

  /** Runs the operation, open or not: its outcome opens or closes the breaker. */
  async probe<T>(operation: () => Promise<T>): Promise<T> {
    try {
      const result = await operation();
      this.#close();
      return result;
    } catch (error) {
      this.#open(error);
      throw error;
    }
  }

  readonly #noteFailure = (error: unknown): never => {
    // A refusal by Redis (its memory is full, say) is an answer.
    if (isOutage((error as Error).cause)) this.#open(error);
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
