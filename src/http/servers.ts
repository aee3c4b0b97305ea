/**
 * `GET /servers`: a page of the servers that match a query, or 304 if the client has this very page. `GET /servers/{id}`
 * and `GET /join/{code}`: one entry, with everything that its game server says of itself. Knows neither Koa nor sockets, nor how a page is made.
 */

import { ServiceError } from '../errors.ts';
import { parseParameters } from '../find/filters.ts';
import { withCursor, type PageQuery } from '../find/page-query.ts';
import type { Page } from '../find/page.ts';
import { Pages } from '../find/pages.ts';
import { renderServer } from '../find/render-server.ts';
import type { Turns } from '../find/turns.ts';
import type { ListedGameServer } from '../registry/game-server.ts';
import { readJoinCode } from '../registry/join-code.ts';
import type { Registry } from '../registry/registry.ts';
import { Rope } from '../registry/snapshot/rope.ts';
import { emptyAnswer, jsonAnswer, type Answer, type AnswerHeaders } from './answer.ts';
import type { CurrentList } from './current-list.ts';
import type { Endpoint, EndpointRequest } from './endpoint.ts';
import { chooseEncoding } from './negotiation.ts';

export interface ServersOptions {
  readonly currentList: CurrentList;
  readonly turns: Turns;
}

/** The parts of an answer that are the same for every request of one page. */
interface Prepared {
  readonly plain: Answer;
  readonly notModified: Answer;
  readonly etag: string;
  gzip: Answer | undefined;
}

export function createServers({ currentList, turns }: ServersOptions): Endpoint {
  const pages = new Pages(turns);
  const preparations = new WeakMap<Page, Prepared>();
  const common = { 'Cache-Control': currentList.cacheControl, Vary: 'Accept-Encoding' };

  /** All queries for one page have one canonical text, so its link is the same for all of them. */
  function prepare(page: Page, { textOfAll }: PageQuery): Prepared {
    const known = preparations.get(page);
    if (known !== undefined) return known;
    const { next } = page.content;
    const link = next === null ? {} : { Link: `</servers?${withCursor(textOfAll, next)}>; rel="next"` };
    const etag = `"${page.hash}"`;
    const headers: AnswerHeaders = { ...common, ...link, ETag: etag };
    const plain = jsonAnswer(page.body, headers);
    const prepared = { plain, notModified: emptyAnswer(304, headers), etag, gzip: undefined };
    preparations.set(page, prepared);
    return prepared;
  }

  async function compressed(page: Page, prepared: Prepared): Promise<Answer> {
    prepared.gzip ??= jsonAnswer(await page.gzip(turns), {
      ...prepared.plain.headers,
      ETag: `${prepared.etag.slice(0, -1)}-gzip"`,
      'Content-Encoding': 'gzip',
    });
    return prepared.gzip;
  }

  async function answerWith(page: Page, query: PageQuery, { headers }: EndpointRequest): Promise<Answer> {
    const prepared = prepare(page, query);
    const ifNoneMatch = headers['if-none-match'];
    // The comparison is weak, and the tag of any encoding matches (RFC 9110 section 13.1.2).
    if (ifNoneMatch !== undefined && (ifNoneMatch.includes(page.hash) || ifNoneMatch.trim() === '*'))
      return prepared.notModified;
    const accepted = headers['accept-encoding'];
    if (accepted === undefined) return prepared.plain;
    const encoding = chooseEncoding(accepted, ['gzip']);
    if (encoding === undefined) throw notAcceptable();
    return encoding === 'gzip' ? compressed(page, prepared) : prepared.plain;
  }

  return async (request) => {
    const query = pages.parse(request.query);
    return currentList.answer(async (snapshot) =>
      answerWith(await pages.answer(query, snapshot), query, request),
    );
  };
}

function notAcceptable(): ServiceError {
  return new ServiceError('not_acceptable', { headers: { Vary: 'Accept-Encoding' } });
}

export interface ServerOptions {
  readonly registry: Pick<Registry, 'known' | 'withJoinCode' | 'mayBeTold'>;
  readonly currentList: CurrentList;
}

export function createServer(options: ServerOptions): Endpoint {
  const unknown = new ServiceError('unknown_server', { message: 'no server is listed under this id' });
  return findServer(options, (id) => options.registry.known(id), unknown);
}

/** `GET /join/{code}`: the unlisted entry with this join code. */
export function createJoin(options: ServerOptions): Endpoint {
  const unknown = new ServiceError('unknown_join_code');
  return findServer(options, (code) => options.registry.withJoinCode(readJoinCode(code)), unknown);
}

/** The bytes are rendered anew for each request: an entry is small. */
function findServer(
  { registry, currentList }: ServerOptions,
  find: (parameter: string) => ListedGameServer | undefined,
  unknown: ServiceError,
): Endpoint {
  const headers = { 'Cache-Control': currentList.cacheControl };
  return async ({ query, parameter }) => {
    parseParameters(query, {});
    return currentList.answer((_, isStale) => {
      const entry = find(parameter!);
      if (entry === undefined && isStale) throw new ServiceError('registry_unavailable');
      if (entry === undefined || !registry.mayBeTold(entry)) throw unknown;
      const body = `{"status":"success","server":${renderServer(entry, true)}}`;
      return jsonAnswer(new Rope([Buffer.from(body)]), headers);
    });
  };
}
