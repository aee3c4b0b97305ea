/** Asks the list to keep its order while the reader is at the rows: points at one, or has the focus in one. */

import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ListClient } from '../connection/list-client.ts';

/** A pointer that has not moved for so long was left there. */
const IDLE_MS = 30_000;
const MOVES = ['pointermove', 'wheel', 'focusin', 'keydown'];
const LEAVES = ['pointerleave', 'focusout'];

export function useHold(rows: RefObject<HTMLElement | null>, list: ListClient): void {
  useEffect(() => {
    const element = rows.current!;
    let isHeld = false;
    let idle: ReturnType<typeof setTimeout> | undefined;
    const hold = (): void => {
      clearTimeout(idle);
      idle = setTimeout(release, IDLE_MS);
      if (!isHeld) list.hold((isHeld = true));
    };
    const release = (): void => {
      clearTimeout(idle);
      if (isHeld) list.hold((isHeld = false));
    };
    const leave = (event: Event): void => {
      const next = event instanceof FocusEvent ? event.relatedTarget : document.activeElement;
      const isStillAtRows =
        (next instanceof Node && element.contains(next)) ||
        (event.type === 'focusout' && element.matches(':hover'));
      if (!isStillAtRows) release();
    };
    for (const type of MOVES) element.addEventListener(type, hold, { passive: true });
    for (const type of LEAVES) element.addEventListener(type, leave);
    return () => {
      for (const type of MOVES) element.removeEventListener(type, hold);
      for (const type of LEAVES) element.removeEventListener(type, leave);
      release();
    };
  }, [rows, list]);
}
