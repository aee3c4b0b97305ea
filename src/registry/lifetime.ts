/**
 * The times and limits of the life cycle that registry.ts draws. In TypeScript only this file compares a deadline with
 * the time. Inside Redis, redis/lua/lib/grace.lua and hold.lua have the same rules.
 */

/** The times of an entry, in ms. All but keepIdMs follow from one TTL. */
export interface Lifetime {
  /** How long an entry is listed after its last ping. */
  readonly ttlMs: number;
  /** How often a game server should ping: one lost ping does no harm. */
  readonly pingIntervalMs: number;
  /** How long after its deadline an expired entry can be revived by a ping. */
  readonly reviveWindowMs: number;
  /** How long a parked entry can be brought back by its token; 0 if no entry is parked. */
  readonly keepIdMs: number;
  /** How often each replica sweeps. */
  readonly sweepIntervalMs: number;
  /** A gap between two sweeps that is longer than this may have swallowed pings: the grace gate shuts. */
  readonly maxSweepGapMs: number;
  /** An entry with less than this left to live has missed a ping: it is silent. */
  readonly silentBelowMs: number;
  /** How long the hold of a mass expiry lasts at most. */
  readonly longestHoldMs: number;
}

/**
 * The longest time between two sweeps: an entry has to be gone within TTL + 2 s, and an idle replica notices a loss of
 * data in Redis by its sweep, which has to be mended within a second. One sweep costs Redis about 10 µs.
 */
const LONGEST_SWEEP_INTERVAL_MS = 150;

/**
 * The shortest gap that shuts the grace gate, if TTL/3 is not shorter still: a busy process pauses for less. Every gap
 * must be shorter than the time between two pings, or a few in a row swallow all pings of one TTL: with gaps of TTL/3
 * two were enough.
 */
const SHORTEST_GAP_MS = 1000;

/** The longest hold of a mass expiry: after it a network is repaired, or its game servers are gone. */
export const LONGEST_HOLD_MS = 5 * 60 * 1000;

/** How many entries must be listed for a mass expiry to be held: in a smaller registry most can well stop together. */
export const FEWEST_FOR_A_HOLD = 50;

/** Two sums of votes count as equal below this difference: a vote may be a fraction. */
export const ROUNDING_OF_VOTES = 1e-6;

/** How many tombstones are kept however old they are: those of the latest removals. */
export const FEWEST_TOMBSTONES = 10_000;

/** How long further tombstones are kept: a client that was away for less can still learn what left the list since. */
export const RESUMABLE_US = 5 * 60 * 1_000_000;

/** The most tombstones of all: 333 removals a second for that time. They take a replica 15 MB, and Redis 10 MB. */
export const MOST_TOMBSTONES = 100_000;

/** Whether the oldest of `count` tombstones may be forgotten, by the versions of the oldest and latest removal. */
export function mayForget(count: number, oldestVersion: number, latestVersion: number): boolean {
  if (count <= FEWEST_TOMBSTONES) return false;
  return count > MOST_TOMBSTONES || oldestVersion < latestVersion - RESUMABLE_US;
}

/** The longest TTL that can be configured. */
export const LONGEST_TTL_MS = 24 * 60 * 60 * 1000;

/** How long an entry stays parked where nothing else is said: a game server is back within a day. */
export const USUAL_KEEP_ID_MS = 24 * 60 * 60 * 1000;

/** The longest time for which an entry can be parked: it counts in quotas all the while. */
export const LONGEST_KEEP_ID_MS = 30 * 24 * 60 * 60 * 1000;

/** Derives all times of an entry from its TTL, and takes the one for which it can be parked. */
export function createLifetime(ttlMs: number, keepIdMs = USUAL_KEEP_ID_MS): Lifetime {
  return Object.freeze({
    ttlMs,
    pingIntervalMs: Math.floor(ttlMs / 3),
    reviveWindowMs: 10 * ttlMs,
    keepIdMs,
    sweepIntervalMs: Math.min(LONGEST_SWEEP_INTERVAL_MS, Math.floor(ttlMs / 12)),
    maxSweepGapMs: Math.min(Math.floor(ttlMs / 3), Math.max(SHORTEST_GAP_MS, Math.floor(ttlMs / 12))),
    silentBelowMs: Math.floor(ttlMs / 3),
    longestHoldMs: Math.min(LONGEST_HOLD_MS, 5 * ttlMs),
  });
}

/** The lifetime of entries with a TTL of their own, in a registry with the first lifetime. */
export function createOwnLifetime(
  { reviveWindowMs, keepIdMs, sweepIntervalMs, maxSweepGapMs }: Lifetime,
  { ttlMs, silentBelowMs }: Pick<Lifetime, 'ttlMs' | 'silentBelowMs'>,
): Lifetime {
  const own = createLifetime(ttlMs, keepIdMs);
  return Object.freeze({ ...own, silentBelowMs, reviveWindowMs, sweepIntervalMs, maxSweepGapMs });
}

/** Whether an entry with this deadline is listed at `now`; both are ms since the epoch. */
export function isAlive(expiresAt: number, now: number): boolean {
  return expiresAt > now;
}

/** Whether an entry that left at `leftAt`, ms since the epoch, can still be revived at `now`, within this window. */
export function isRevivable(leftAt: number, now: number, windowMs: number): boolean {
  return now < leftAt + windowMs;
}
