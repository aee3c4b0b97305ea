/**
 * `GET /browse`: the page for people, and the files that it loads. Its first hundred servers come from the same pages
 * as those of `GET /servers`. An error that a person may meet is shown as a page; a program gets the error of the API.
 */

import { LRUCache } from 'lru-cache';
import { ServiceError } from '../../model/service-error.ts';
import { Body } from '../../api/work/body.ts';
import { bytesOf, type Page } from '../../api/find/page.ts';
import { withCursor } from '../../api/find/page-query.ts';
import type { Pages } from '../../api/find/pages.ts';
import { OWN, type Work } from '../../api/work/work.ts';
import { DEFAULT_SORT } from '../address/sort-order.ts';
import type { ListedServer } from '../../model/view/listed-server.ts';
import { LANGUAGES } from '../texts/languages.ts';
import { createBodyAnswers } from '../../api/http/body-answers.ts';
import type { ListedGameServer } from '../../model/game-server.ts';
import type { Context, Room } from '../../api/http/context.ts';
import { refuseUnread } from '../../api/http/limits/long-queries.ts';
import { describedIn, type Endpoint, type EndpointRequest } from '../../api/http/route.ts';
import { accepts } from '../../api/http/negotiation.ts';
import { audience, createFiles } from '../../api/http/served-files.ts';
import { once } from '../../api/work/once.ts';
import { renderServer } from '../../api/find/render-server.ts';
import { toldEntry } from '../../api/find/servers.ts';
import { createAsked, type AskedPage, type PageSettings } from './asked-page.ts';
import { madeFile } from './made-styles.ts';
import { pageQuery } from './page-address.ts';
import { readPageFiles } from './page-files.ts';
import { createPageHeaders } from './page-headers.ts';
import type { Picture } from './picture.ts';

export interface BrowseRoomOptions {
  readonly hasPage: boolean;
  readonly settings: PageSettings;
  /** The sites that may have the page in a frame; `*` for all. */
  readonly embedOrigins: readonly string[];
}

export interface BrowseContext extends Context {
  readonly options: BrowseRoomOptions;
  readonly pages: Pages;
  /** The logo of the page (openPageLogo). */
  readonly logo?: Picture | undefined;
  /** The folder with the files of the page; undefined for the folder of the build. */
  readonly pageFolder?: URL | undefined;
}

const READING = { method: 'GET', access: 'read', cors: 'nothing' } as const;

const describe = describedIn(() => import('./operations.ts'));

/** A type that browsers accept, and programs rarely. */
const HTML = 'text/html';

/** The size of all rendered pages that are kept, in bytes: some 100. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** Opens the room. It has no routes if the operator wants no page. */
export function openBrowse(context: BrowseContext): Room {
  if (!context.options.hasPage) return { routes: [] };
  const { page, file } = createEndpoints(context);
  const browse = refuseUnread(page, context.turns);
  return {
    routes: [
      {
        ...READING,
        path: '/browse',
        endpoint: browse,
        kind: 'list',
        input: 'query',
        describe: describe('browse'),
      },
      {
        ...READING,
        path: '/browse/{file}',
        endpoint: file,
        input: 'nothing',
        describe: describe('browseFile'),
      },
    ],
  };
}

