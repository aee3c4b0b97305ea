/** Notes of a registry in memory. Twin of redis/redis-notes.ts. */

import type { Notes } from '../notes.ts';
import type { Clock } from '../registry.ts';

/** More are not kept: the oldest go. Anyone may cause one. */
const MOST_NOTES = 10_000;

export class MemoryNotes implements Notes {
  readonly #clock: Clock;
  readonly #notes = new Map<string, { readonly text: string; readonly until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async note(key: string, text: string, forMs: number): Promise<void> {
    this.#notes.delete(key);
    this.#notes.set(key, { text, until: this.#clock.now() + forMs });
    if (this.#notes.size > MOST_NOTES) this.#notes.delete(this.#notes.keys().next().value!);
  }

  async noted(key: string): Promise<string | undefined> {
    const note = this.#notes.get(key);
    if (note === undefined || note.until > this.#clock.now()) return note?.text;
    this.#notes.delete(key);
    return undefined;
  }
}
