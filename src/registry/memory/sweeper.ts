/**
 * Takes expired entries off the list, unless their deadlines prove nothing (grace-gate.ts) or a mass expiry is held
 * (expiry-hold.ts). In Redis lua/changes.lua does this.
 */

import { isAlive } from '../lifetime.ts';
import type { RegistryEvents } from '../registry.ts';
import type { Entries } from './entries.ts';
import type { MemoryEntry } from './memory-entry.ts';
import { ExpiryHold } from './expiry-hold.ts';
import { GraceGate } from './grace-gate.ts';
import type { LifetimeGroup } from './listed-entries.ts';

interface Gates {
  readonly grace: GraceGate;
  readonly hold: ExpiryHold | undefined;
}

export interface SweeperOptions {
  readonly entries: Entries;
  readonly holdMassExpiry: boolean;
  readonly events: Partial<RegistryEvents>;
}

export class Sweeper {
  readonly #options: SweeperOptions;
  readonly #gates = new Map<LifetimeGroup, Gates>();

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  /** `now`: ms since the epoch. */
  sweep(now: number): void {
    const { entries, events } = this.#options;
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

  /** Each lifetime is judged by itself: a TTL of its own, and whether most of its entries are silent. */
  #mayExpire(group: LifetimeGroup, now: number): boolean {
    const { grace, hold } = this.#gatesOf(group);
    const gate = grace.pass(now);
    if (gate === 'clock_went_back') this.#options.entries.limitDeadlines(now);
    return gate === 'open' && hold?.mayExpire(now, group.entries, group.voters) !== false;
  }

  #gatesOf(group: LifetimeGroup): Gates {
    let gates = this.#gates.get(group);
    if (gates === undefined) {
      const { holdMassExpiry, events } = this.#options;
      const grace = new GraceGate(group.lifetime);
      gates = { grace, hold: holdMassExpiry ? new ExpiryHold(group.lifetime, grace, events) : undefined };
      this.#gates.set(group, gates);
    }
    return gates;
  }
}
