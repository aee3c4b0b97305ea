/** What axe-core finds wrong with a page for people who see, hear or move differently. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { startChromium } from './browser.ts';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** How a reader may have set up the browser. */
export const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'more contrast': { contrast: 'more' },
  'more contrast, dark': { contrast: 'more', colorScheme: 'dark' },
  'forced colors': { forcedColors: 'active' },
};

/** From a small phone to a screen on a wall. */
export const WIDTHS = [320, 1920];

/** Of the whole page as it is now: the rule, and the first elements that break it. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { readonly axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${html} ${failureSummary}`)
        .join('\n')}`,
  );
}

/** Of the list, in every look and width together. */
export async function countViolations(url: string): Promise<number> {
  const browser = await startChromium();
  let count = 0;
  for (const look of Object.values(LOOKS))
    for (const width of WIDTHS) {
      const page = await browser.newPage({ ...look, viewport: { width, height: 800 } });
      await page.goto(url);
      await page.locator('table tbody a').first().waitFor();
      count += (await violationsOf(page)).length;
      await page.close();
    }
  await browser.close();
  return count;
}
