/**
 * The page as it needs no script, around what it shows: its head, its search, how current it is, and what is wrong. It
 * looks as the page with its script does, which takes its place.
 */

import type { ListedGameServer } from '../registry/game-server.ts';
import { connectAddress } from '../page/parts/connect.ts';
import { LONGEST_SEARCH } from '../query/limits.ts';
import { LANGUAGES } from '../page/texts/languages.ts';
import type { Texts } from '../page/texts/en.ts';
import { html, type Html } from './html.ts';
import { pageHref, type PageAddress } from './page-address.ts';
import { START, type PageFiles } from './page-files.ts';

/** What the operator says of the page. */
export interface PageLook {
  readonly title: string;
  /** A line above all that the page shows; undefined for none. */
  readonly notice: string | undefined;
  /** The link that opens a game, with placeholders; undefined for none. */
  readonly connect: string | undefined;
  /** Whether there may be unlisted servers. */
  readonly hasJoinCodes: boolean;
  /** Whether browsers are sent from the whole list to the page. */
  readonly isRedirected: boolean;
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

/** A whole document. `heading`: its title in the browser. */
export function render(
  { files, address, language, title, notice, connect, hasJoinCodes, isRedirected }: PageView,
  heading: string,
  content: Html,
): string {
  const texts = LANGUAGES.get(language)!;
  const logo = files.logo === undefined ? null : fileHref(files.logo);
  const settings = JSON.stringify({
    title,
    notice: notice ?? null,
    connect: connect ?? null,
    logo,
    json: isRedirected ? 'servers' : './',
    worker: fileHref(files.worker),
    hasJoinCodes,
  });
  const head = html`<header class="head">
    <h1>
      ${logo !== null && html`<img class="logo" src="${logo}" alt="" />`}<span title="${title}"
        >${title}</span
      >
    </h1>
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
          <main>${noticeOf(notice)}${content}</main>
        </div>
      </body>
    </html> `.text;
}

/** As the page with its script draws it. */
function noticeOf(notice: string | undefined): Html | undefined {
  return notice === undefined ? undefined : html`<p class="notice" role="note" dir="auto">${notice}</p> `;
}

function fileHref(name: string): string {
  return `browse/${name}`;
}

/** The first `most` of them, and how many more there are. */
export function tagsOf(tags: readonly string[], most = Infinity): Html {
  const more = tags.length - most;
  return html`<span class="chips" title="${tags.join(', ')}"
    >${tags.slice(0, most).map((tag) => html`<bdi class="chip">${tag}</bdi> `)}${
      more > 0 && html`<span class="chip">+${more}</span>`
    }</span
  >`;
}

/** Opens the game at this server, if the operator has said how. */
export function connectLink(
  { connect }: PageView,
  server: ListedGameServer,
  texts: Texts,
  look: 'connect' | 'button connect' = 'button connect',
): Html | undefined {
  const href = connect === undefined ? undefined : connectAddress(connect, server);
  return href === undefined
    ? undefined
    : html`<a class="${look}" href="${href}" rel="noreferrer">${texts.connect}</a>`;
}

/** A search keeps the other filters, as far as a form can send them. */
export function searchOf({ address, filters }: PageView, texts: Texts): Html {
  const pairs = filters.split('&').filter((pair) => pair !== '');
  const words = pairs.find((pair) => pair.startsWith('q='))?.slice(2) ?? '';
  const hidden = [
    ...(address.isEmbedded ? [['embed', '']] : []),
    ...(address.language === undefined ? [] : [['lang', address.language]]),
    // A form would send the comma between alternatives, and the star of a text, as characters of the other kind.
    ...pairs.filter((pair) => !/^q=|,|%2A/.test(pair)).map((pair) => pair.split('=').map(decodeURIComponent)),
  ].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
  return html`<form class="filter-bar" role="search" action="browse">
    ${hidden}
    <div class="filter-line">
      <div class="search-box">
        <input
          class="field"
          type="search"
          name="q"
          id="search"
          aria-label="${texts.search}"
          placeholder="${texts.search}"
          maxlength="${LONGEST_SEARCH}"
          value="${decodeURIComponent(words)}"
        />
      </div>
      <button class="button">${texts.plain.search}</button>
    </div>
  </form> `;
}

/** Since when the list is not current; undefined if it is. */
export function stateOf({ staleSince, language }: PageView, texts: Texts): Html | undefined {
  if (staleSince === undefined) return undefined;
  return html`<p class="state-line is-warn" role="status">
    ${texts.plain.asOf} ${timeElement(staleSince, language)}. ${texts.feed.stale}
  </p> `;
}

/** Of the zone of no reader in particular: UTC. */
export function timeElement(ms: number, language: string): Html {
  const time = new Date(ms);
  const shown = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'long',
    timeZone: 'UTC',
  });
  return html`<time datetime="${time.toISOString()}">${shown.format(time)}</time>`;
}
