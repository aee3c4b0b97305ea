/** Measures how far away beacons are, by plain requests. */

import { MOST_LATENCY_MS, type Beacon, type Latency } from '../../model/near.ts';

/** How many beacons are measured at a time. */
const AT_ONCE = 4;
/** How many answers of a beacon count. The first one opens the connection, and does not count. */
const COUNTED = 5;
const REQUEST: RequestInit = { cache: 'no-store', credentials: 'omit', redirect: 'error' };

/** Beacons that do not answer are left out. */
export async function measureLatency(beacons: readonly Beacon[]): Promise<Latency> {
  const latency: Record<string, number> = {};
  const measure = async ({ id, url }: Beacon): Promise<void> => {
    const ms = await distanceOf(url);
    if (ms !== undefined) latency[id] = ms;
  };
  // A browser remembers the times of a few hundred requests, and then of no more.
  performance.clearResourceTimings();
  for (let at = 0; at < beacons.length; at += AT_ONCE)
    await Promise.all(beacons.slice(at, at + AT_ONCE).map(measure));
  return latency;
}

/** The median in whole ms; undefined if no answer counts. */
async function distanceOf(url: string): Promise<number | undefined> {
  const byClock: number[] = [];
  let name = url;
  try {
    while (byClock.length <= COUNTED) {
      const begunAt = performance.now();
      name = (await fetch(url, { ...REQUEST, signal: AbortSignal.timeout(MOST_LATENCY_MS) })).url;
      byClock.push(performance.now() - begunAt);
    }
  } catch {
    // The answers before it count.
  }
  // The browser knows better than a script that has to wait for its turn, but may not tell.
  const told = (performance.getEntriesByName(name) as PerformanceResourceTiming[])
    .map(({ requestStart, responseStart }) => responseStart - requestStart)
    .filter((ms) => ms > 0);
  const counted = (told.length > 1 ? told : byClock).slice(1).toSorted((a, b) => a - b);
  return counted.length === 0 ? undefined : Math.round(counted[counted.length >> 1]!);
}
