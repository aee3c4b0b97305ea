/**
 * Expires the entries that are past their deadlines, unless these deadlines prove nothing (grace-gate.ts) or a mass
 * expiry is held (expiry-hold.ts). In Redis lua/changes.lua does this.
 */

import { isAlive, type Lifetime } from '../lifetime.ts';
import type { RegistryEvents } from '../registry.ts';
import type { Entries } from './entries.ts';
import type { MemoryEntry } from './memory-entry.ts';
import { ExpiryHold } from './expiry-hold.ts';
import { GraceGate } from './grace-gate.ts';
import type { LifetimeGroup } from './listed-entries.ts';

export interface SweeperOptions {
  readonly lifetime: Lifetime;
  readonly entries: Entries;
  readonly holdMassExpiry: boolean;
  readonly events: Partial<RegistryEvents>;
}

export class Sweeper {
  readonly #options: SweeperOptions;
  readonly #grace: GraceGate;
  readonly #holds = new Map<LifetimeGroup, ExpiryHold>();

  constructor(options: SweeperOptions) {
    this.#options = options;
    this.#grace = new GraceGate(options.lifetime);
  }

  /** Expires what may expire at `now`, ms since the epoch. */
  sweep(now: number): void {
    const { entries, events } = this.#options;
    if (this.#grace.pass(now)) entries.limitDeadlines(now);
    const expired: MemoryEntry[] = [];
    for (const group of entries.listed.groups) {
      if (!this.#mayExpire(group, now)) continue;
      for (const entry of group.entries.values()) {
        if (isAlive(entry.expiresAt, now)) break;
        entries.expire(entry);
        expired.push(entry);
      }
    }
    if (expired.length > 0) events.onExpired?.(expired);
  }

  /** Whether entries of the group may expire. Each lifetime has its own TTL at the gate, and its own hold. */
  #mayExpire(group: LifetimeGroup, now: number): boolean {
    const { lifetime, entries, voters } = group;
    if (!this.#grace.isOpen(now, lifetime.ttlMs)) return false;
    if (!this.#options.holdMassExpiry) return true;
    let hold = this.#holds.get(group);
    if (hold === undefined) {
      hold = new ExpiryHold(lifetime, this.#grace, this.#options.events);
      this.#holds.set(group, hold);
    }
    return hold.mayExpire(now, entries, voters);
  }
}
