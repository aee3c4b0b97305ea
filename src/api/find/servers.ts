/**
 * `GET /servers`: a page of the servers that match a query, or 304 if the client has this page already. `GET
 * /servers/{id}` and `GET /join/{code}`: one entry, with all details that its game server has sent.
 */

import { ServiceError } from '../../model/service-error.ts';
import { parseParameters } from '../../model/query/parse-query.ts';
import { withCursor, type PageQuery } from './page-query.ts';
import type { createNearest } from './nearest.ts';
import type { Page } from './page.ts';
import type { Pages } from './pages.ts';
import { renderServer } from './render-server.ts';
import type { ListedGameServer } from '../../model/game-server.ts';
import { readJoinCode } from '../../model/join-code.ts';
import type { Backend } from '../../registry/backend.ts';
import { Rope } from '../../runtime/bytes/rope.ts';
import { jsonAnswer, type AnswerHeaders } from '../http/answer.ts';
import { createBodyAnswers } from '../http/body-answers.ts';
import type { Context } from '../http/context.ts';
import { STALE_MARK } from '../http/current-list.ts';
import type { Endpoint } from '../http/route.ts';

export interface ServersOptions extends Pick<Context, 'currentList' | 'turns'> {
  readonly pages: Pages;
  readonly readNear: ReturnType<typeof createNearest>;
  readonly isBelow: boolean;
}

/** An answer that depends on where the reader is. */
const FOR_ONE_READER = { caching: { 'Cache-Control': 'private, no-store' } };

export function createServers({ currentList, pages, turns, readNear, isBelow }: ServersOptions): Endpoint {
  const answerCurrent = createBodyAnswers(currentList, turns);
  const answerStale = createBodyAnswers(currentList, turns, { mark: STALE_MARK });
  const answerOne = createBodyAnswers(FOR_ONE_READER, turns);
  const root = isBelow ? '' : '/';

  return async (request) => {
    const near = readNear(request.query, request.client);
    if (near !== undefined)
      return currentList.answer(async (snapshot) => {
        const page = await pages.answerOnce(near, snapshot, request);
        return answerOne(page.body, request, () => linkOf(page, near.page, root));
      });
    const query = pages.parse(request.query);
    return currentList.answer(async (snapshot, isStale) => {
      const answerWith = isStale ? answerStale : answerCurrent;
      const page = await pages.answer(query, snapshot, request);
      return answerWith(page.body, request, () => linkOf(page, query, root));
    });
  };
}

/** The Link header of a page. All queries for one page have the same canonical text, and so the same link. */
function linkOf({ content }: Page, { textOfAll }: PageQuery, root: '/' | ''): AnswerHeaders {
  const { next } = content;
  return next === null ? {} : { Link: `<${root}servers?${withCursor(textOfAll, next)}>; rel="next"` };
}

type ServerOptions = Pick<Context, 'registry' | 'currentList'>;

/** The error for an id of which clients may know nothing, whatever the reason. */
export const UNKNOWN_SERVER = new ServiceError('unknown_server', {
  message: 'no server is listed under this id',
});

export function createServer(options: ServerOptions): Endpoint {
  return findServer(options, (id) => options.registry.known(id), UNKNOWN_SERVER);
}

/** `GET /join/{code}`: the unlisted entry with this join code. */
export function createJoin(options: ServerOptions): Endpoint {
  const unknown = new ServiceError('unknown_join_code');
  return findServer(options, (code) => options.registry.known({ joinCode: readJoinCode(code) }), unknown);
}

/** The endpoint for one entry. It renders the entry for each request, since an entry is small. */
function findServer(
  { registry, currentList }: ServerOptions,
  find: (parameter: string) => ListedGameServer | undefined,
  unknown: ServiceError,
): Endpoint {
  return async ({ query, parameter }) => {
    parseParameters(query, {});
    return currentList.answer((_, isStale) => {
      const entry = toldEntry(registry, find(parameter!), isStale);
      if (entry === undefined) throw unknown;
      const body = `{"status":"success","server":${renderServer(entry, true)}}`;
      return jsonAnswer(new Rope([Buffer.from(body)]), currentList.caching);
    });
  };
}

/**
 * The entry, if clients may know of it. Throws a ServiceError `registry_unavailable` if there is none in a list that
 * may lack it.
 */
export function toldEntry(
  registry: Pick<Backend, 'moderation'>,
  entry: ListedGameServer | undefined,
  isStale: boolean,
): ListedGameServer | undefined {
  if (entry === undefined && isStale) throw new ServiceError('registry_unavailable');
  return entry !== undefined && registry.moderation.mayBeTold(entry) ? entry : undefined;
}
