/**
 * How far a reader is from a game server, from what both have measured to a few fixed points, the beacons: no packet
 * goes from one to the other. As with Steam's ping locations
 * (https://partner.steamgames.com/doc/api/ISteamNetworkingUtils, EstimatePingTimeBetweenTwoLocations) the way over a
 * beacon is a bound from above, and the difference of two distances to one beacon is a bound from below.
 */

/** How long a packet takes to beacons and back, in ms, by their ids. */
export type Latency = Readonly<Record<string, number>>;

/** A fixed point whose distance game servers and readers measure. */
export interface Beacon {
  readonly id: string;
  readonly url: string;
  /** The name of its city or so, for people. */
  readonly place?: string;
  /** How far other beacons are. Each pair is told once, at either of the two. */
  readonly latency: Latency;
}

/** The name of the parameter and of the order. */
export const NEAR = 'near';

export const MOST_BEACONS = 16;
export const LONGEST_BEACON_ID = 16;
export const MOST_LATENCY_MS = 2000;

/** Whether the text can be the id of a beacon: small letters, digits and dashes. */
export function isBeaconId(text: string): boolean {
  return text.length <= LONGEST_BEACON_ID && /^[a-z\d-]+$/.test(text);
}

/** What readers round their latencies to, so that these say less about them. */
export const READER_STEP_MS = 5;

/** The latencies to all beacons in whole ms, in the order of these; UNKNOWN where one was not measured. */
export type Point = Uint16Array;

const UNKNOWN = 65_535;

/** What a latency may be off, as a part and in ms: routes on the internet are no straight lines. */
const TOLERANCE = { part: 1.3, ms: 20 };

/** The beacons of a registry, with the distances between them. */
export class BeaconMap {
  readonly beacons: readonly Beacon[];
  /** A text for each map: equal texts mean equal maps. */
  readonly text: string;
  /** How far two beacons are, by their places: the pairs of which that is known. */
  readonly #pairs: readonly (readonly [one: number, other: number, distance: number])[];

  constructor(beacons: readonly Beacon[]) {
    this.beacons = beacons;
    this.text = JSON.stringify(beacons.map(({ id, latency }) => [id, latency]));
    this.#pairs = shortestWays(beacons).flatMap((ways, one) =>
      ways.slice(0, one).flatMap((way, other) => (way === Infinity ? [] : [[one, other, way] as const])),
    );
  }

  /** Undefined if the latency is to none of the beacons. */
  pointOf(latency: Latency): Point | undefined {
    const point = new Uint16Array(this.beacons.length).fill(UNKNOWN);
    let known = 0;
    for (let at = 0; at < point.length; at += 1) {
      const { id } = this.beacons[at]!;
      if (!Object.hasOwn(latency, id)) continue;
      point[at] = Math.round(latency[id]!);
      known += 1;
    }
    return known === 0 ? undefined : point;
  }

  /** Whether a place can be that near to all beacons at once, given how far these are from each other. */
  isPossible(point: Point): boolean {
    // The way over a beacon that was not measured is longer than any distance.
    for (const [one, other, distance] of this.#pairs)
      if (TOLERANCE.part * (point[one]! + point[other]!) + TOLERANCE.ms < distance) return false;
    return true;
  }
}

/**
 * The shortest ways between beacons, over others where that is shorter: many a direct route of the internet is a
 * detour, and would make liars of honest game servers.
 */
function shortestWays(beacons: readonly Beacon[]): readonly (readonly number[])[] {
  const told = ({ latency }: Beacon, { id }: Beacon): number =>
    Object.hasOwn(latency, id) ? latency[id]! : Infinity;
  const ways = beacons.map((one) =>
    beacons.map((other) => (one === other ? 0 : Math.min(told(one, other), told(other, one)))),
  );
  for (const over of beacons.keys())
    for (const from of ways)
      for (const to of beacons.keys()) from[to] = Math.min(from[to]!, from[over]! + ways[over]![to]!);
  return ways;
}

/**
 * In ms, there and back: an estimate. Undefined if the two have measured no beacon in common. `most`: more than this
 * need not be told exactly, which is far cheaper.
 */
export function nearMs(one: Point, other: Point, most = Infinity): number | undefined {
  let above = UNKNOWN;
  let below = 0;
  for (let at = 0; at < one.length; at += 1) {
    const a = one[at]!;
    const b = other[at]!;
    if (a === UNKNOWN || b === UNKNOWN) continue;
    above = Math.min(above, a + b);
    below = Math.max(below, Math.abs(a - b));
    if (below > most) return below;
  }
  return above === UNKNOWN ? undefined : Math.max(above, below);
}

/** The latencies of a reader as `near` in a query has them: `fra:10,nyc:80`. */
export function nearText(latency: Latency): string {
  return Object.entries(latency)
    .map(([id, ms]) => `${id}:${READER_STEP_MS * Math.round(ms / READER_STEP_MS)}`)
    .join(',');
}

/** Reads such a text; undefined for any other. */
export function parseNear(text: string): Latency | undefined {
  const parts = text.split(',', MOST_BEACONS + 1).map((part) => /^([^:]+):(\d{1,4})$/.exec(part));
  const isRight = parts.every(
    (part) => part !== null && isBeaconId(part[1]!) && Number(part[2]) <= MOST_LATENCY_MS,
  );
  if (parts.length > MOST_BEACONS || !isRight) return undefined;
  return Object.fromEntries(parts.map((part) => [part![1]!, Number(part![2])]));
}
