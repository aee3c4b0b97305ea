/** Follows which rows are visible while the page scrolls. */

import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RowRange } from '../../../model/view/listed-row.ts';
import { isSameRange, overlaps, rowsInView, widened, type Viewport } from './row-window.ts';

/** How many rows are rendered before and after those in view, so that a little scrolling finds them ready. */
const SPARE_ROWS = 8;
/** The page stands still once it has not scrolled in this many frames, however long a frame takes. */
const STILL_FRAMES = 4;
/** The list passes by if this share of the visible rows leaves at one scroll event, and again at the next. */
const PASSING_SHARE = 1 / 4;
/** How many rows of scrolling change the rendered range once. */
const STEP = 4;

export interface RowWindow {
  /** The rows that are at least partly visible. */
  readonly inView: RowRange;
  /** The visible rows and some more; the range may end beyond the last row. */
  readonly drawn: RowRange;
  /** Whether the rows pass by too fast to be read whole. */
  readonly isPassing: boolean;
  /** Measures the visible part of the rows, below the head of the table. */
  readonly viewport: () => Viewport;
}

/** `head`: the head of the table, which stays above the rows. `body`: an element as high as all rows. */
export function useRowWindow(
  head: RefObject<HTMLElement | null>,
  body: RefObject<HTMLElement | null>,
  total: number,
): RowWindow {
  const [inView, setInView] = useState<RowRange>({ start: 0, count: 0 });
  const [isPassing, setPassing] = useState(false);
  /** The visible rows at the last scroll event. */
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
    // The page may scroll just after the table was removed. On paper there is no view, and the rows stay.
    if (body.current === null || matchMedia('print').matches) return;
    const next = rowsInView(viewport(), total);
    passed.current = next;
    setInView((last) => (isSameRange(last, next) ? last : next));
  }, [viewport, total]);

  useLayoutEffect(update, [update]);
  useEffect(() => {
    let frame = 0;
    /** How many events in a row moved the list far. */
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
      // After a jump past all visible rows nothing is rendered before the page stands still.
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

/** The height of a row: the body is as high as `--total` rows, or as one row if there is none. */
function rowHeightOf(body: HTMLElement): number {
  return body.offsetHeight / Math.max(1, Number(body.style.getPropertyValue('--total')));
}
