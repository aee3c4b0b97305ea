/**
 * `GET /ddnet/15/servers.json`: the list as the clients of DDNet read it (servers_json() in src/mastersrv/src/main.rs
 * and Parse() in src/engine/client/serverbrowser_http.cpp of ddnet/ddnet). A client drops the whole list for one
 * address that is no text, one location that is null or unknown, and one text that is not UTF-8: an entry with one of
 * these is left out. Any other flaw of an info costs only its own entry.
 */

import type { Endpoint } from '../../api/http/route.ts';
import { continentOf } from '../../model/country.ts';
import { Details } from '../../model/fields/details.ts';
import { isRecord } from '../../model/json.ts';
import { documentOf } from '../json-document.ts';
import type { NativeForm } from '../native-form.ts';
import { createNativeList, type NativeRow, type NativeListContext } from '../native-list.ts';
import { linkOf, orderOf } from './address.ts';
import { DDNET } from './link-owners.ts';
import { addressesOf, isReadable } from './server-info.ts';
import type { ListedGameServer } from '../../model/game-server.ts';

/** A continent, with or without a country (CServerInfo::ParseLocation()). */
const LOCATION = /^(?:an|af|as|oc|eu|na|sa)(?::[a-z]{2})?$/;

/**
 * How much older than its answer a list is declared to be, in s: enough that no skew of our clocks makes it younger
 * than the answer, which clients would take for a year old; and little enough that it counts as fresh, below 15 s.
 */
const TOLD_AGE_S = 2;

export function createServersJson(context: NativeListContext): Endpoint {
  const list = createNativeList(context, {
    protocol: DDNET,
    isReadable,
    render: renderNativeRow,
    frame: () => FRAME,
  });
  return withAge(list);
}

const FRAME = ['{"servers":[', ']}\n'] as const;

/** The list as a mirror joins it. */
export const DDNET_FORM: NativeForm = {
  path: '/ddnet/15/servers.json',
  member: 'servers',
  read(value) {
    const { addresses, location, info } = isRecord(value) ? value : {};
    const text = isRecord(info) ? documentOf(info) : undefined;
    if (!Array.isArray(addresses) || !isRecord(info) || text === undefined) return undefined;
    const links = addresses.filter((each): each is string => typeof each === 'string');
    const details = Details.of({ links, ...(typeof location === 'string' && { region: location }) });
    const row = renderNativeRow({ details }, text);
    const players = Array.isArray(info['clients']) ? info['clients'].length : 0;
    return row && { text: row.text, addresses: links, players };
  },
  frame: () => FRAME,
  finish: withAge,
};

/** The list with its age, as clients read it. */
function withAge(list: Endpoint): Endpoint {
  return async (request) => {
    const answer = await list(request);
    // Clients compute the age from Date and this header. They do not know Age.
    const ageS = TOLD_AGE_S + Number(answer.headers['Age'] ?? 0);
    const lastModified = new Date(Date.now() - ageS * 1000).toUTCString();
    return { ...answer, onlyHere: [...(answer.onlyHere ?? []), 'Last-Modified', lastModified] };
  };
}

/** Undefined for an entry without an address that clients could read. */
export function renderNativeRow(
  { details }: Pick<ListedGameServer, 'details'>,
  document: string,
): NativeRow | undefined {
  const { links = [], region, country } = details.fields;
  const addresses = addressesOf(links);
  if (addresses.length === 0) return undefined;
  const continent = continentOf(country ?? '');
  const ofCountry = continent && `${continent}:${country}`.toLowerCase();
  const place = region !== undefined && LOCATION.test(region) ? region : ofCountry;
  const location = place === undefined ? '' : `"location":"${place}",`;
  return {
    text: `{"addresses":${JSON.stringify(addresses.map(linkOf))},${location}"info":${document}}`,
    place: addresses.map(orderOf).join(' '),
  };
}
