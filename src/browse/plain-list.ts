/** The list as it needs no script: a table like that of the page with its script, and links to the other rows. */

import type { Work } from '../work/work.ts';
import type { ListedServer } from '../page/connection/messages.ts';
import { COLUMNS, TAGS_SHOWN, type Column } from '../page/list/columns.ts';
import { EXAMPLE_LIST, exampleBroadcast } from '../page/list/example-broadcast.ts';
import { loadOf } from '../page/parts/load.ts';
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
  const cells = plainCells(view, texts);
  const tableRows: Html[] = [];
  for (const row of rows) if (tableRows.push(rowOf(row, cells)) % ROWS_AT_ONCE === 0) yield;
  const table = html`<table class="servers" aria-label="${texts.list}">
    <thead>
      <tr>
        ${COLUMNS.map(
          ({ name, isHeadHidden }) =>
            html`<th scope="col" class="${name}">
              <span class="${isHeadHidden ? 'visually-hidden' : ''}">${texts.columns[name]}</span>
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
      ${searchOf(view, texts)}
      <div class="list-content">
        <div class="bar toolbar">
          <p class="count">${texts.servers(total)}</p>
          ${stateOf(view, texts)}
        </div>
        ${total === 0 ? nothing : table}
        <p class="pages">
          ${link(first, 'first', texts.plain.firstPage)}${link(next, 'next', texts.plain.nextPage)}
        </p>
      </div>
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

/** What is more than a text, by its column. */
type PlainCells = Partial<Record<Column['name'], (row: ListedGameServer) => Html | undefined>>;

function plainCells(view: PageView, texts: Texts): PlainCells {
  return {
    name: ({ id, name }) =>
      html`<a href="${pageHref(view.address, `server=${encodeURIComponent(id)}`)}" title="${name}"
        ><bdi>${name}</bdi></a
      >`,
    players: ({ players, maxPlayers }) => {
      const told = texts.playersOf(players, maxPlayers);
      const isFull = loadOf(players, maxPlayers) === 1;
      return html`<span class="load" title="${told}"
        ><span>${told}</span>${isFull && html`<b>${texts.full}</b>`}</span
      >`;
    },
    tags: ({ details: { fields } }) => fields.tags && tagsOf(fields.tags, TAGS_SHOWN),
    password: ({ details }) =>
      details.fields.password === true
        ? html`<span class="lock" role="img" aria-label="${texts.flags.password.is}"></span>`
        : undefined,
    actions: (row) => connectLink(view, row, texts, 'connect'),
  };
}

function rowOf(row: ListedGameServer, cells: PlainCells): Html {
  const server = listedOf(row);
  return html`<tr class="row">
    ${COLUMNS.map(({ name, text }) => {
      const told = text?.(server);
      return told === undefined
        ? html`<td class="${name}">${cells[name]?.(row)}</td>`
        : html`<td class="${name}" title="${told}"><bdi>${told}</bdi></td>`;
    })}
  </tr> `;
}

/** As the API tells it, and so the columns know it. */
function listedOf({
  id,
  name,
  host,
  ip,
  port,
  players,
  maxPlayers,
  details,
}: ListedGameServer): ListedServer {
  return { id, name, host, ip, port, players, max_players: maxPlayers, registered_at: '', ...details.fields };
}
