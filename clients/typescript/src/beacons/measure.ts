/** Measures how far beacons are: the time of a small request on a connection that is open already. */

import type { Environment } from '../environment.ts';
import { isRecord } from '../../../../src/model/json.ts';
import {
  isBeaconId,
  MOST_BEACONS,
  MOST_LATENCY_MS,
  type Beacon,
  type Latency,
} from '../../../../src/model/near.ts';

/** One opens the connection, and the median of the others counts. */
const REQUESTS = 6;
/** The most of an answer that is read, in bytes: a beacon answers with nothing. */
const MOST_BYTES = 4096;

/** The beacons that an answer of `GET /beacons` names, as far as they can be measured. */
export function beaconsIn({ beacons }: Readonly<Record<string, unknown>>): readonly Beacon[] {
  return Array.isArray(beacons) ? beacons.filter(isBeacon).slice(0, MOST_BEACONS) : [];
}

function isBeacon(value: unknown): value is Beacon {
  if (!isRecord(value)) return false;
  const { id, url } = value;
  if (typeof id !== 'string' || !isBeaconId(id)) return false;
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  return (
    parsed !== undefined && /^https?:$/.test(parsed.protocol) && parsed.username + parsed.password === ''
  );
}

/** Measures one after the other, so that none is slowed by another. One that does not answer in time is left out. */
export async function measureBeacons(
  beacons: readonly Beacon[],
  { fetch, elapsed = () => performance.now() }: Pick<Environment, 'fetch' | 'elapsed'>,
  signal?: AbortSignal,
): Promise<Latency> {
  const latency: Record<string, number> = {};
  for (const { id, url } of beacons) {
    const times: number[] = [];
    try {
      for (let request = 0; request < REQUESTS; request += 1) {
        const inTime = AbortSignal.timeout(MOST_LATENCY_MS);
        const beganAt = elapsed();
        const answer = await fetch(url, {
          credentials: 'omit',
          redirect: 'manual',
          signal: signal === undefined ? inTime : AbortSignal.any([inTime, signal]),
        });
        times.push(elapsed() - beganAt);
        if (!answer.ok || !(await isShort(answer))) throw new Error('what answers is no beacon');
      }
      const median = times.slice(1).toSorted((a, b) => a - b)[(REQUESTS - 2) / 2]!;
      latency[id] = Math.min(MOST_LATENCY_MS, Math.max(0, Math.round(median)));
    } catch {
      signal?.throwIfAborted();
    }
  }
  return latency;
}

/** Reads the body, so that the connection stays open. */
async function isShort({ body }: Response): Promise<boolean> {
  const reader = body?.getReader();
  let bytes = 0;
  for (let part = await reader?.read(); part?.done === false; part = await reader!.read()) {
    bytes += part.value.length;
    if (bytes <= MOST_BYTES) continue;
    await reader!.cancel();
    return false;
  }
  return true;
}
