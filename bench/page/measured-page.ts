/**
 * The page in a Chromium of its own, slowed as a phone would be, and what is measured in it. Times are ms of the page's
 * own clock.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { startChromium } from '../../test/page/support/browser.ts';
import { readPssBytes, readUsage } from '../support/usage.ts';

export interface Start {
  /** The first frame with a row of a server; with all of them counted by the app. */
  readonly rowsMs: number;
  readonly usableMs: number;
}

export interface SteadyScroll {
  /** The time from one frame to the next. */
  readonly medianMs: number;
  /** Frames that took more than 50 ms, that were without any row, and without some. */
  readonly slow: number;
  readonly empty: number;
  readonly partial: number;
}

export interface Memory {
  /** Of the main thread, after a garbage collection. */
  readonly heapBytes: number;
  /** Of the process of the page, its worker included. */
  readonly rssBytes: number;
  /** Of all processes of the browser: what they share is counted once. */
  readonly pssBytes: number;
}

/** What the script below leaves in the window. */
interface Marks {
  rowsAt?: number;
  usableAt?: number;
}

/** Looking costs the page some time. */
const LOOK_INTERVAL_MS = 250;
/** For rows that have to change. */
const LONGEST_WAIT_MS = 10_000;
/** From here on a frame is seen to be late. */
const SLOW_FRAME_MS = 50;
const SIZE = { width: 1280, height: 800 };

export class MeasuredPage {
  readonly #browser: Browser;
  readonly #page: Page;
  readonly #devTools: CDPSession;

  /** A blank page with empty caches, its main thread slowed so many times. */
  static async open(slowdown: number): Promise<MeasuredPage> {
    const browser = await startChromium();
    const page = await browser.newPage({ viewport: SIZE });
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Performance.enable');
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    return new MeasuredPage(browser, page, devTools);
  }

  private constructor(browser: Browser, page: Page, devTools: CDPSession) {
    this.#browser = browser;
    this.#page = page;
    this.#devTools = devTools;
  }

  /** Resolves when all of the list can be used. */
  async start(url: string, servers: number): Promise<Start> {
    await this.#page.addInitScript(async (rowCount) => {
      const marks: Marks = ((globalThis as { marks?: Marks }).marks = {});
      while (marks.usableAt === undefined) {
        await new Promise(requestAnimationFrame);
        const hasRow = document.querySelector('tbody td') !== null;
        const isUsable = document.querySelector(`table[aria-rowcount="${rowCount}"] tbody a`) !== null;
        // A frame is drawn after its callbacks: what they find is seen a moment later.
        await new Promise((resolve) => setTimeout(resolve));
        if (hasRow) marks.rowsAt ??= performance.now();
        if (isUsable) marks.usableAt = performance.now();
      }
    }, servers + 1);
    await this.#page.goto(url, { waitUntil: 'commit' });
    for (;;) {
      const { rowsAt, usableAt } = await this.#page.evaluate(
        () => (globalThis as { marks?: Marks }).marks ?? {},
      );
      if (usableAt !== undefined) return { rowsMs: rowsAt!, usableMs: usableAt };
      await delay(LOOK_INTERVAL_MS);
    }
  }

  /** Scrolls through all rows in so many frames, and resolves with the longest of them. */
  scrollThrough(frames: number): Promise<number> {
    return this.#page.evaluate(async (count) => {
      const step = (document.documentElement.scrollHeight - innerHeight) / count;
      let longest = 0;
      let last = await new Promise<number>(requestAnimationFrame);
      for (let frame = 1; frame <= count; frame += 1) {
        scrollTo(0, frame * step);
        const at = await new Promise<number>(requestAnimationFrame);
        longest = Math.max(longest, at - last);
        last = at;
      }
      scrollTo(0, 0);
      await new Promise<number>(requestAnimationFrame);
      return longest;
    }, frames);
  }

  /** Scrolls by so many px in each of so many frames. */
  scrollSteadily(stepPx: number, frames: number): Promise<SteadyScroll> {
    return this.#page.evaluate(
      async ([step, count, slowMs]) => {
        const body = document.querySelector('table tbody')!;
        const head = document.querySelector('table thead')!;
        const found = { medianMs: 0, slow: 0, empty: 0, partial: 0 };
        const times: number[] = [];
        let last = await new Promise<number>(requestAnimationFrame);
        for (let frame = 1; frame <= count; frame += 1) {
          // By, and not to: the page keeps the rows in their places when others come above them.
          scrollBy({ top: step, behavior: 'instant' });
          const at = await new Promise<number>(requestAnimationFrame);
          // Frames come at whole sixtieths of a second.
          if (at - last > slowMs + 1) found.slow += 1;
          times.push(at - last);
          last = at;
          // What the last frame showed, before this one draws.
          const top = head.getBoundingClientRect().bottom;
          const seen = Array.from(body.children, (row) => row.getBoundingClientRect())
            .map((rect) => Math.min(rect.bottom, innerHeight) - Math.max(rect.top, top))
            .reduce((sum, height) => sum + Math.max(0, height), 0);
          if (seen <= 0) found.empty += 1;
          else if (seen < innerHeight - top - 1) found.partial += 1;
        }
        scrollTo(0, 0);
        await new Promise<number>(requestAnimationFrame);
        found.medianMs = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
        return found;
      },
      [stepPx, frames, SLOW_FRAME_MS] as const,
    );
  }

  /** From a click at the head of this column to the rows in the new order. */
  sortBy(column: string): Promise<number> {
    return this.#untilOtherRows(`table thead th.${column} a`, undefined);
  }

  /** From a text typed into the search to the rows that match. */
  search(text: string): Promise<number> {
    return this.#untilOtherRows('#search', text);
  }

  #untilOtherRows(selector: string, typed: string | undefined): Promise<number> {
    return this.#page.evaluate(
      async ([target, text, limitMs]) => {
        const table = document.querySelector('table')!;
        const before = table.textContent;
        const element = document.querySelector<HTMLElement>(target)!;
        const from = performance.now();
        if (text === undefined) element.click();
        else {
          (element as HTMLInputElement).value = text;
          element.dispatchEvent(new InputEvent('input', { bubbles: true }));
        }
        while (table.textContent === before) {
          if (performance.now() - from > limitMs) throw new Error(`${target}: the rows stay as they are`);
          await new Promise(requestAnimationFrame);
        }
        await new Promise((resolve) => setTimeout(resolve));
        return performance.now() - from;
      },
      [selector, typed, LONGEST_WAIT_MS] as const,
    );
  }

  /** ms of CPU that the main thread has taken so far. */
  async workedMs(): Promise<number> {
    const { metrics } = await this.#devTools.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'ThreadTime')!.value;
  }

  async memory(): Promise<Memory> {
    await this.#devTools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await this.#devTools.send('Runtime.getHeapUsage');
    const devTools = await this.#browser.newBrowserCDPSession();
    const { processInfo } = await devTools.send('SystemInfo.getProcessInfo');
    await devTools.detach();
    const sizes = processInfo
      .filter(({ type }) => type === 'renderer')
      .map(({ id }) => readUsage(id).rssBytes);
    const pssBytes = processInfo.reduce((sum, { id }) => sum + readPssBytes(id), 0);
    return { heapBytes: usedSize, rssBytes: Math.max(...sizes), pssBytes };
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}
