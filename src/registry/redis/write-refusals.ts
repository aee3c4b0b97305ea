/**
 * Whether a Redis that answers takes writes: the one place that decides it. Every refused write begins a time of
 * refusal, and so does a sweep that could not be noted: replicas find out while nobody else writes. It ends when sweeps
 * are noted and no write was refused for a while, so that a Redis at its limit, which refuses now and then, is reported
 * once. It does not know what is done about it.
 */

import type { RedisRegistryEvents } from './events.ts';
import { isDamage, isOutage, isReply, lateAt } from './scripts/retry.ts';

export interface WriteRefusalsOptions {
  readonly events: Partial<Pick<RedisRegistryEvents, 'onWritesRefused' | 'onWritesAccepted'>>;
  /** The time without a refusal after which writes count as accepted, in ms. */
  readonly calmMs: number;
  /** A clock in ms that is never set. */
  readonly now?: () => number;
}

/** Each time of refusal that follows soon on another one takes twice as long to end, up to so many times. */
const MOST_CALM = 16;

export class WriteRefusals {
  readonly #options: Required<WriteRefusalsOptions>;
  #isRefusing = false;
  #refusedAt = -Infinity;
  #calmMs: number;

  constructor({ now = () => performance.now(), ...options }: WriteRefusalsOptions) {
    this.#options = { ...options, now };
    this.#calmMs = options.calmMs;
  }

  /** Receives the error of a write. Only a refusal by Redis counts: not its absence, damaged keys or a late write. */
  noteFailure(error: unknown): void {
    if (isReply(error) && !isOutage(error) && !isDamage(error) && lateAt(error) === undefined)
      this.note(error);
  }

  /** Receives what Redis said when it refused a write. */
  note(refusal: Error): void {
    const { events, calmMs, now } = this.#options;
    const isSoon = now() - this.#refusedAt < 2 * this.#calmMs;
    this.#refusedAt = now();
    if (this.#isRefusing) return;
    this.#isRefusing = true;
    this.#calmMs = isSoon ? Math.min(2 * this.#calmMs, MOST_CALM * calmMs) : calmMs;
    events.onWritesRefused?.(refusal);
  }

  /** Ends a time of refusal without an event: Redis does not answer any more, and onUnavailable says so. */
  forget(): void {
    this.#isRefusing = false;
  }

  /** Receives that Redis has just taken a write of this or another replica. */
  noteSuccess(): void {
    if (!this.#isRefusing || this.#options.now() - this.#refusedAt < this.#calmMs) return;
    this.#isRefusing = false;
    this.#options.events.onWritesAccepted?.();
  }
}
