/**
 * `GET /browse`: the page for people, the page of each server, and the files that they load. An error that a person may
 * meet is shown as a page; a program gets the error of the API.
 */

import { ServiceError } from '../../model/service-error.ts';
import type { Pages } from '../../api/find/pages.ts';
import type { Stats } from '../../api/find/statistics.ts';
import { OWN } from '../../api/work/work.ts';
import { LANGUAGES } from '../texts/languages.ts';
import { redirectAnswer, type Answer } from '../../api/http/answer.ts';
import { createBodyAnswers } from '../../api/http/body-answers.ts';
import type { Context, Room } from '../../api/http/context.ts';
import { refuseUnread } from '../../api/http/limits/long-queries.ts';
import { describedIn, type Endpoint, type EndpointRequest } from '../../api/http/route.ts';
import { accepts } from '../../api/http/negotiation.ts';
import { audience, createFiles } from '../../api/http/served-files.ts';
import { once } from '../../api/work/once.ts';
import { createAsked, type AskedPage, type PageSettings } from './asked-page.ts';
import { madeFile } from './made-styles.ts';
import { pageQuery } from './page-address.ts';
import { createPageBodies, type Told } from './page-bodies.ts';
import { readPageFiles } from './page-files.ts';
import { createPageHeaders } from './page-headers.ts';
import type { Picture } from './picture.ts';

export interface BrowseRoomOptions {
  readonly hasPage: boolean;
  readonly settings: PageSettings;
  /** The sites that may have the page in a frame; `*` for all. */
  readonly embedOrigins: readonly string[];
  /** The beacons that the page may measure. */
  readonly beaconUrls: readonly string[];
}

export interface BrowseContext extends Context {
  readonly options: BrowseRoomOptions;
  readonly pages: Pages;
  readonly stats: Stats;
  /** The logo of the page (openPageLogo). */
  readonly logo?: Picture | undefined;
  /** The folder with the files of the page; undefined for the folder of the build. */
  readonly pageFolder?: URL | undefined;
}

const READING = { method: 'GET', access: 'read', cors: 'nothing' } as const;

const describe = describedIn(() => import('./operations.ts'));

/** A type that browsers accept, and programs rarely. */
const HTML = 'text/html';

/** Opens the room. It has no routes if the operator wants no page. */
export function openBrowse(context: BrowseContext): Room {
  if (!context.options.hasPage) return { routes: [] };
  const { page, below } = createEndpoints(context);
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
        endpoint: below,
        kind: 'list',
        isOfKind: isOfServer,
        input: 'query',
        describe: describe('browseFile'),
      },
    ],
  };
}

/** `below`: the endpoint for the files that the page loads, and for the pages of servers. */
function createEndpoints(context: BrowseContext): Readonly<Record<'page' | 'below', Endpoint>> {
  const { options, currentList, turns, isPrivate, logo, pageFolder: folder } = context;
  const caching = { 'Cache-Control': isPrivate ? 'private, no-cache' : 'no-cache' };
  const answerWith = createBodyAnswers({ caching }, turns);
  const answerWithFile = createBodyAnswers({ caching }, turns, { asker: OWN });
  const files = once(() => readPageFiles({ logo, folder }, audience(isPrivate)));
  const askedBy = createAsked(options.settings, files);
  const headersOf = createPageHeaders(options.embedOrigins, options.beaconUrls);
  const bodies = createPageBodies({ ...context, publicUrl: options.settings.publicUrl });

  /** An endpoint that answers with a page. */
  function pageOf(tell: Told): (request: EndpointRequest, asked: AskedPage) => Promise<Answer> {
    return async (request, asked) => {
      const headers = {
        ...headersOf(asked.address.isEmbedded),
        Vary: 'Accept-Encoding, Accept-Language',
      };
      try {
        const { body, listing } = await tell(asked, request);
        return currentList.marked(await answerWith(body, request, () => headers), listing);
      } catch (error) {
        const isForPerson = accepts(request.headers.accept, HTML);
        throw isForPerson && error instanceof ServiceError ? withPage(error, asked, headers) : error;
      }
    };
  }

  const list = pageOf(bodies.list);
  const overview = pageOf(bodies.overview);
  const server = pageOf(bodies.server);
  const file = createFiles(async () => (await files()).all, {
    answerWith: answerWithFile,
    isPrivate,
    make: madeFile,
  });
  return {
    async page(request) {
      const asked = await askedBy(request);
      const { formerServerId: id, isOverview, query } = asked.address;
      if (isOverview) return overview(request, asked);
      if (id === undefined) return list(request, asked);
      const rest = pageQuery(asked.address, query);
      return redirectAnswer(`browse/${encodeURIComponent(id)}${rest && `?${rest}`}`);
    },
    async below(request) {
      return isOfServer(request) ? server(request, await askedBy(request)) : file(request);
    },
  };
}

/** Whether the page of a server is asked for. A file has a dot in its name, and no id has one. */
function isOfServer({ parameter }: EndpointRequest): boolean {
  return !parameter!.includes('.');
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
