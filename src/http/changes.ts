/**
 * `GET /changes`: what has changed in the list since a tag, as one answer or as a stream of events. Knows neither sockets
 * nor the clock of the streams.
 */

import { changesSince, isAhead } from '../find/changes.ts';
import { renderChanges } from '../find/changes-text.ts';
import { parseQuery, type Filters } from '../find/filters.ts';
import { FullLists } from '../find/full-lists.ts';
import type { SingleParameters } from '../find/parameters.ts';
import type { SharedText } from '../find/shared-text.ts';
import { parseTag } from '../find/tag.ts';
import type { Listing } from '../registry/registry.ts';
import { gzipMember } from '../registry/snapshot/gzip.ts';
import { Rope } from '../registry/snapshot/rope.ts';
import type { ListPosition } from '../registry/snapshot/snapshot.ts';
import { eventStreamAnswer, jsonAnswer, type Answer } from './answer.ts';
import type { CurrentList } from './current-list.ts';
import type { Endpoint, EndpointRequest } from './endpoint.ts';
import { accepts, chooseEncoding } from './negotiation.ts';
import type { Streams } from './streams.ts';

export interface ChangesOptions {
  readonly currentList: CurrentList;
  readonly streams: Pick<Streams, 'open'>;
}

export const CHANGES_PARAMETERS: SingleParameters<{ readonly since?: string }> = {
  since: {
    description:
      'The `tag` of the answer before. Without it, or with one that is too old, the answer has the whole list.',
    schema: { type: 'string' },
    read: (tag) => tag,
  },
};

/** A shorter answer gains nothing by compression. */
const SHORTEST_COMPRESSED_BYTES = 1024;

const VARY = { Vary: 'Accept, Accept-Encoding' };

export function createChanges({ currentList, streams }: ChangesOptions): Endpoint {
  const fullLists = new FullLists();

  async function streamFor(request: EndpointRequest, filters: Filters, tag: string): Promise<Answer> {
    const isGzip = chooseEncoding(request.headers['accept-encoding'] ?? '', ['gzip']) === 'gzip';
    const { address } = request.client;
    const listing = await currentList.listing();
    const body = streams.open({ filters, since: parseTag(tag), address, isGzip }, listing);
    return eventStreamAnswer(body, { ...VARY, ...(isGzip && { 'Content-Encoding': 'gzip' }) });
  }

  /** A client that comes from another replica may know more than the list that is at hand here. */
  async function listingFor(since: ListPosition | undefined): Promise<Listing> {
    const listing = await currentList.listing();
    return isAhead(since, listing.snapshot) ? currentList.freshListing() : listing;
  }

  async function membersFor(
    { snapshot, staleSince }: Listing,
    since: ListPosition | undefined,
    filters: Filters,
  ): Promise<SharedText> {
    if (staleSince !== undefined && isAhead(since, snapshot))
      return (await renderChanges({ servers: [], removed: [] }, since)).text;
    const changes = changesSince(snapshot, since, filters);
    return changes === undefined
      ? fullLists.of(snapshot, filters)
      : (await renderChanges(changes, snapshot)).text;
  }

  return async (request) => {
    const { headers, query } = request;
    const { filters, further } = parseQuery(query, CHANGES_PARAMETERS);
    const lastEventId = headers['last-event-id'];
    const tag = String(lastEventId ?? further.since ?? '');
    if (accepts(headers.accept, 'text/event-stream')) return streamFor(request, filters, tag);
    const since = parseTag(tag);
    const listing = await listingFor(since);
    const members = await membersFor(listing, since, filters);
    const body = await encode(members.between('{"status":"success",', '}'), headers['accept-encoding']);
    return currentList.marked(jsonAnswer(body.rope, { ...VARY, ...body.headers }), listing);
  };
}

async function encode(
  text: SharedText,
  accepted = '',
): Promise<{ readonly rope: Rope; readonly headers: Readonly<Record<string, string>> }> {
  if (text.length < SHORTEST_COMPRESSED_BYTES || chooseEncoding(accepted, ['gzip']) !== 'gzip')
    return { rope: text.plain, headers: {} };
  return {
    rope: new Rope(gzipMember(await text.pieces())),
    headers: { 'Content-Encoding': 'gzip' },
  };
}
