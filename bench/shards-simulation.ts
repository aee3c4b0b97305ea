/**
 * What would differ if a registry were spread over several shards, by arithmetic on seeded random numbers: waiting times,
 * order, fill. Knows nothing of Redis and of the service; shards.ts gives it what was measured.
 */

const SHARDS = 4;
const SAMPLES = 200_000;

/** Mulberry32: the same numbers in each run. */
let seed = 1;
function random(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
const below = (limit: number): number => Math.floor(random() * limit);
const exponential = (mean: number): number => -mean * Math.log(1 - random());

/** `share` is 0.5 for the median. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))]!;
}

/** The slowest of `count` random ones, many times. */
export function slowestOf(samples: readonly number[], count: number): number[] {
  const slowest = (): number =>
    Math.max(...Array.from({ length: count }, () => samples[below(samples.length)]!));
  return Array.from({ length: 20_000 }, slowest);
}

/** ms that a poll waits for a Redis which is busy for this share of the time, with calls that come at random. */
export function waitsMs(callMs: number, busyShare: number): number[] {
  let waitMs = 0;
  return Array.from({ length: SAMPLES }, () => {
    waitMs = Math.max(0, waitMs + callMs - exponential(callMs / busyShare));
    return waitMs;
  });
}

export interface GroupsAtRedis {
  readonly busyShare: number;
  readonly pingsInGroup: number;
}

/**
 * Pings that come at random to some replicas, each of which has one group under way: a call costs Redis `callUs`, and
 * `pingUs` for each ping in it.
 */
export function groupsAt(
  perSecond: number,
  { replicas, roundTripUs, callUs, pingUs }: Record<'replicas' | 'roundTripUs' | 'callUs' | 'pingUs', number>,
): GroupsAtRedis {
  const meanUs = (1e6 * replicas) / perSecond;
  /** When each replica may send, and when its next ping comes. */
  const states = Array.from({ length: replicas }, () => ({ readyAt: 0, nextAt: exponential(meanUs) }));
  const sendAt = (state: (typeof states)[number]): number => Math.max(state.readyAt, state.nextAt);
  let [freeAt, busyUs, pings] = [0, 0, 0];
  for (let calls = 1; ; calls += 1) {
    const state = states.reduce((first, each) => (sendAt(each) < sendAt(first) ? each : first));
    const sentAt = sendAt(state);
    let size = 0;
    for (; state.nextAt <= sentAt; size += 1) state.nextAt += exponential(meanUs);
    const workUs = callUs + size * pingUs;
    freeAt = Math.max(freeAt, sentAt + roundTripUs / 2) + workUs;
    state.readyAt = freeAt + roundTripUs / 2;
    busyUs += workUs;
    pings += size;
    if (pings >= SAMPLES) return { busyShare: busyUs / freeAt, pingsInGroup: pings / calls };
  }
}

export interface Disorder {
  /** Of all neighbours in the list, those that were broadcast in the other order. */
  readonly swappedShare: number;
  /** How far an entry is from its place. */
  readonly p99Places: number;
  /** How many neighbours have the very same version. */
  readonly ties: number;
}

/** Broadcasts at random times to shards whose clocks are spread evenly from `skewMs` slow to `skewMs` fast. */
export function disorder(perSecond: number, skewMs: number, count = 50_000): Disorder {
  const offsetsUs = Array.from({ length: SHARDS }, (_, i) => 1000 * skewMs * ((2 * i) / (SHARDS - 1) - 1));
  let timeUs = 1e9;
  const broadcasts = Array.from({ length: count }, (_, place) => {
    timeUs += exponential(1e6 / perSecond);
    return { place, version: Math.floor(timeUs + offsetsUs[below(SHARDS)]!) };
  });
  const listed = broadcasts.toSorted((a, b) => a.version - b.version);
  let [swapped, ties] = [0, 0];
  for (let i = 1; i < count; i += 1) {
    if (listed[i - 1]!.place > listed[i]!.place) swapped += 1;
    if (listed[i - 1]!.version === listed[i]!.version) ties += 1;
  }
  const places = listed.map(({ place }, i) => Math.abs(place - i));
  return { swappedShare: swapped / count, p99Places: quantile(places, 0.99), ties };
}

export interface Fill {
  /** The game servers of the fullest shard, as a multiple of the average. */
  readonly fullest: number;
  /** How many of the shards find more than half of their game servers silent. */
  readonly holding: number;
}

/**
 * `listed` game servers on IPs that have 4 to 2,000 each, most of them few. The given share of them is silent, by IP.
 * The shard is chosen by the id or by the IP.
 */
export function fill(by: 'id' | 'IP', listed: number, silentShare: number): Fill {
  const shards = Array.from({ length: SHARDS }, () => ({ listed: 0, silent: 0 }));
  for (let left = listed, size = 0; left > 0; left -= size) {
    size = Math.min(left, 2000, Math.floor(4 * (1 - random()) ** (-1 / 1.1)));
    const shardOfIp = below(SHARDS);
    for (let i = 0; i < size; i += 1) {
      const shard = shards[by === 'IP' ? shardOfIp : below(SHARDS)]!;
      shard.listed += 1;
      if (listed - left < silentShare * listed) shard.silent += 1;
    }
  }
  return {
    fullest: (Math.max(...shards.map((shard) => shard.listed)) / listed) * SHARDS,
    holding: shards.filter((shard) => shard.silent > shard.listed / 2).length,
  };
}
