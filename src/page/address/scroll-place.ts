/**
 * Keeps how far the page is scrolled in each step of the browser's history, and gives it back on the way back. The
 * browser alone would do so before the list is as long as it was.
 */

interface HistoryState {
  readonly scrollTop?: number;
}

/** Scrolling has ended when so long nothing moved. */
const STILL_MS = 150;

/** How far down the page; 'top': where what it shows begins. */
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

  /** Before a new step of the history. */
  leave(): void {
    this.#remember();
  }

  /** Something else is about to be shown, from its top on. */
  begin(): void {
    this.#wanted = 'top';
  }

  /**
   * Where the page is to be scrolled to, now that its content is there. Each place is told once; undefined: it stays.
   */
  take(): Place | undefined {
    const wanted = this.#wanted;
    this.#wanted = undefined;
    return wanted;
  }

  #recall(): void {
    this.#wanted = (history.state as HistoryState | null)?.scrollTop;
  }

  #remember(): void {
    // Until it has been taken, the page is not where it belongs.
    if (this.#wanted !== undefined) return;
    history.replaceState(
      { ...(history.state as object | null), scrollTop: scrollY } satisfies HistoryState,
      '',
    );
  }
}
