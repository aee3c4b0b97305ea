/** The rows of the view. Draws those that can be seen, and asks the list for them and some more around them. */

import './server-table.css';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ListView, RowRange, Rows } from '../messages.ts';
import { scrollToShow, widened } from '../row-window.ts';
import { COLUMNS } from './columns.ts';
import { HeadCell } from './head-cell.tsx';
import { usePage } from './page-context.ts';
import { ServerRow, SkeletonRow } from './server-row.tsx';
import { useActiveRow, type ActiveRow } from './use-active-row.ts';
import { useHold } from './use-hold.ts';
import { useRowWindow } from './use-row-window.ts';
import { useShortcuts } from './use-shortcuts.ts';

export interface ServerTableOptions {
  /** What is asked for. */
  readonly view: ListView;
  /** What is known, of this view or still of the last one. */
  readonly rows: Rows;
}

/** The rows asked for change once in so many rows of scrolling. */
const RANGE_STEP = 16;

export function ServerTable({ view, rows }: ServerTableOptions): JSX.Element {
  const { list, texts } = usePage();
  const head = useRef<HTMLTableSectionElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const { drawn, viewport } = useRowWindow(head, body, rows.total);
  const { active, focusRow, setActive } = useActiveRow(rows, body);
  useHold(body, list);

  const wanted = widened(drawn, drawn.count, RANGE_STEP);
  useEffect(() => list.show(view, wanted), [list, view]);
  useEffect(() => list.setRange(wanted), [list, wanted.start, wanted.count]);

  // Rows that came or left above must not move those that are read.
  useLayoutEffect(() => {
    const { top, rowHeight } = viewport();
    if (rows.shift !== 0 && top > 0) scrollBy({ top: rows.shift * rowHeight, behavior: 'instant' });
  }, [rows]);

  const move = (by: number): void => {
    const { top, rowHeight } = viewport();
    const isAtRows = active !== undefined && body.current!.contains(document.activeElement);
    const next = isAtRows ? active.index + by : Math.ceil(top / rowHeight);
    const index = Math.min(Math.max(next, 0), rows.total - 1);
    const scrolled = scrollToShow(index, viewport());
    if (scrolled !== 0) scrollBy({ top: scrolled, behavior: 'instant' });
    focusRow(index);
  };
  useShortcuts({ next: () => move(1), previous: () => move(-1) });

  const tabStop = active?.index ?? drawn.start;
  return (
    <table role="table" class="servers" aria-label={texts.list} aria-rowcount={rows.total + 1}>
      <thead role="rowgroup" ref={head}>
        <tr role="row" aria-rowindex={1}>
          {COLUMNS.map((column) => (
            <HeadCell column={column} key={column.name} />
          ))}
        </tr>
      </thead>
      <tbody
        role="rowgroup"
        ref={body}
        style={{ '--total': rows.total }}
        onFocusIn={({ target }) => {
          const index = (target as Element).closest<HTMLElement>('[data-index]')?.dataset['index'];
          if (index !== undefined && Number(index) !== active?.index) setActive(Number(index));
        }}
      >
        {indexesOf(drawn, active, rows.total).map((index) => {
          const row = rows.rows[index - rows.start] ?? (index === active?.index ? active.row : undefined);
          return row === undefined ? (
            <SkeletonRow index={index} key={` ${index}`} />
          ) : (
            <ServerRow
              row={row}
              index={index}
              isActive={index === tabStop}
              texts={texts}
              key={row.server.id}
            />
          );
        })}
      </tbody>
    </table>
  );
}

/** The active row stays drawn however far the page is scrolled, since it may have the focus. */
function indexesOf(
  { start, count }: RowRange,
  active: ActiveRow | undefined,
  total: number,
): readonly number[] {
  const end = Math.min(start + count, total);
  const indexes = Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at);
  if (active === undefined || (active.index >= start && active.index < end)) return indexes;
  return active.index < start ? [active.index, ...indexes] : [...indexes, active.index];
}
