/** `GET /changes`: what has changed in the list since a tag, as one answer or as a stream of events. */

import { CatchUpTexts } from './catch-up-texts.ts';
import { isAhead } from './list-changes.ts';
import { noChanges, renderWholeList } from './changes-text.ts';
import type { Filters } from '../query/filters.ts';
import { parseQuery, type SingleParameters } from '../query/parse-query.ts';
import { LatestAnswers } from '../work/latest-answers.ts';
import type { SharedText } from '../work/shared-text.ts';
import { parseTag } from './tag.ts';
import type { Turns } from '../work/turns.ts';
import type { Listing } from '../registry/registry.ts';
import type { ListPosition, Snapshot } from '../registry/snapshot/snapshot.ts';
import type { Work } from '../work/work.ts';
import { eventStreamAnswer, jsonAnswer, type Answer } from '../http/answer.ts';
import type { CurrentList } from '../http/current-list.ts';
import type { Endpoint, EndpointRequest } from '../http/route.ts';
import { accepts, chooseEncoding } from '../http/negotiation.ts';
import type { Streams } from './streams.ts';

export interface ChangesOptions {
  readonly currentList: CurrentList;
  readonly streams: Pick<Streams, 'open'>;
  readonly turns: Turns;
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

/** All whole lists that are kept, in bytes. */
const FULL_LISTS_BYTES = 64 * 1024 * 1024;

const VARY = { Vary: 'Accept, Accept-Encoding' };

export function createChanges({ currentList, streams, turns }: ChangesOptions): Endpoint {
  /** For clients that know no earlier list, by their filters. */
  const fullLists = new LatestAnswers<SharedText>({
    turns,
    keptBytes: FULL_LISTS_BYTES,
    bytesOf: ({ length }) => length,
  });
  const catchUps = new CatchUpTexts(turns, inAnswer);

  async function streamFor(request: EndpointRequest, filters: Filters, tag: string): Promise<Answer> {
    const isGzip = chooseEncoding(request.headers['accept-encoding'] ?? '', ['gzip']) === 'gzip';
    const listing = await currentList.listing();
    const body = streams.open({ filters, since: parseTag(tag), asker: request, isGzip }, listing);
    return eventStreamAnswer(body, { ...VARY, ...(isGzip && { 'Content-Encoding': 'gzip' }) });
  }

  /** A client that comes from another replica may know more than the list that is at hand here. */
  async function listingFor(since: ListPosition | undefined): Promise<Listing> {
    const listing = await currentList.listing();
    return isAhead(since, listing.snapshot) ? currentList.freshListing() : listing;
  }

  async function textFor(
    { snapshot, staleSince }: Listing,
    since: ListPosition | undefined,
    filters: Filters,
    asker: EndpointRequest,
  ): Promise<SharedText> {
    if (staleSince !== undefined && isAhead(since, snapshot)) return inAnswer(noChanges(since));
    return since !== undefined && snapshot.knows(since)
      ? (await catchUps.to(snapshot, since, filters, asker)).text
      : fullLists.of(filters.text, snapshot, asker, () => (newest) => fullList(newest, filters));
  }

  async function answerWith(text: SharedText, request: EndpointRequest): Promise<Answer> {
    const isPlain =
      text.length < SHORTEST_COMPRESSED_BYTES ||
      chooseEncoding(request.headers['accept-encoding'] ?? '', ['gzip']) !== 'gzip';
    return isPlain
      ? jsonAnswer(text.plain, VARY)
      : jsonAnswer(await text.gzip(turns, request), { ...VARY, 'Content-Encoding': 'gzip' });
  }

  return async (request) => {
    const { headers, query } = request;
    const { filters, further } = parseQuery(query, CHANGES_PARAMETERS);
    const lastEventId = headers['last-event-id'];
    const tag = String(lastEventId ?? further.since ?? '');
    if (accepts(headers.accept, 'text/event-stream')) return streamFor(request, filters, tag);
    const since = parseTag(tag);
    const listing = await listingFor(since);
    const text = await textFor(listing, since, filters, request);
    return currentList.marked(await answerWith(text, request), listing);
  };
}

function* fullList(snapshot: Snapshot, filters: Filters): Work<SharedText> {
  return inAnswer(yield* renderWholeList(snapshot, filters));
}

function inAnswer(members: SharedText): SharedText {
  return members.between('{"status":"success",', '}');
}
