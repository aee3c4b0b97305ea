/**
 * Takes expired entries off the list, unless their deadlines prove nothing (grace-gate.ts) or a mass expiry is held
 * (expiry-hold.ts). In Redis lua/changes.lua does this.
 */

import { isAlive, type Lifetime } from '../lifetime.ts';
import type { RegistryEvents } from '../registry.ts';
import type { Entries } from './entries.ts';
import type { MemoryEntry } from './memory-entry.ts';
import { ExpiryHold } from './expiry-hold.ts';
import { GraceGate } from './grace-gate.ts';

export interface SweeperOptions {
  readonly lifetime: Lifetime;
  readonly entries: Entries;
  readonly holdMassExpiry: boolean;
  readonly events: Partial<RegistryEvents>;
}

export class Sweeper {
  readonly #entries: Entries;
  readonly #events: Partial<RegistryEvents>;
  readonly #grace: GraceGate;
  readonly #hold: ExpiryHold | undefined;

  constructor({ lifetime, entries, holdMassExpiry, events }: SweeperOptions) {
    this.#entries = entries;
    this.#events = events;
    this.#grace = new GraceGate(lifetime);
    if (holdMassExpiry) this.#hold = new ExpiryHold(lifetime, this.#grace, events);
  }

  /** `now`: ms since the epoch. */
  sweep(now: number): void {
    const entries = this.#entries;
    const gate = this.#grace.pass(now);
    if (gate === 'clock_went_back') entries.limitDeadlines(now);
    if (gate !== 'open' || this.#hold?.mayExpire(now, entries.listed, entries.voters) === false) return;
    const expired: MemoryEntry[] = [];
    for (const entry of entries.listed.values()) {
      if (isAlive(entry.expiresAt, now)) break;
      entries.expire(entry);
      expired.push(entry);
    }
    if (expired.length > 0) this.#events.onExpired?.(expired);
  }
}
