/**
 * The hold of a mass expiry. When most entries of a large registry fall silent together, the network between the game
 * servers and this process is the likelier cause: their expiry is held for a while. Eureka calls this
 * self-preservation, and has no end of it; here its size and its time are limited. Each network of clients has one
 * vote, which its listed entries share: how many entries an address invents does not matter. Knows deadlines and
 * clients, and nothing else of entries. Twin of redis/lua/lib/hold.lua.
 */

import { FEWEST_FOR_A_HOLD, isAlive, ROUNDING_OF_VOTES, type Lifetime } from '../lifetime.ts';
import type { RegistryEvents } from '../registry.ts';
import type { GraceGate } from './grace-gate.ts';

/** Listed entries, in order of their deadlines. */
interface Deadlines {
  readonly size: number;
  values(): IterableIterator<{ readonly expiresAt: number; readonly client: string }>;
}

/** Networks of clients. */
interface Voters {
  /** How many have listed entries. */
  readonly networks: number;
  /** How many entries the network of this client has. */
  of(client: string): number;
}

/** Of more silent entries a part is heard, evenly spread: a million of them would take a tenth of a second. */
const MOST_HEARD = 5000;

export class ExpiryHold {
  readonly #lifetime: Lifetime;
  readonly #grace: GraceGate;
  readonly #events: Partial<RegistryEvents>;
  /** When the hold began, ms since the epoch. Kept while most are silent, also after the hold has lasted too long. */
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
   * Whether a sweep at `now`, ms since the epoch, may expire the entries that are due. Decides once a sweep interval at
   * most, because the silent entries are counted for it, and each list sweeps too.
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
    // If the clock goes back, the limit counts from there.
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

/** Whether most networks are silent. The first of the listed are the silent ones. */
function mostAreSilent(silent: number, listed: Deadlines, voters: Voters): boolean {
  if (listed.size < FEWEST_FOR_A_HOLD || silent <= FEWEST_FOR_A_HOLD / 2) return false;
  // Entries of clients whose address is not known have no network.
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
