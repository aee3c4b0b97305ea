/** One server as it needs no script: all that it says of itself. */

import { addressOf } from '../page/parts/connect.ts';
import { FLAGS } from '../page/parts/flags.ts';
import { describeMeta, type MetaDescription, type MetaValue } from '../page/server/describe-meta.ts';
import type { Texts } from '../page/texts/en.ts';
import { LANGUAGES } from '../page/texts/languages.ts';
import type { ListedGameServer } from '../registry/game-server.ts';
import { Html, html } from './html.ts';
import { pageHref } from './page-address.ts';
import { connectLink, render, stateOf, tagsOf, timeElement, type PageView } from './plain-page.ts';

const US_PER_MS = 1000;

export function renderPlainServer(view: PageView, server: ListedGameServer): string {
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
    ...FLAGS.map(
      (name) => [texts.flags[name].name, fields[name] === true ? texts.flags[name].is : undefined] as const,
    ),
    [texts.details.since, timeElement(Math.floor(server.registeredVersion / US_PER_MS), view.language)],
  ];
  const meta = describeMeta(fields.meta ?? {}, { texts, language: view.language });
  return render(
    view,
    // The isolate keeps the characters of its name from turning the rest round.
    `\u2068${server.name}\u2069 – ${view.title}`,
    html`<article class="server-details plain">
      <p><a href="${pageHref(view.address, view.filters)}">${texts.plain.allServers}</a></p>
      ${stateOf(view, texts)}
      <h2><bdi>${server.name}</bdi></h2>
      ${connectLink(view, server, texts)}
      ${meta.description !== undefined && html`<p><bdi>${meta.description}</bdi></p>`}
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
      ${meta.entries.length > 0 && html`<h3>${texts.details.more}</h3>`} ${entriesOf(meta, view, texts)}
    </article>`,
  );
}

function entriesOf(
  { entries, hasMore }: Pick<MetaDescription, 'entries' | 'hasMore'>,
  view: PageView,
  texts: Texts,
): Html | undefined {
  if (entries.length === 0) return undefined;
  const rows = entries.map(
    ({ label, value }) =>
      html`<div>
        <dt><bdi>${label}</bdi></dt>
        <dd>${metaValueOf(value, view, texts)}</dd>
      </div> `,
  );
  return html`<dl>${rows}</dl>
    ${hasMore && html`<p>${texts.details.andMore}</p>`}`;
}

function metaValueOf(value: MetaValue, view: PageView, texts: Texts): Html | undefined {
  switch (value.is) {
    case 'text':
      return html`<bdi>${value.text}</bdi>`;
    case 'link':
      return html`<a
        href="${value.href}"
        rel="noopener nofollow ugc"
        target="${view.address.isEmbedded ? '_blank' : '_self'}"
        >${value.host}</a
      >`;
    case 'list':
      return html`<ul>
        ${value.values.map((each) => html`<li>${metaValueOf(each, view, texts)}</li> `)}
        ${value.hasMore && html`<li>${texts.details.andMore}</li>`}
      </ul>`;
    case 'group':
      break;
  }
  return entriesOf(value, view, texts);
}
