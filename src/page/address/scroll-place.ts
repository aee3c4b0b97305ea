/**
 * Keeps how far the page is scrolled in each step of the browser's history, and returns there on the way back. The
 * browser would scroll back before the list is long enough.
 */

interface HistoryState {
  readonly scrollTop?: number;
}

/** How long nothing must move, in ms, before scrolling counts as ended. */
const STILL_MS = 150;

/** The distance from the top of the page; 'top' means where its content begins. */
type Place = number | 'top';

export class ScrollPlace {
  #wanted: Place | undefined;

  /** Begins to follow the page. */
  constructor() {
    history.scrollRestoration = 'manual';
    this.#recall();
    addEventListener('popstate', () => this.#recall());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#remember(), STILL_MS);
    };
    addEventListener('scroll', follow, { passive: true });
    addEventListener('pagehide', () => this.#remember());
  }

  /** Call this before a new step of the history. */
  leave(): void {
    this.#remember();
  }

  /** Call this when other content is about to be shown, from its top on. */
  begin(): void {
    this.#wanted = 'top';
  }

  /** The place to scroll to, now that the content is there. Each place is returned once; undefined: stay. */
  take(): Place | undefined {
    const wanted = this.#wanted;
    this.#wanted = undefined;
    return wanted;
  }

  #recall(): void {
    this.#wanted = (history.state as HistoryState | null)?.scrollTop;
  }

  #remember(): void {
    // Until its place was taken, the page is not where it belongs.
    if (this.#wanted !== undefined) return;
    history.replaceState(
      { ...(history.state as object | null), scrollTop: scrollY } satisfies HistoryState,
      '',
    );
  }
}
