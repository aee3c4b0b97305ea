/**
 * Keeps callers from waiting for a Redis that does not answer: after the first operation in vain all others are
 * refused at once, until a probe gets through. Knows nothing of scripts or lists.
 */

import { ServiceError } from '../../errors.ts';
import { isOutage } from './retry.ts';

export interface CircuitBreakerEvents {
  /** Redis gave no answer in time. Told once, until it answers again. */
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

  /** Does what is asked, unless open. Throws a ServiceError `registry_unavailable` at once then, or what the operation threw. */
  async run<T>(operation: () => Promise<T>): Promise<T> {
    if (this.#isOpen) throw new ServiceError('registry_unavailable');
    try {
      return await operation();
    } catch (error) {
      // That Redis refuses this one (its memory is full, say) is an answer.
      if (isOutage((error as Error).cause)) this.#open(error);
      throw error;
    }
  }

  /** Tries Redis, open or not: the outcome decides about all others. */
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
