/** The servers that are nearest to this machine. */

import { nearText, type Latency } from '../../../../src/model/near.ts';
import { find, type FindOptions, type FoundServers } from '../find.ts';
import { askAny, get, openServices, type AskedService } from '../service.ts';
import type { Urls } from '../service-options.ts';
import { beaconsIn, measureBeacons } from './measure.ts';

const DAY_MS = 86_400_000;

/** What was measured, by the URL of the service. */
const known = new Map<string, { readonly latency: Latency; readonly at: number }>();

/**
 * The servers that match, the nearest first: each has `near_ms` where the service can tell. Measures how far the
 * beacons of the service are, keeps that for a day, and tells it in steps of 5 ms. No server is sent anything. If the
 * service names no beacon that answers, they come in the order of `find`.
 *
 * Takes and rejects what `find` does.
 */
export async function nearest(url: Urls, query = '', options: FindOptions = {}): Promise<FoundServers> {
  const services = openServices(url, options);
  const { signal } = options;
  // Whatever is wrong with the services, the search itself tells.
  const latency = await askAny(services, (service) => latencyTo(service, signal), signal).catch(
    (): Latency => ({}),
  );
  signal?.throwIfAborted();
  const asked = query.replace(/^\?/, '');
  if (Object.keys(latency).length === 0) return find(url, asked, options);
  const order = /(?:^|&)sort=/.test(asked) ? '' : '&sort=near';
  return find(url, `near=${nearText(latency)}${order}${asked === '' ? '' : `&${asked}`}`, options);
}

/** In ms, by the ids of the beacons; none where none could be measured. Rejects like `find`. */
async function latencyTo(service: AskedService, signal: AbortSignal | undefined): Promise<Latency> {
  const { url, environment } = service;
  const last = known.get(url);
  if (last !== undefined && environment.now() - last.at < DAY_MS) return last.latency;
  const { body } = await get(service, '/beacons', { signal });
  const latency = await measureBeacons(beaconsIn(body), environment, signal);
  if (Object.keys(latency).length > 0) known.set(url, { latency, at: environment.now() });
  return latency;
}
