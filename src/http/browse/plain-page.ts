/**
 * The page as it needs no script: what is listed, or one server, or what is wrong. It looks as the page with its script does,
 * which takes its place. Knows nothing of requests, nor of where its rows come from.
 */

import type { ListedGameServer } from '../../registry/game-server.ts';
import { addressOf, connectAddress } from '../../page/connect.ts';
import { LONGEST_SEARCH } from '../../find/filters.ts';
import { LANGUAGES } from '../../page/texts/languages.ts';
import type { Texts } from '../../page/texts/en.ts';
import { html, Html } from './html.ts';
import { pageHref, type PageAddress } from './page-address.ts';
import { START, type PageFiles } from './page-files.ts';

/** What the operator says of the page. */
export interface PageLook {
  readonly title: string;
  /** The link that opens a game, with placeholders; undefined for none. */
  readonly connect: string | undefined;
}

/** What one rendering is of. */
export interface PageView extends PageLook {
  readonly files: PageFiles;
  readonly address: PageAddress;
  /** One of LANGUAGES. */
  readonly language: string;
  /** As in a query for servers, in canonical form: what the page shows, without its order and cursor. */
  readonly filters: string;
  /** Since when the list is not current, ms since the epoch; undefined if it is. */
  readonly staleSince?: number | undefined;
}

export interface ListContent {
  readonly rows: readonly ListedGameServer[];
  /** How many match in all. */
  readonly total: number;
  /** The queries of the first page, if this is another one, and of the next. */
  readonly first: string | undefined;
  readonly next: string | undefined;
}

/** Those of the page with its script. */
const COLUMNS = [
  'favourite',
  'name',
  'players',
  'map',
  'mode',
  'region',
  'version',
  'tags',
  'password',
  'address',
] as const;
/** Their heads are for screen readers alone. */
const WITHOUT_HEAD: readonly string[] = ['favourite', 'password'];
/** As the page with its script draws it. */
const LOCK = html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
  <path d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2M3.5 7h9v7h-9z" />
