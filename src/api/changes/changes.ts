/** `GET /changes`: the changes of the list since a tag, as one answer or as a stream of events. */

import { CatchUpTexts } from './catch-up-texts.ts';
import { isAhead } from './list-changes.ts';
import { noChanges, renderWholeList } from './changes-text.ts';
import { LatestAnswers } from '../work/latest-answers.ts';
import type { SharedText } from '../work/shared-text.ts';
import { parseTag } from './tag.ts';
import { registryIdOf } from '../../registry/registry-id.ts';
import type { Listing } from '../../registry/registry.ts';
import type { ListPosition, Snapshot } from '../../registry/snapshot/snapshot.ts';
import type { Work } from '../work/work.ts';
import { eventStreamAnswer, jsonAnswer, type Answer, type AnswerHeaders } from '../http/answer.ts';
import type { Context } from '../http/context.ts';
import type { Endpoint, EndpointRequest } from '../http/route.ts';
import { accepts, chooseEncoding } from '../http/negotiation.ts';
import type { Streams } from './streams.ts';
import { parseChangesQuery, type WantedList } from './wanted-list.ts';

export interface ChangesOptions extends Pick<Context, 'registry' | 'currentList' | 'turns'> {
  readonly streams: Pick<Streams, 'open'>;
}

/** The shortest text that is compressed: compression gains nothing for a shorter one. */
const SHORTEST_COMPRESSED_BYTES = 1024;

/** The size of all whole lists that are kept, in bytes. */
const FULL_LISTS_BYTES = 64 * 1024 * 1024;

export function createChanges({ registry, currentList, streams, turns }: ChangesOptions): Endpoint {
  /** The whole lists for clients without a list that is still known, by what they want. */
  const fullLists = new LatestAnswers<SharedText>({
    turns,
    keptBytes: FULL_LISTS_BYTES,
    bytesOf: ({ length }) => length,
  });
  const catchUps = new CatchUpTexts(turns, inAnswer);

  /** The headers of every answer from this list. */
  const headersOf = ({ snapshot }: Listing) => ({
    Vary: 'Accept, Accept-Encoding',
    'Server-Registry': registryIdOf(snapshot, registry.origins !== undefined),
  });

  async function streamFor(request: EndpointRequest, wanted: WantedList, tag: string): Promise<Answer> {
    const isGzip = chooseEncoding(request.headers['accept-encoding'] ?? '', ['gzip']) === 'gzip';
    const listing = await currentList.listing();
    const body = streams.open({ wanted, since: parseTag(tag), asker: request, isGzip }, listing);
    return eventStreamAnswer(body, { ...headersOf(listing), ...(isGzip && { 'Content-Encoding': 'gzip' }) });
  }

  /** Waits for a fresh list if the client, coming from another replica, knows a later one than this replica. */
  async function listingFor(since: ListPosition | undefined): Promise<Listing> {
    const listing = await currentList.listing();
    return isAhead(since, listing.snapshot) ? currentList.freshListing() : listing;
  }

  async function textFor(
    { snapshot, staleSince }: Listing,
    since: ListPosition | undefined,
    wanted: WantedList,
    asker: EndpointRequest,
  ): Promise<SharedText> {
    if (staleSince !== undefined && isAhead(since, snapshot)) return inAnswer(noChanges(since));
    return since !== undefined && snapshot.knows(since)
      ? (await catchUps.to(snapshot, since, wanted, asker)).text
      : fullLists.of(wanted.text, snapshot, asker, () => (newest) => fullList(newest, wanted));
  }

  async function answerWith(
    text: SharedText,
    request: EndpointRequest,
    common: AnswerHeaders,
  ): Promise<Answer> {
    const isPlain =
      text.length < SHORTEST_COMPRESSED_BYTES ||
      chooseEncoding(request.headers['accept-encoding'] ?? '', ['gzip']) !== 'gzip';
    return isPlain
      ? jsonAnswer(text.plain, common)
      : jsonAnswer(await text.gzip(turns, request), { ...common, 'Content-Encoding': 'gzip' });
  }

  return async (request) => {
    const { headers, query } = request;
    const { wanted, since: told } = parseChangesQuery(query);
    const lastEventId = headers['last-event-id'];
    const tag = String(lastEventId ?? told ?? '');
    if (accepts(headers.accept, 'text/event-stream')) return streamFor(request, wanted, tag);
    const since = parseTag(tag);
    const listing = await listingFor(since);
    const text = await textFor(listing, since, wanted, request);
    return currentList.marked(await answerWith(text, request, headersOf(listing)), listing);
  };
}

function* fullList(snapshot: Snapshot, wanted: WantedList): Work<SharedText> {
  return inAnswer(yield* renderWholeList(snapshot, wanted));
}

function inAnswer(members: SharedText): SharedText {
  return members.between('{"status":"success",', '}');
}
