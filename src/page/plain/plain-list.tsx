/** A page of the list. Its rows are rendered a few at a time, before the document around them. */

import type { JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { ListedRow } from '../../model/view/listed-row.ts';
import type { ListedServer } from '../../model/view/listed-server.ts';
import { wordsOf } from '../../model/query/search.ts';
import { allFilters, type PageState } from '../address/page-url.ts';
import { filterText } from '../filters/edit-filters.ts';
import { shownParts, type RowPart } from '../list/table/row-parts.ts';
import { FirstServer } from '../list/first-server.tsx';
import { ServerRow } from '../list/table/server-row.tsx';
import { TableHead } from '../list/table/table-head.tsx';
import { MissingWithoutScript } from '../missing/missing-line.tsx';
import { usePage } from '../parts/page-context.ts';
import { plainContextOf, renderDocument } from './document.tsx';
import { PlainSearch } from './plain-search.tsx';
import { StaleLine } from './stale-line.tsx';
import type { PlainList, PlainView } from './renderer.ts';

/** How many rows are rendered between two pauses: they take 0.4 ms on a slow core. */
const ROWS_AT_ONCE = 8;

export function* renderList(view: PlainView, list: PlainList): Generator<undefined, string> {
  const context = plainContextOf(view);
  const { texts, hrefOf, state, root } = context;
  const parts = new Set([...shownParts(state)].filter((part) => part !== 'favourite'));
  const surroundings = {
    ...context,
    hrefOf: (change: Partial<PageState>) => hrefOf({ ...change, view: 'server' }),
    nearness: undefined,
    parts,
    words: wordsOf(filterText(allFilters(state), 'q')),
    connect: view.settings.connect,
    openId: undefined,
  };
  const rows: string[] = [];
  for (const server of list.rows) {
    const options = { row: rowOf(server), index: rows.length, isActive: true, surroundings };
    rows.push(
      renderToString(<ServerRow {...options} isLight={false} isFavourite={false} isCopied={false} />),
    );
    if (rows.length % ROWS_AT_ONCE === 0) yield;
  }
  return renderDocument({
    view,
    context,
    title: view.settings.title,
    children: (
      <section class="list-view plain" aria-label={texts.list}>
        <PlainSearch total={list.total} />
        <StaleLine since={view.staleSince} />
        <div class="list-content" id="rows" tabIndex={-1}>
          {list.total === 0 ? <Nothing {...list} /> : <Table rows={rows} parts={parts} />}
          <p class="pages">
            {!list.isFirst && (
              <a rel="first" href={hrefOf({})}>
                {texts.plain.firstPage}
              </a>
            )}
            {list.nextQuery !== undefined && (
              <a rel="next" href={`${root}browse?${list.nextQuery}`}>
                {texts.plain.nextPage}
              </a>
            )}
          </p>
          <MissingWithoutScript />
        </div>
      </section>
    ),
  });
}

/** A row without a history of changes. */
function rowOf(server: ListedServer): ListedRow {
  return { server, version: 0, changed: [], isNew: false, isGone: false };
}

interface TableOptions {
  /** Rendered already. */
  readonly rows: readonly string[];
  readonly parts: ReadonlySet<RowPart>;
}

function Table({ rows, parts }: TableOptions): JSX.Element {
  const { texts, state } = usePage();
  return (
    <table role="table" class={state.isEmbedded ? 'servers' : 'servers has-stars'} aria-label={texts.list}>
      <TableHead parts={parts} />
      <tbody
        role="rowgroup"
        style={{ '--total': rows.length }}
        dangerouslySetInnerHTML={{ __html: rows.join('') }}
      />
    </table>
  );
}

function Nothing({ isFirst, serviceUrl }: PlainList): JSX.Element {
  const { state, texts } = usePage();
  const isWhole = allFilters(state).length === 0 && isFirst;
  return isWhole ? <FirstServer serviceUrl={serviceUrl} /> : <p class="note">{texts.nothingMatches}</p>;
}
