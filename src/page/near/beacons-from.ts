/** The beacons, and the latencies to them, in any JSON: whatever is no beacon or no latency is dropped. */

import { isBeaconId, MOST_BEACONS, MOST_LATENCY_MS, type Beacon, type Latency } from '../../model/near.ts';
import { cut } from '../parts/meta-words.ts';

const LONGEST_PLACE = 40;

export function beaconsFrom(value: unknown): readonly Beacon[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  return all.slice(0, MOST_BEACONS).flatMap((each) => beaconFrom(each) ?? []);
}

function beaconFrom(value: unknown): Beacon | undefined {
  const { id, url, place, latency } = (value ?? {}) as Partial<Record<keyof Beacon, unknown>>;
  if (typeof id !== 'string' || !isBeaconId(id) || typeof url !== 'string' || !isLoadable(url))
    return undefined;
  const named = typeof place === 'string' && { place: cut(place, LONGEST_PLACE) };
  return { id, url, ...named, latency: latencyFrom(latency) };
}

/** A page that came by https may load nothing by http. */
function isLoadable(url: string): boolean {
  return url.startsWith('https://') || (url.startsWith('http://') && location.protocol === 'http:');
}

export function latencyFrom(value: unknown): Latency {
  const right = Object.entries(value ?? {}).filter(([id, ms]) => isBeaconId(id) && isLatency(ms));
  return Object.fromEntries(right.slice(0, MOST_BEACONS));
}

function isLatency(ms: unknown): boolean {
  return typeof ms === 'number' && ms >= 0 && ms <= MOST_LATENCY_MS;
}
