/** The list on a page, as a person sees it: rows by what they say, in the order in which they stand. */

import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import type { Frame, Locator, Page } from 'playwright-core';
import { until } from '../../support/until.ts';

/** Of a thing to be seen on a busy machine. */
const PATIENCE_MS = 30_000;

/** Resolves when what is read is as expected; rejects with the difference when it is not in time. */
export async function eventually<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  let last: T;
  await until(async () => {
    last = await read();
    return isDeepStrictEqual(last, expected) || performance.now() > deadline;
  });
  expect(last!).to.deep.equal(expected);
}

/** Resolves once the page is its script's, which follows the list: before, it is as the service has drawn it. */
export function isLive(page: Page): Promise<void> {
  return page.locator('.state.is-ok').waitFor();
}

/** Resolves once each row has all of its parts: new ones are drawn a few at a time, their names and players first. */
export function areRowsWhole(page: Page | Frame): Promise<void> {
  return eventually(() => page.locator('.row:not(:has(.line))').count(), 0);
}

/** Resolves once the page has done what it puts off until it is drawn: from then on it hears keys. */
export async function hearsKeys(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
  );
}

/** Resolves once an element that matches has been this text, for however short: call it before. */
export function hasSaid(page: Page, selector: string, text: string): Promise<void> {
  return page.evaluate(
    ([matching, wanted]) =>
      new Promise<void>((resolve) => {
        new MutationObserver(() => {
          const all = document.querySelectorAll(matching);
          if (Array.from(all).some(({ textContent }) => textContent === wanted)) resolve();
        }).observe(document.body, { subtree: true, childList: true, characterData: true });
        // What is there already counts.
        document.body.append('');
      }),
    [selector, text] as const,
  );
}

export class SeenList {
  readonly page: Page;
  /** Those that are drawn: of a long list the ones in view. */
  readonly rows: Locator;

  constructor(page: Page) {
    this.page = page;
    this.rows = page.locator('table.servers tbody tr:not([aria-busy])');
  }

  row(name: string): Locator {
    return this.rows.filter({ has: this.page.getByText(name, { exact: true }) });
  }

  /** The names in order. */
  names(): Promise<string[]> {
    return this.#textsOf('name');
  }

  /** The texts of a part of each row, from the first row to the last. */
  column(name: string): Promise<string[]> {
    return this.#textsOf(name);
  }

  shows(names: readonly string[]): Promise<void> {
    return eventually(() => this.names(), [...names]);
  }

  #textsOf(part: string): Promise<string[]> {
    return this.rows.evaluateAll(
      (rows, name) =>
        rows
          .toSorted((one, other) => Number(one.ariaRowIndex) - Number(other.ariaRowIndex))
          .map((row) => {
            const found = row.querySelector(`.${name}`);
            return (found?.querySelector('bdi') ?? found)?.textContent ?? '';
          }),
      part,
    );
  }
}
