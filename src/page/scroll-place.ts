/**
 * Keeps how far the page is scrolled in each step of the browser's history, and gives it back on the way back. The browser
 * alone would do so before the list is as long as it was.
 */

interface HistoryState {
  readonly scrollTop?: number;
}

/** Scrolling has ended when so long nothing moved. */
const STILL_MS = 150;

export class ScrollPlace {
  #wanted: number | undefined;

  /** Begins to follow the page. */
  constructor() {
    history.scrollRestoration = 'manual';
    this.#recall();
    addEventListener('popstate', () => this.#recall());
    let timer: ReturnType<typeof setTimeout> | undefined;
    addEventListener(
      'scroll',
      () => {
        clearTimeout(timer);
        timer = setTimeout(() => this.#remember(), STILL_MS);
      },
      { passive: true },
    );
    addEventListener('pagehide', () => this.#remember());
  }

  /** Before a new step: keeps the place of this one, and the next view begins at its top. */
  leave(): void {
    this.#remember();
    this.#wanted = 0;
  }

  /** Where the page is to be scrolled to, once its content is there; undefined if it stays. Tells each place once. */
  take(): number | undefined {
    const wanted = this.#wanted;
    this.#wanted = undefined;
    return wanted;
  }

  #recall(): void {
    this.#wanted = (history.state as HistoryState | null)?.scrollTop;
  }

  #remember(): void {
    history.replaceState({ scrollTop: scrollY } satisfies HistoryState, '');
  }
}
