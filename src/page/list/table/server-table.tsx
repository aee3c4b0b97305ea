/** The rows of the view: renders the visible ones, and requests them and some more around them. */

import './server-table.css';
import '../print.css';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { isSameView } from '../../connection/list-client.ts';
import type { ListView, Rows } from '../../connection/messages.ts';
import { wordsOf } from '../../../model/query/search.ts';
import { filterText } from '../../filters/edit-filters.ts';
import { allFilters } from '../../address/page-url.ts';
import { shownParts } from './row-parts.ts';
import { movedBy, overlaps, rowsInView, scrollToShow, widened } from './row-window.ts';
import { useLive, usePage } from '../../parts/page-context.ts';
import { useNear } from '../../near/use-near.ts';
import { ServerRow } from './server-row.tsx';
import { TableHead } from './table-head.tsx';
import { useActiveRow } from './use-active-row.ts';
import { useFavourites } from '../../favourites/favourites.ts';
import { useFewAtATime } from './use-few-at-a-time.ts';
import { useHold } from '../../hooks/use-hold.ts';
import { useOpenRow } from './use-open-row.ts';
import { useRowCommands } from './use-row-commands.ts';
import { useRowWindow } from './use-row-window.ts';
import { useShortcuts } from '../../hooks/use-shortcuts.ts';

export interface ServerTableOptions {
  /** The view that is wanted. */
  readonly view: ListView;
  /** The rows that are known, of this view or still of the last one. */
  readonly rows: Rows;
}

/** How many rows of scrolling change the requested range once. */
const RANGE_STEP = 64;
/** How many rows are requested before and after the rendered ones: as many as a hand scrolls by before they arrive. */
const SPARE_ROWS = 128;

export function ServerTable({ view, rows }: ServerTableOptions): JSX.Element {
  const { list, place } = useLive();
  const page = usePage();
  const { settings, state, texts } = page;
  const { favourites } = useFavourites();
  const { nearness } = useNear();
  const head = useRef<HTMLTableSectionElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const { inView, drawn, isPassing, viewport } = useRowWindow(head, body, rows.total);
  const { active, awaited, focusRow, setActive } = useActiveRow(rows, body);
  const { copiedId, runCommand } = useRowCommands(rows);
  const { openIndex, openRow } = useOpenRow(rows, focusRow);
  useHold(body, list);

  const wanted = widened(drawn, SPARE_ROWS, RANGE_STEP);
  useEffect(() => list.show(view, wanted), [list, view]);
  // The list moves its range with the rows, so it then gets the range in view again.
  useEffect(() => list.setRange(wanted), [list, wanted.start, wanted.count, rows.start]);

  // Rows that came or left above must not move those that are being read.
  const last = useRef(rows);
  useLayoutEffect(() => {
    const before = last.current;
    last.current = rows;
    if (!isSameView(before.view, rows.view) || inView.start === 0) return;
    const moved = movedBy(before, rows, inView) ?? rows.shift;
    if (moved !== 0) scrollBy({ top: moved * viewport().rowHeight, behavior: 'instant' });
  }, [rows]);

  useLayoutEffect(() => {
    if (!isSameView(rows.view, view)) return;
    const placed = place.take();
    if (placed === undefined) return;
    const { top } = viewport();
    if (placed !== 'top') scrollTo({ top: placed, behavior: 'instant' });
    else if (top > 0) scrollBy({ top: -top, behavior: 'instant' });
  });

  const move = (by: number): void => {
    // Rows behind a dialog stay where they are, unless the dialog follows them.
    if (state.serverId === undefined && document.querySelector('dialog:modal') !== null) return;
    const { top, rowHeight } = viewport();
    // A key may come before the row of the last one is rendered.
    const focused = awaited() ?? focusedIndex(body.current!);
    // After the page was scrolled away from the row, the keys go on where the reader is: at the end with the last row.
    const isAway =
      focused !== undefined && !overlaps({ start: focused, count: 1 }, rowsInView(viewport(), rows.total));
    const from = isAway ? openIndex() : (focused ?? openIndex());
    const here = isAtEnd() ? rows.total - 1 : Math.ceil(top / rowHeight);
    const index = Math.min(Math.max(from === undefined ? here : from + by, 0), rows.total - 1);
    const scrolled = scrollToShow(index, viewport());
    if (scrolled !== 0) scrollBy({ top: scrolled, behavior: 'instant' });
    // A focus in the details of the server stays there.
    if (focused === undefined && openIndex() !== undefined) setActive(index);
    else focusRow(index);
    openRow(index);
  };
  useShortcuts({ next: () => move(1), previous: () => move(-1) });

  const parts = useMemo(() => shownParts(state), [state.isEmbedded, state.look]);
  const sought = filterText(allFilters(state), 'q');
  const surroundings = useMemo(
    () => ({
      ...page,
      nearness,
      parts,
      words: wordsOf(sought),
      connect: settings.connect,
      openId: state.serverId,
    }),
    [page, nearness, parts, sought],
  );
  const tabStop = active?.index ?? inView.start;
  const known = useFewAtATime({ rows, inView, drawn, isPassing, active });
  return (
    <table
      role="table"
      class={parts.has('favourite') ? 'servers has-stars' : 'servers'}
      aria-label={texts.list}
      aria-rowcount={rows.total + 1}
    >
      <TableHead parts={parts} head={head} />
      <tbody
        role="rowgroup"
        ref={body}
        style={{ '--total': rows.total }}
        onClick={runCommand}
        onFocusIn={({ target }) => {
          const index = (target as Element).closest<HTMLElement>('.row')?.dataset['index'];
          if (index !== undefined && Number(index) !== active?.index) setActive(Number(index));
        }}
      >
        {known.map(({ row, index, isLight }) => (
          <ServerRow
            row={row}
            index={index}
            isLight={isLight}
            isActive={index === tabStop}
            isFavourite={favourites.has(row.server)}
            isCopied={row.server.id === copiedId}
            surroundings={surroundings}
            key={row.server.id}
          />
        ))}
      </tbody>
    </table>
  );
}

/** Whether the page is scrolled to its end. */
function isAtEnd(): boolean {
  return scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
}

/** The index of the row with the focus; undefined if none has it. */
function focusedIndex(body: HTMLElement): number | undefined {
  const row = document.activeElement?.closest<HTMLElement>('.row');
  return row && body.contains(row) ? Number(row.dataset['index']) : undefined;
}
