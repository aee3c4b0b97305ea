/**
 * A reader who asks each replica for the nearest: all that say how far the beacon is have their distance, whatever has
 * broken before, and they come in its order.
 */

import { ask } from '../../support/ask.ts';
import type { Setup } from './setup.ts';

/** What the replicas need for it. */
export const LOCATED = { GSLS_BEACONS: '{"here":"https://beacon.example.com"}' };

const READER_MS = 10;

interface Row {
  readonly name: string;
  readonly latency?: { readonly here: number };
  readonly near_ms?: number;
}

/** What is wrong, in sentences. */
export async function judgeNearest({ serving }: Pick<Setup, 'serving'>): Promise<readonly string[]> {
  const found = await Promise.all(
    serving.map(async ({ host, port }) => {
      const query = `near=here:${READER_MS}&sort=near&limit=1000`;
      const { status, text } = await ask({ host, port }, `GET /servers?${query}`);
      if (status !== 200) return [`${host} does not tell what is near: ${status} ${text}`];
      const { servers } = JSON.parse(text) as { readonly servers: readonly Row[] };
      const wrong = servers.find(({ latency, near_ms: ms }) => ms !== (latency && latency.here + READER_MS));
      const told = servers.map(({ near_ms: ms = Infinity }) => ms);
      return [
        ...(wrong === undefined ? [] : [`${host} tells a wrong distance: ${JSON.stringify(wrong)}`]),
        ...(told.some((ms, at) => at > 0 && ms < told[at - 1]!)
          ? [`${host} does not begin with the nearest`]
          : []),
        ...(told[0] === Infinity ? [`${host} knows how far nobody is`] : []),
      ];
    }),
  );
  return found.flat();
}
