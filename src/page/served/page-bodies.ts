/**
 * What each page shows before its script runs: the first hundred servers, from the same pages as those of `GET
 * /servers`; one server; or the numbers of `GET /stats`.
 */

import { LRUCache } from 'lru-cache';
import { bytesOf, type Page } from '../../api/find/page.ts';
import { withCursor } from '../../api/find/page-query.ts';
import type { Pages } from '../../api/find/pages.ts';
import { renderServer } from '../../api/find/render-server.ts';
import { toldEntry, UNKNOWN_SERVER } from '../../api/find/servers.ts';
import type { Stats } from '../../api/find/statistics.ts';
import type { Context } from '../../api/http/context.ts';
import type { EndpointRequest } from '../../api/http/route.ts';
import { Body } from '../../api/work/body.ts';
import type { Work } from '../../api/work/work.ts';
import type { ListedGameServer } from '../../model/game-server.ts';
import type { ListedServer } from '../../model/view/listed-server.ts';
import type { Listing } from '../../registry/registry.ts';
import type { components } from '../../model/view/api.d.ts';
import { isUnlistedServer } from '../parts/is-unlisted-server.ts';
import type { AskedPage } from './asked-page.ts';
import { pageQuery } from './page-address.ts';

/** The body of a page, and the list that it shows. */
export type Told = (
  asked: AskedPage,
  request: EndpointRequest,
) => Promise<{ readonly body: Body; readonly listing: Listing }>;

/** The size of all rendered pages that are kept, in bytes: some 100. */
const KEPT_BYTES = 16 * 1024 * 1024;

export interface PageBodiesOptions extends Pick<Context, 'registry' | 'currentList' | 'turns'> {
  readonly pages: Pages;
  readonly stats: Stats;
  /** The address of the service for everybody; undefined if the operator has not set it. */
  readonly publicUrl: string | undefined;
}

export function createPageBodies({
  publicUrl,
  registry,
  currentList,
  pages,
  stats,
  turns,
}: PageBodiesOptions): Readonly<Record<'list' | 'overview' | 'server', Told>> {
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

  const list: Told = async (asked, request) => {
    const { address, files: built } = asked;
    const query = pages.parse(address.query);
    const { text, textOfAll, after } = query;
    const listing = await currentList.listing();
    const { snapshot, staleSince } = listing;
    const ofAll = pageQuery(address, textOfAll);
    const view = { ...asked.view, query: ofAll, staleSince };
    const page = await pages.answer(query, snapshot, request);
    // The address is needed only for a list without rows.
    const serviceUrl = page.content.total === 0 ? serviceUrlOf(request.headers) : '';
    const key = [text, ofAll, view.language, staleSince, serviceUrl].join('\n');
    const body = await bodyOf(key, page, request, () => {
      const { rows, total, next } = page.content;
      return built.renderer.renderList(view, {
        rows: listedServers(rows),
        total,
        isFirst: after === undefined,
        nextQuery: next === null ? undefined : withCursor(ofAll, next),
        serviceUrl,
      });
    });
    return { body, listing };
  };

  const server: Told = async (asked, request) => {
    const { address, view, files: built } = asked;
    const id = request.parameter!;
    const listing = await currentList.listing();
    const { staleSince } = listing;
    const entry = toldEntry(registry, registry.known(id), staleSince !== undefined);
    // An unlisted server is found by its join code alone.
    if (entry === undefined || isUnlistedServer({ id })) throw UNKNOWN_SERVER;
    const body = await turns.run(request, function* () {
      const listed = listedServer(entry, true);
      const shown = { ...view, query: pageQuery(address, address.query), staleSince };
      const page = built.renderer.renderServer(shown, listed, publicUrl);
      yield;
      return new Body(Buffer.from(page));
    });
    return { body, listing };
  };

  const overview: Told = async ({ view, files: built, address }, request) => {
    const listing = await currentList.listing();
    const { plain } = await stats.answer(stats.parse(''), listing.snapshot, request);
    const body = await turns.run(request, function* () {
      const told = JSON.parse(plain.toBuffer().toString()) as components['schemas']['Stats'];
      const shown = { ...view, query: pageQuery(address, address.query), staleSince: listing.staleSince };
      yield;
      return new Body(Buffer.from(built.renderer.renderOverview(shown, told)));
    });
    return { body, listing };
  };
  return { list, overview, server };
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
