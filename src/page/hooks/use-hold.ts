/** Holds the order of the list while the reader points at a part of the page, or has the focus there. */

import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ListClient } from '../connection/list-client.ts';

/** How long a pointer may rest before it counts as left there. */
const IDLE_MS = 30_000;
const MOVES = ['pointermove', 'wheel', 'focusin', 'keydown'];
const LEAVES = ['pointerleave', 'focusout'];

export function useHold(part: RefObject<HTMLElement | null>, list: ListClient): void {
  useEffect(() => {
    const element = part.current!;
    let letGo: (() => void) | undefined;
    let idle: ReturnType<typeof setTimeout> | undefined;
    const hold = (): void => {
      clearTimeout(idle);
      idle = setTimeout(release, IDLE_MS);
      letGo ??= list.hold();
    };
    const release = (): void => {
      clearTimeout(idle);
      letGo?.();
      letGo = undefined;
    };
    const leave = (event: Event): void => {
      const next = event instanceof FocusEvent ? event.relatedTarget : document.activeElement;
      const isStillThere =
        (next instanceof Node && element.contains(next)) ||
        (event.type === 'focusout' && element.matches(':hover'));
      if (!isStillThere) release();
    };
    if (element.contains(document.activeElement)) hold();
    for (const type of MOVES) element.addEventListener(type, hold, { passive: true });
    for (const type of LEAVES) element.addEventListener(type, leave);
    return () => {
      for (const type of MOVES) element.removeEventListener(type, hold);
      for (const type of LEAVES) element.removeEventListener(type, leave);
      release();
    };
  }, [part, list]);
}
