/** Follows which rows can be seen while the page scrolls. */

import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { RowRange } from '../messages.ts';
import { isSameRange, rowsInView, widened, type Viewport } from '../row-window.ts';

/** Drawn before and after those in view, so that a little scrolling finds them there. */
const SPARE_ROWS = 8;
/** The rows drawn change once in so many rows of scrolling. */
const STEP = 4;

export interface RowWindow {
  /** The rows to draw; may end beyond the last row. */
  readonly drawn: RowRange;
  /** What can be seen now, below the head of the table. */
  readonly viewport: () => Viewport;
}

/** `head`: of the table, which stays above the rows; `body`: as high as all rows. */
export function useRowWindow(
  head: RefObject<HTMLElement | null>,
  body: RefObject<HTMLElement | null>,
  total: number,
): RowWindow {
  const [drawn, setDrawn] = useState<RowRange>({ start: 0, count: 0 });
  const viewport = useCallback((): Viewport => {
    const top = Math.max(0, head.current!.getBoundingClientRect().bottom);
    return {
      top: top - body.current!.getBoundingClientRect().top,
      height: Math.max(0, innerHeight - top),
      rowHeight: rowHeightOf(body.current!),
    };
  }, [head, body]);
  const update = useCallback(() => {
    const next = widened(rowsInView(viewport(), total), SPARE_ROWS, STEP);
    setDrawn((last) => (isSameRange(last, next) ? last : next));
  }, [viewport, total]);

  useLayoutEffect(update, [update]);
  useEffect(() => {
    let frame = 0;
    const follow = (): void => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        update();
      });
    };
    const resized = new ResizeObserver(follow);
    resized.observe(document.documentElement);
    addEventListener('scroll', follow, { passive: true });
    addEventListener('resize', follow);
    return () => {
      resized.disconnect();
      removeEventListener('scroll', follow);
      removeEventListener('resize', follow);
      cancelAnimationFrame(frame);
    };
  }, [update]);
  return { drawn, viewport };
}

/** The body is as high as `--total` rows, or one row while there is none. */
function rowHeightOf(body: HTMLElement): number {
  return body.offsetHeight / Math.max(1, Number(body.style.getPropertyValue('--total')));
}
