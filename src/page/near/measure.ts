/** Measures how far away beacons are, by plain requests. */

import { MOST_LATENCY_MS, type Beacon, type Latency } from '../../model/near.ts';

/** How many beacons are measured at a time. */
const AT_ONCE = 4;
/** How many answers of a beacon count. The first one opens the connection, and does not count. */
const COUNTED = 5;

const REQUEST: RequestInit = {
  mode: 'cors',
  cache: 'no-store',
  credentials: 'omit',
  redirect: 'error',
};

/** Beacons that do not answer are left out. */
export async function measureLatency(beacons: readonly Beacon[]): Promise<Latency> {
  const latency: Record<string, number> = {};
  const waiting = [...beacons];
  const measureSome = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const ms = await distanceOf(next.url);
      if (ms !== undefined) latency[next.id] = ms;
    }
  };
  // A browser notes the times of a few hundred requests, and then no more.
  performance.clearResourceTimings();
  await Promise.all(Array.from({ length: AT_ONCE }, measureSome));
  return latency;
}

/** The median in whole ms; undefined if no answer counts. */
async function distanceOf(url: string): Promise<number | undefined> {
  const byClock: number[] = [];
  let name = url;
  try {
    while (byClock.length <= COUNTED) {
      const begunAt = performance.now();
      const answer = await fetch(url, { ...REQUEST, signal: AbortSignal.timeout(MOST_LATENCY_MS) });
      byClock.push(performance.now() - begunAt);
      name = answer.url;
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