/** `file`: the endpoint for the files that the page loads. */
function createEndpoints(context: BrowseContext): Readonly<Record<'page' | 'file', Endpoint>> {
  const { options, registry, currentList, pages, turns, isPrivate, logo, pageFolder: folder } = context;
  const caching = { cacheControl: isPrivate ? 'private, no-cache' : 'no-cache' };
  const answerWith = createBodyAnswers(caching, turns);
  const answerWithFile = createBodyAnswers(caching, turns, { asker: OWN });
  const files = once(() => readPageFiles({ logo, folder }, audience(isPrivate)));
  const askedBy = createAsked(options.settings, files);
  const headersOf = createPageHeaders(options.embedOrigins);
  /** With the page of servers that they show. */
  const kept = new LRUCache<string, { readonly page: Page; readonly body: Body }>({ maxSize: KEPT_BYTES });

  /** The rendered page, which is rendered once for all that ask for the same. */
  async function bodyOf(
    key: string,
    page: Page,
    asker: EndpointRequest,
    render: () => Work<string>,
  ): Promise<Body> {
    const found = kept.get(key);
    if (found?.page === page) return found.body;
    return turns.run(asker, function* () {
      const body = new Body(Buffer.from(yield* render()));
      kept.set(key, { page, body }, { size: Math.ceil(body.bytes + body.plain.length + bytesOf(page)) });
      return body;
    });
  }

  return {
    async page(request) {
      const asked = await askedBy(request);
      const {
        address,
        files: { renderer },
      } = asked;
      const headers = {
        ...headersOf(address.isEmbedded),
        Vary: 'Accept-Encoding, Accept-Language',
      };
      try {
        const query = pages.parse(address.query);
        const { text, textOfAll, after } = query;
        const listing = await currentList.listing();
        const { snapshot, staleSince } = listing;
        const ofAll = pageQuery(address, withoutDefaultSort(textOfAll));
        const view = { ...asked.view, query: ofAll, staleSince };
        let body: Body;
        if (address.serverId !== undefined) {
          const entry = toldEntry(registry, registry.known(address.serverId), staleSince !== undefined);
          if (entry === undefined) throw new ServiceError('unknown_server');
          body = await turns.run(request, function* () {
            const page = renderer.renderServer(view, listedServer(entry, true));
            yield;
            return new Body(Buffer.from(page));
          });
        } else {
          const page = await pages.answer(query, snapshot, request);
          // The address is needed only for a list without rows.
          const serviceUrl = page.content.total === 0 ? serviceUrlOf(request.headers) : '';
          const key = [text, ofAll, view.language, staleSince, serviceUrl].join('\n');
          body = await bodyOf(key, page, request, () => {
            const { rows, total, next } = page.content;
            return renderer.renderList(view, {
              rows: listedServers(rows),
              total,
              isFirst: after === undefined,
              nextQuery: next === null ? undefined : withCursor(ofAll, next),
              serviceUrl,
            });
          });
        }
        return currentList.marked(await answerWith(body, request, () => headers), listing);
      } catch (error) {
        const isForPerson = accepts(request.headers.accept, HTML);
        throw isForPerson && error instanceof ServiceError ? withPage(error, asked, headers) : error;
      }
    },
    file: createFiles(async () => (await files()).all, {
      answerWith: answerWithFile,
      isPrivate,
      make: madeFile,
    }),
  };
}

/** The server as answers of the API have it. */
function listedServer(row: ListedGameServer, withMeta = false): ListedServer {
  return JSON.parse(renderServer(row, withMeta)) as ListedServer;
}

/** Each server is made when it is needed. */
function* listedServers(rows: readonly ListedGameServer[]): Generator<ListedServer> {
  for (const row of rows) yield listedServer(row);
}

/** The address by which the client reaches the service, as far as its request shows that. */
function serviceUrlOf({ host = '', 'x-forwarded-proto': scheme }: EndpointRequest['headers']): string {
  return `${scheme === 'https' ? 'https' : 'http'}://${host}`;
}

/** The query without the default order, which the address need not have. */
function withoutDefaultSort(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== `sort=${DEFAULT_SORT}`)
    .join('&');
}

/** The error with a page that explains it, if a person may do something about it. */
function withPage(
  error: ServiceError,
  { view, files: { renderer } }: AskedPage,
  headers: Parameters<ServiceError['withPage']>[1],
): ServiceError {
  const { plain, details, feed } = LANGUAGES.get(view.language)!;
  const told = (message: string, reason?: string): ServiceError =>
    error.withPage(renderer.renderProblem(view, { message, reason }), headers);
  switch (error.code) {
    case 'invalid_query':
    case 'invalid_cursor':
      return told(plain.wrongAddress, error.message);
    case 'unknown_server':
      return told(details.state['not listed']);
    case 'registry_unavailable':
      return told(feed.away.unavailable);
  }
  return error;
}
