/**
 * How long a game server lives without a ping, and when deadlines may be believed at all.
 * The only place that decides liveness; redis/lua/changes.lua keeps the same rules inside Redis.
 */

/** The times that follow from one TTL. All in ms. */
export interface Lifetime {
  /** How long an entry lives after its last ping. */
  readonly ttlMs: number;
  /** How often a game server should ping: one lost ping does no harm, a second that comes late hardly. */
  readonly pingIntervalMs: number;
  /** How long after its deadline an expired entry can be revived by a ping. */
  readonly reviveWindowMs: number;
  /** How often each replica sweeps. */
  readonly sweepIntervalMs: number;
  /** A gap between two sweeps longer than this may have swallowed pings: the grace gate closes. */
  readonly maxSweepGapMs: number;
  /** Who has less than this left to live has let a ping interval pass and is silent. */
  readonly silentBelowMs: number;
  /** How long the expiry of a silent majority is held. */
  readonly longestHoldMs: number;
}

/**
 * Fine enough for "gone within TTL + 2 s". It is also how soon an idle replica notices that Redis lost data, which has
 * to be mended within a second; a look costs Redis about 10 µs.
 */
const LONGEST_SWEEP_INTERVAL_MS = 150;

/**
 * A gap has to be shorter than any pause between two attempts of a game server, or a few of them in a row swallow all
 * its attempts of one TTL: with gaps of TTL/3 two were enough. Longer than a busy process stands still.
 */
const SHORTEST_GAP_MS = 1000;

/** A network is repaired by then, or its game servers are better taken for dead. */
const LONGEST_HOLD_MS = 5 * 60 * 1000;

/** In a smaller registry most can well stop together: one machine is switched off. */
const FEWEST_FOR_A_HOLD = 50;

export function createLifetime(ttlMs: number): Lifetime {
  return Object.freeze({
    ttlMs,
    pingIntervalMs: Math.floor(ttlMs / 3),
    reviveWindowMs: 10 * ttlMs,
    sweepIntervalMs: Math.min(LONGEST_SWEEP_INTERVAL_MS, Math.floor(ttlMs / 12)),
    maxSweepGapMs: Math.min(Math.floor(ttlMs / 3), Math.max(SHORTEST_GAP_MS, Math.floor(ttlMs / 12))),
    silentBelowMs: Math.floor(ttlMs / 3),
    longestHoldMs: Math.min(LONGEST_HOLD_MS, 5 * ttlMs),
  });
}

/** Whether an entry with this deadline is to be listed at `now`. Both in ms since the epoch. */
export function isAlive(expiresAt: number, now: number): boolean {
  return expiresAt > now;
}

/**
 * Nobody expires for one whole TTL after the sweeping began or was interrupted (we were down, the machine
 * slept, the clock jumped): the pings of that time had nowhere to go, so the deadlines prove nothing.
 * Without the gate an outage of 5 s at a TTL of 2 s expired 100 of 100 living servers, with it none.
 */
export class GraceGate {
  readonly #lifetime: Lifetime;
  #sweptAt = -Infinity;
  #graceUntil = 0;

  constructor(lifetime: Lifetime) {
    this.#lifetime = lifetime;
  }

  /** Closes for one TTL. */
  shut(now: number): void {
    this.#graceUntil = now + this.#lifetime.ttlMs;
  }

  /** Notes a sweep at `now`. `open`: deadlines count; `shut`: they do not; `clock_went_back`: shut, and deadlines lie too far ahead. */
  pass(now: number): 'open' | 'shut' | 'clock_went_back' {
    const wentBack = now < this.#sweptAt;
    const gapMs = now - this.#sweptAt;
    if (wentBack || gapMs > this.#lifetime.maxSweepGapMs) this.shut(now);
    this.#sweptAt = now;
    if (wentBack) return 'clock_went_back';
    return now >= this.#graceUntil ? 'open' : 'shut';
  }
}

/**
 * When most of a large registry falls silent together, something between the game servers and us has broken:
 * their expiry is held, for a while. Registries that hold on to everybody for good (Eureka's
 * self-preservation) are hated for it, hence the size and the time limit.
 */
export class ExpiryHold {
  readonly #lifetime: Lifetime;
  #since: number | undefined;
  #isHolding = false;

  constructor(lifetime: Lifetime) {
    this.#lifetime = lifetime;
  }

  /** Whether a silent majority is being kept, or was kept for too long. */
  get isNoted(): boolean {
    return this.#since !== undefined;
  }

  /** Whether a silent majority is being kept. */
  get isHolding(): boolean {
    return this.#isHolding;
  }

  /**
   * What a sweep at `now` does with those that are due. `hold`: nothing; `expire`: takes them off; `grace`:
   * nothing, and nobody expires for one TTL, because the majority is back and the rest may be about to be.
   */
  decide(now: number, listed: number, silent: number): 'hold' | 'expire' | 'grace' {
    // Should the clock go back, the limit counts from there.
    const since = Math.min(this.#since ?? now, now);
    const isSpent = now - since >= this.#lifetime.longestHoldMs;
    const wasNoted = this.isNoted;
    const isMass = listed >= FEWEST_FOR_A_HOLD && silent > listed / 2;
    this.#since = isMass ? since : undefined;
    this.#isHolding = isMass && !isSpent;
    if (this.#isHolding) return 'hold';
    return wasNoted && !isMass && !isSpent ? 'grace' : 'expire';
  }
}
