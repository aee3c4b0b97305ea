/** Parses the beacons of a registry: an object of JSON, or a section of the configuration file, with each by its id. */

import { isRecord, parseJson } from '../../model/json.ts';
import {
  isBeaconId,
  LONGEST_BEACON_ID,
  MOST_BEACONS,
  MOST_LATENCY_MS,
  type Beacon,
} from '../../model/near.ts';
import { isClear } from '../../model/text-rules.ts';

const LONGEST_PLACE = 64;
const LONGEST_URL = 512;

export function parseBeacons(text: string): readonly Beacon[] {
  const said = parseJson(text);
  if (!isRecord(said))
    throw new Error('must be beacons by their ids, as in {"fra": {"url": "https://fra.example.com"}}');
  const ids = Object.keys(said);
  if (ids.length > MOST_BEACONS) throw new Error(`must name at most ${MOST_BEACONS} beacons`);
  const wrong = ids.find((id) => !isBeaconId(id));
  if (wrong !== undefined)
    throw new Error(
      `must have ids of 1 to ${LONGEST_BEACON_ID} small letters, digits and dashes, not "${wrong}"`,
    );
  return Object.entries(said).map(([id, beacon]) => beaconOf(id, beacon, ids));
}

function beaconOf(id: string, said: unknown, ids: readonly string[]): Beacon {
  const { url, place, latency = {}, ...others } = isRecord(said) ? said : { url: said };
  const unknown = Object.keys(others)[0];
  if (unknown !== undefined)
    throw new Error(`has "${unknown}" for ${id}: a beacon has url, place and latency`);
  if (place !== undefined && !(typeof place === 'string' && place.length <= LONGEST_PLACE && isClear(place)))
    throw new Error(`must have as place of ${id} a text of 1 to ${LONGEST_PLACE} characters`);
  return {
    id,
    url: urlOf(id, url),
    ...(place !== undefined && { place }),
    latency: latencyOf(id, latency, ids),
  };
}

function urlOf(id: string, said: unknown): string {
  const url = typeof said === 'string' && URL.canParse(said) ? new URL(said) : undefined;
  const isPlain =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.hash === '' &&
    url.href.length <= LONGEST_URL;
  if (!isPlain) throw new Error(`must have as url of ${id} one like https://fra.example.com`);
  return url.href;
}

/** Numbers may be texts: those of a file of YAML are. */
function latencyOf(id: string, said: unknown, ids: readonly string[]): Beacon['latency'] {
  const entries = isRecord(said) ? Object.entries(said) : [[id, undefined] as const];
  return Object.fromEntries(
    entries.map(([other, value]) => {
      const ms =
        typeof value === 'number' ? value : /^\d+(\.\d+)?$/.test(String(value)) ? Number(value) : Number.NaN;
      if (other === id || !ids.includes(other) || !(ms >= 0 && ms <= MOST_LATENCY_MS))
        throw new Error(
          `must have as latency of ${id} how far other beacons are, 0 to ${MOST_LATENCY_MS} ms, as in {"nyc": 82}`,
        );
      return [other, ms];
    }),
  );
}
