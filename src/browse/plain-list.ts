/** The list as it needs no script: a table like that of the page with its script, and links to the other rows. */

import type { Work } from '../work/work.ts';
import { addressOf } from '../page/parts/connect.ts';
import { COLUMNS, type Column } from '../page/list/columns.ts';
import { EXAMPLE_LIST, exampleBroadcast } from '../page/list/example-broadcast.ts';
import type { Texts } from '../page/texts/en.ts';
import { LANGUAGES } from '../page/texts/languages.ts';
import type { ListedGameServer } from '../registry/game-server.ts';
import { html, type Html } from './html.ts';
import { pageHref } from './page-address.ts';
import { connectLink, render, searchOf, stateOf, tagsOf, type PageView } from './plain-page.ts';

export interface ListContent {
  readonly rows: readonly ListedGameServer[];
  /** How many match in all. */
  readonly total: number;
  /** The queries of the first page, if this is another one, and of the next. */
  readonly first: string | undefined;
  readonly next: string | undefined;
  /** Of the service, as the reader reaches it. */
  readonly serviceUrl: string;
}

/** As the page with its script draws it. */
const LOCK = html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
  <path d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2M3.5 7h9v7h-9z" />
</svg>`;

/** The renderer yields after this many rows: 0.2 ms. */
const ROWS_AT_ONCE = 8;

export function* renderPlainList(
  view: PageView,
  { rows, total, first, next, serviceUrl }: ListContent,
): Work<string> {
  const texts = LANGUAGES.get(view.language)!;
  const isWhole = view.filters === '' && first === undefined;
  const nothing = isWhole
    ? firstServer(view, serviceUrl, texts)
    : html`<p class="note">${texts.nothingMatches}</p>`;
  const tableRows: Html[] = [];
  for (const row of rows) if (tableRows.push(rowOf(row, view, texts)) % ROWS_AT_ONCE === 0) yield;
  const table = html`<table class="servers" aria-label="${texts.list}">
    <thead>
      <tr>
        ${COLUMNS.map(
          ({ name, isHeadHidden }) =>
            html`<th scope="col" class="${name}">
              <span class="${isHeadHidden && 'visually-hidden'}">${texts.columns[name]}</span>
            </th>`,
        )}
      </tr>
    </thead>
    <tbody>
      ${tableRows}
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
      ${total === 0 ? nothing : table}
      <p class="pages">
        ${link(first, 'first', texts.plain.firstPage)}${link(next, 'next', texts.plain.nextPage)}
      </p>
    </div>`,
  );
}

/** As the page with its script says it. */
function firstServer({ address }: PageView, serviceUrl: string, { firstServer: texts }: Texts): Html {
  if (address.isEmbedded) return html`<p class="note">${texts.title}</p>`;
  return html`<div class="first-server">
    <h2>${texts.title}</h2>
    <p>${texts.broadcast}</p>
    <pre><code>${exampleBroadcast(serviceUrl)}</code></pre>
    <p class="aside">${texts.key}</p>
    <p>${texts.demo}</p>
    <pre><code>${EXAMPLE_LIST}</code></pre>
  </div>`;
}

function rowOf(row: ListedGameServer, view: PageView, texts: Texts): Html {
  const { map, mode, region, version, tags, password } = row.details.fields;
  const cells: Partial<Record<Column['name'], Html | undefined>> = {
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
      password === true
        ? html`${LOCK}<span class="visually-hidden">${texts.flags.password.is}</span>`
        : undefined,
    address: html`<bdi>${addressOf(row.ip, row.port)}</bdi> ${connectLink(view, row, texts)}`,
  };
  return html`<tr class="row">
    ${COLUMNS.map(({ name }) => html`<td class="${name}">${cells[name]}</td>`)}
  </tr> `;
}

function isolated(text: string | undefined): Html | undefined {
  return text === undefined ? undefined : html`<bdi>${text}</bdi>`;
}