</svg>`;
const US_PER_MS = 1000;

export function renderList(view: PageView, { rows, total, first, next }: ListContent): string {
  const texts = LANGUAGES.get(view.language)!;
  const table = html`<table class="servers" aria-label="${texts.list}">
    <thead>
      <tr>
        ${COLUMNS.map(
          (name) =>
            html`<th scope="col" class="${name}">
              <span class="${WITHOUT_HEAD.includes(name) && 'visually-hidden'}">${texts.columns[name]}</span>
            </th>`,
        )}
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => rowOf(row, view, texts))}
    </tbody>
  </table>`;
  const link = (query: string | undefined, rel: string, text: string): Html | undefined =>
    query === undefined
      ? undefined
      : html`<a rel="${rel}" href="${pageHref(view.address, query)}">${text}</a> `;
  return render(
    view,
    view.title,
    html`<div class="list-view plain">
      ${searchOf(view, texts)}${stateOf(view, texts)}
      <p class="count">${texts.servers(total)}</p>
      ${total === 0 ? html`<p class="note">${texts.nothingMatches}</p>` : table}
      <p class="pages">
        ${link(first, 'first', texts.plain.firstPage)}${link(next, 'next', texts.plain.nextPage)}
      </p>
    </div>`,
  );
}

export function renderServer(view: PageView, server: ListedGameServer): string {
  const texts = LANGUAGES.get(view.language)!;
  const { fields } = server.details;
  const rows: (readonly [string, Html | string | undefined])[] = [
    [texts.columns.address, addressOf(server.ip, server.port)],
    [texts.filters.names.host, addressOf(server.host, server.port)],
    [texts.details.otherAddresses, fields.addresses?.map(({ ip, port }) => addressOf(ip, port)).join(', ')],
    [texts.columns.players, texts.playersOf(server.players, server.maxPlayers)],
    ...(['map', 'mode', 'region', 'version'] as const).map(
      (name) => [texts.columns[name], fields[name]] as const,
    ),
    [texts.columns.tags, fields.tags && tagsOf(fields.tags)],
    [texts.columns.password, fields.password === true ? texts.password : undefined],
    ...Object.entries(fields.meta ?? {}).map(
      ([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as const,
    ),
    [texts.details.since, timeOf(Math.floor(server.registeredVersion / US_PER_MS), view.language)],
  ];
  return render(
    view,
    // The isolate keeps the characters of its name from turning the rest round.
    `\u2068${server.name}\u2069 – ${view.title}`,
    html`<article class="server-details plain">
      <p><a href="${pageHref(view.address, view.filters)}">${texts.plain.allServers}</a></p>
      ${stateOf(view, texts)}
      <h2><bdi>${server.name}</bdi></h2>
      ${connectLink(view, server, texts)}
      <dl>
        ${rows.map(([name, value]) =>
          value === undefined || value === ''
            ? new Html('')
            : html`<div>
                <dt><bdi>${name}</bdi></dt>
                <dd>${value instanceof Html ? value : html`<bdi>${value}</bdi>`}</dd>
              </div> `,
        )}
      </dl>
    </article>`,
  );
}

/** `message`: what is wrong. `reason`: the same in the words of the API. */
export function renderProblem(view: PageView, message: string, reason?: string): string {
  const texts = LANGUAGES.get(view.language)!;
  return render(
    view,
    view.title,
    html`<div class="list-view plain">
      ${searchOf(view, texts)}
      <p class="state-line is-bad" role="alert">
        ${message}${reason !== undefined && html` <bdi lang="en">${reason}</bdi>`}
      </p>
      <p><a href="${pageHref(view.address, '')}">${texts.plain.allServers}</a></p>
    </div>`,
  );
}

function render(
  { files, address, language, title, connect }: PageView,
  heading: string,
  content: Html,
): string {
  const texts = LANGUAGES.get(language)!;
  const logo = files.logo === undefined ? null : fileHref(files.logo);
  const settings = JSON.stringify({ title, connect: connect ?? null, logo, worker: fileHref(files.worker) });
  const head = html`<header class="head">
    <h1>${logo !== null && html`<img class="logo" src="${logo}" alt="" />`}<span>${title}</span></h1>
    <nav aria-label="${texts.views}">
      <a href="${pageHref(address, '')}" aria-current="page">${texts.list}</a
      ><a href="${pageHref(address, 'view=overview')}">${texts.overview}</a>
    </nav>
  </header> `;
  return html`<!doctype html>
    <html lang="${language}" dir="${texts.direction}" data-settings="${settings}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content="${title}" />
        <meta name="color-scheme" content="light dark" />
        <title>${heading}</title>
        <link rel="icon" href="${fileHref(files.icon)}" />
        <link rel="stylesheet" href="${fileHref(files.style)}" />
        ${files.accent !== undefined && html`<link rel="stylesheet" href="${fileHref(files.accent)}" /> `}
        <link rel="modulepreload" href="${fileHref(files.script)}" />
        <script defer src="${fileHref(START)}"></script>
      </head>
      <body>
        <div id="app">
          ${!address.isEmbedded && head}
          <main>${content}</main>
        </div>
      </body>
    </html> `.text;
}

function fileHref(name: string): string {
  return `browse/${name}`;
}

function rowOf(row: ListedGameServer, view: PageView, texts: Texts): Html {
  const { map, mode, region, version, tags, password } = row.details.fields;
  const cells: Readonly<Record<(typeof COLUMNS)[number], Html | undefined>> = {
    favourite: undefined,
    name: html`<a href="${pageHref(view.address, `server=${encodeURIComponent(row.id)}`)}"
      ><bdi>${row.name}</bdi></a
    >`,
    players: html`<span class="load">${texts.playersOf(row.players, row.maxPlayers)}</span>`,
    map: isolated(map),
    mode: isolated(mode),
    region: isolated(region),
    version: isolated(version),
    tags: tags && tagsOf(tags),
    password:
      password === true ? html`${LOCK}<span class="visually-hidden">${texts.password}</span>` : undefined,
    address: html`<bdi>${addressOf(row.ip, row.port)}</bdi> ${connectLink(view, row, texts)}`,
  };
  return html`<tr class="row">
    ${COLUMNS.map((name) => html`<td class="${name}">${cells[name]}</td>`)}
  </tr> `;
}

function isolated(text: string | undefined): Html | undefined {
  return text === undefined ? undefined : html`<bdi>${text}</bdi>`;
}

function tagsOf(tags: readonly string[]): Html {
  return html`<span class="chips">${tags.map((tag) => html`<bdi class="chip">${tag}</bdi> `)}</span>`;
}

function connectLink({ connect }: PageView, server: ListedGameServer, texts: Texts): Html | undefined {
  const href = connect === undefined ? undefined : connectAddress(connect, server);
  return href === undefined
    ? undefined
    : html`<a class="button connect" href="${href}" rel="noreferrer">${texts.connect}</a>`;
}

/** A search keeps the other filters, as far as a form can send them. */
function searchOf({ address, filters }: PageView, texts: Texts): Html {
  const pairs = filters.split('&').filter((pair) => pair !== '');
  const words = pairs.find((pair) => pair.startsWith('q='))?.slice(2) ?? '';
  const hidden = [
    ...(address.isEmbedded ? [['embed', '']] : []),
    ...(address.language === undefined ? [] : [['lang', address.language]]),
    // A form would send the comma between alternatives, and the star of a text, as characters of the other kind.
    ...pairs.filter((pair) => !/^q=|,|%2A/.test(pair)).map((pair) => pair.split('=').map(decodeURIComponent)),
  ].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
  return html`<form class="search" role="search" action="browse">
    ${hidden}<input
      type="search"
      name="q"
      id="search"
      aria-label="${texts.search}"
      placeholder="${texts.search}"
      maxlength="${LONGEST_SEARCH}"
      value="${decodeURIComponent(words)}"
    />
    <button class="button">${texts.plain.search}</button>
  </form> `;
}

function stateOf({ staleSince, language }: PageView, texts: Texts): Html | undefined {
  if (staleSince === undefined) return undefined;
  return html`<p class="state-line is-warn" role="status">
    ${texts.feed.stale} ${texts.plain.asOf} ${timeOf(staleSince, language)}
  </p> `;
}

/** Of the zone of no reader in particular: UTC. */
function timeOf(ms: number, language: string): Html {
  const time = new Date(ms);
  const shown = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'long',
    timeZone: 'UTC',
  });
  return html`<time datetime="${time.toISOString()}">${shown.format(time)}</time>`;
}
