/**
 * The code that measures how near servers are. It is a bundle of its own, which is loaded for players who want that
 * alone. The service is told nothing of what it measures.
 */

import { measureLatency } from './measure.ts';
import { Nearness, type Measured } from './nearness.ts';
import { beaconsFrom, latencyFrom } from './beacons-from.ts';

const KEPT_MS = 86_400_000;
/** How long the service may take to name its beacons, in ms. */
const LONGEST_QUESTION_MS = 10_000;

/** `value`: what the browser has kept of an earlier visit, and anybody may have changed. Undefined if it is too old. */
export function keptNearness(value: unknown): Nearness | undefined {
  const { at, beacons, latency } = (value ?? {}) as Partial<Record<keyof Measured, unknown>>;
  const age = Date.now() - Number(at);
  if (typeof at !== 'number' || !(age >= 0 && age < KEPT_MS)) return undefined;
  return nearnessOf({ at, beacons: beaconsFrom(beacons), latency: latencyFrom(latency) });
}

/** `url`: where the service names its beacons. Rejects if it names none, or if none of them answers. */
export async function measureNearness(url: string): Promise<Nearness> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(LONGEST_QUESTION_MS) });
  const named = (await answer.json()) as { readonly beacons?: unknown } | null;
  const beacons = beaconsFrom(named?.beacons);
  const measured = { at: Date.now(), beacons, latency: await measureLatency(beacons) };
  const nearness = nearnessOf(measured);
  if (nearness === undefined) throw new Error('no beacon answers');
  return nearness;
}

/** Undefined if the player is at a known distance from no beacon. */
function nearnessOf(measured: Measured): Nearness | undefined {
  return Object.keys(measured.latency).length === 0 ? undefined : new Nearness(measured);
}
