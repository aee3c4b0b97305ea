/** Follows which rows can be seen while the page scrolls. */

import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RowRange } from '../../../model/view/listed-row.ts';
import { isSameRange, overlaps, rowsInView, widened, type Viewport } from './row-window.ts';

/** Drawn before and after those in view, so that a little scrolling finds them there. */
const SPARE_ROWS = 8;
/** The page stands still when it has not scrolled in so many frames, however long a frame takes. */
const STILL_FRAMES = 4;
/** The list passes by when so much of what is in view leaves it at once, and once more at the next event. */
const PASSING_SHARE = 1 / 4;
/** The rows drawn change once in so many rows of scrolling. */
const STEP = 4;

export interface RowWindow {
  /** The rows of which any part can be seen. */
  readonly inView: RowRange;
  /** Those and some more; may end beyond the last row. */
  readonly drawn: RowRange;
  /** The rows pass by too fast to be read whole. */
  readonly isPassing: boolean;
  /** What can be seen now, below the head of the table. */
  readonly viewport: () => Viewport;
}

/** `head`: of the table, which stays above the rows; `body`: as high as all rows. */
export function useRowWindow(
  head: RefObject<HTMLElement | null>,
  body: RefObject<HTMLElement | null>,
  total: number,
): RowWindow {
  const [inView, setInView] = useState<RowRange>({ start: 0, count: 0 });
  const [isPassing, setPassing] = useState(false);
  /** Where the last event of scrolling has found the page. */
  const passed = useRef(inView);
  const viewport = useCallback((): Viewport => {
    const top = Math.max(0, head.current!.getBoundingClientRect().bottom);
    return {
      top: top - body.current!.getBoundingClientRect().top,
      height: Math.max(0, innerHeight - top),
      rowHeight: rowHeightOf(body.current!),
    };
  }, [head, body]);
  const update = useCallback(() => {
    // The page may scroll when the table has just been taken away. On paper there is no view, and the rows stay.
    if (body.current === null || matchMedia('print').matches) return;
    const next = rowsInView(viewport(), total);
    passed.current = next;
    setInView((last) => (isSameRange(last, next) ? last : next));
  }, [viewport, total]);

  useLayoutEffect(update, [update]);
  useEffect(() => {
    let frame = 0;
    /** Events, one after the other, that moved the list far. */
    let farMoves = 0;
    const onceStill = (): void => {
      farMoves = 0;
      setPassing(false);
      update();
    };
    const wait = (frames: number): void => {
      frame = requestAnimationFrame(() => (frames === 0 ? onceStill() : wait(frames - 1)));
    };
    // A scroll event comes once in a frame, before the page is drawn.
    const scrolled = (): void => {
      cancelAnimationFrame(frame);
      if (body.current === null) return;
      const next = rowsInView(viewport(), total);
      const moved = Math.abs(next.start - passed.current.start);
      const isReadable = overlaps(passed.current, next);
      passed.current = next;
      farMoves = moved > PASSING_SHARE * next.count ? farMoves + 1 : 0;
      setPassing(farMoves > 1);
      // After a jump past all that was in view nothing is drawn before the page stands still.
      if (isReadable) update();
      if (farMoves > 0) wait(STILL_FRAMES);
    };
    const resized = new ResizeObserver(update);
    resized.observe(document.documentElement);
    addEventListener('scroll', scrolled, { passive: true });
    addEventListener('resize', update);
    return () => {
      cancelAnimationFrame(frame);
      resized.disconnect();
      removeEventListener('scroll', scrolled);
      removeEventListener('resize', update);
    };
  }, [update, viewport, total]);
  return { inView, drawn: widened(inView, SPARE_ROWS, STEP), isPassing, viewport };
}

/** The body is as high as `--total` rows, or one row while there is none. */
function rowHeightOf(body: HTMLElement): number {
  return body.offsetHeight / Math.max(1, Number(body.style.getPropertyValue('--total')));
}
