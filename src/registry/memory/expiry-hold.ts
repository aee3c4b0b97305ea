/**
 * The hold of a mass expiry. When most entries of a large registry fall silent together, the network between the game
 * servers and this process is the likelier cause: their expiry is held for a while. Eureka calls this self-preservation
 * and never ends it; here a hold needs a large registry, and its time is limited. Each network of clients has one vote,
 * which its listed entries share: how many entries an address invents does not matter. The hold knows the deadlines and
 * clients of entries, and nothing else of them. The twin of redis/lua/lib/hold.lua.
 */

import { FEWEST_FOR_A_HOLD, isAlive, ROUNDING_OF_VOTES, type Lifetime } from '../lifetime.ts';
import type { RegistryEvents } from '../registry.ts';
import type { GraceGate } from './grace-gate.ts';

/** The listed entries of one lifetime, in order of their deadlines. */
interface Deadlines {
  readonly size: number;
  values(): IterableIterator<{ readonly expiresAt: number; readonly client: string }>;
}

/** The networks of the clients of these entries. */
interface Voters {
  /** How many networks have listed entries. */
  readonly networks: number;
  /** How many entries the network of this client has. */
  of(client: string): number;
}

/** How many silent entries vote. If there are more, an evenly spread sample votes: a million would take 0.1 s. */
const MOST_HEARD = 5000;

export class ExpiryHold {
  readonly #lifetime: Lifetime;
  readonly #grace: GraceGate;
  readonly #events: Partial<RegistryEvents>;
  /** When the hold began, ms since the epoch. Kept while most are silent, even after the hold has lasted too long. */
  #since: number | undefined;
  #isHolding = false;
  #mayExpire = true;
  #decidedAt = -Infinity;

  constructor(lifetime: Lifetime, grace: GraceGate, events: Partial<RegistryEvents>) {
    this.#lifetime = lifetime;
    this.#grace = grace;
    this.#events = events;
  }

  /**
   * Whether a sweep at `now`, ms since the epoch, may expire the entries that are due. It decides at most once in a
   * sweep interval, because it counts the silent entries for that, and each list() sweeps too.
   */
  mayExpire(now: number, listed: Deadlines, voters: Voters): boolean {
    const next = listed.values().next().value;
    const isDue = next !== undefined && !isAlive(next.expiresAt, now);
    const isEarly = Math.abs(now - this.#decidedAt) < this.#lifetime.sweepIntervalMs;
    if ((isDue || this.#since !== undefined) && !isEarly) {
      const silent = this.#countSilent(now, listed);
      this.#mayExpire = this.#decide(now, listed.size, silent, mostAreSilent(silent, listed, voters));
      this.#decidedAt = now;
    }
    return this.#mayExpire;
  }

  #decide(now: number, listed: number, silent: number, isMass: boolean): boolean {
    const wasNoted = this.#since !== undefined;
    const wasHolding = this.#isHolding;
    // If the clock goes back, the hold counts as begun at the new time.
    const since = Math.min(this.#since ?? now, now);
    const isSpent = now - since >= this.#lifetime.longestHoldMs;
    this.#since = isMass ? since : undefined;
    this.#isHolding = isMass && !isSpent;
    if (this.#isHolding && !wasHolding) this.#events.onExpiryHeld?.({ silent, listed });
    if (wasHolding && !this.#isHolding) this.#events.onExpiryReleased?.();
    if (this.#isHolding) return false;
    // Most are back, so the others may be about to come back: they get one TTL.
    const isOver = wasNoted && !isMass && !isSpent;
    if (isOver) this.#grace.shut(now);
    return !isOver;
  }

  #countSilent(now: number, listed: Deadlines): number {
    let silent = 0;
    for (const { expiresAt } of listed.values()) {
      if (isAlive(expiresAt, now + this.#lifetime.silentBelowMs)) break;
      silent += 1;
    }
    return silent;
  }
}

/** Whether most networks are silent. The first `silent` of the listed entries are the silent ones. */
function mostAreSilent(silent: number, listed: Deadlines, voters: Voters): boolean {
  if (listed.size < FEWEST_FOR_A_HOLD || silent <= FEWEST_FOR_A_HOLD / 2) return false;
  // Entries whose client has no known address belong to no network.
  if (voters.networks === 0) return silent > listed.size / 2;
  const stride = Math.ceil(silent / MOST_HEARD);
  let votes = 0;
  let index = 0;
  for (const { client } of listed.values()) {
    if (index === silent) break;
    if (index % stride === 0 && client !== '') votes += stride / voters.of(client);
    index += 1;
  }
  return votes > voters.networks / 2 + ROUNDING_OF_VOTES;
}
