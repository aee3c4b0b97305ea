/**
 * `GET /ddnet/15/servers.json`: the list as the clients of DDNet read it (servers_json() in src/mastersrv/src/main.rs
 * and Parse() in src/engine/client/serverbrowser_http.cpp of ddnet/ddnet). A client gives up the whole list for one
 * address that is no text, one location that it does not know or that is null, and one text that is not UTF-8: an entry
 * that could do so is left out. What else is in an info costs that one entry.
 */

import type { Endpoint } from '../../api/http/route.ts';
import { createNativeList, type NativeRow, type NativeListContext } from '../native-list.ts';
import { linkOf, orderOf } from './address.ts';
import { DDNET } from './link-owners.ts';
import { addressesOf, isReadable } from './server-info.ts';
import type { ListedGameServer } from '../../model/game-server.ts';

/** Continents, with a country or without (CServerInfo::ParseLocation()). */
const LOCATION = /^(?:an|af|as|oc|eu|na|sa)(?::[a-z]{2})?$/;

/**
 * How much older than its answer a list is told to be: enough that no clock of ours makes it younger than the answer,
 * which clients take for a year old; and little enough that it counts as fresh, which it does below 15 s.
 */
const TOLD_AGE_S = 2;

export function createServersJson(context: NativeListContext): Endpoint {
  const list = createNativeList(context, {
    protocol: DDNET,
    render: renderNativeRow,
    frame: () => ['{"servers":[', ']}\n'],
  });
  return async (request) => {
    const answer = await list(request);
    // The age that clients read is the Date without this. They do not know Age.
    const ageS = TOLD_AGE_S + Number(answer.headers['Age'] ?? 0);
    const lastModified = new Date(Date.now() - ageS * 1000).toUTCString();
    return { ...answer, onlyHere: [...(answer.onlyHere ?? []), 'Last-Modified', lastModified] };
  };
}

/** Undefined for an entry that clients could not read. */
export function renderNativeRow({ details }: ListedGameServer, document: string): NativeRow | undefined {
  const { links = [], region } = details.fields;
  const addresses = addressesOf(links);
  if (addresses.length === 0 || !isReadable(document)) return undefined;
  const location = region !== undefined && LOCATION.test(region) ? `"location":"${region}",` : '';
  return {
    text: `{"addresses":${JSON.stringify(addresses.map(linkOf))},${location}"info":${document}}`,
    place: addresses.map(orderOf).join(' '),
  };
}
