/** What axe-core finds wrong with a page for people who see, hear or move differently. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { startChromium } from './browser.ts';
import { areRowsWhole, hearsKeys } from './seen-list.ts';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** How a reader may have set up the browser. */
const LOOKS: Readonly<Record<string, NonNullable<Parameters<Page['emulateMedia']>[0]>>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'more contrast': { contrast: 'more' },
  'more contrast, dark': { contrast: 'more', colorScheme: 'dark' },
  'forced colors': { forcedColors: 'active' },
};

/** From a small phone to a screen on a wall. */
const WIDTHS = [320, 1920];
const HEIGHT = 800;

/** What axe-core looks for only where it is asked to: level AA of WCAG 2.2 has it beside the rules that are on. */
const WCAG_22 = { 'target-size': { enabled: true } };

const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

interface Axe {
  run(within: string, options: RunOptions): Promise<AxeResults>;
}

/** Of the page as it is now, within what matches: the rule, and the first elements that break it. */
async function violationsOf(page: Page, within: string, options: RunOptions): Promise<string[]> {
  const { violations } = await page.evaluate(
    ([selector, given]) => (globalThis as unknown as { readonly axe: Axe }).axe.run(selector, given),
    [within, options] as const,
  );
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${html} ${failureSummary}`)
        .join('\n')}`,
  );
}

/**
 * In every look and width. What is not of colours is the same in all looks, and looked for in the first alone, on the
 * whole page. `own`: a selector of what this page shows and no other that is looked at: its colours count in the other
 * looks. `looks`: all, if they are not named.
 */
export async function violationsInAllLooks(
  page: Page,
  own = 'html',
  looks: readonly string[] = Object.keys(LOOKS),
): Promise<string[]> {
  await page.evaluate(AXE);
  await areRowsWhole(page);
  const found: string[] = [];
  for (const [n, name] of looks.entries()) {
    const { colorScheme = null, contrast = null, forcedColors = null } = LOOKS[name]!;
    await page.emulateMedia({ colorScheme, contrast, forcedColors, reducedMotion: 'reduce' });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      // By then it is drawn in this width.
      await hearsKeys(page);
      const options = { resultTypes: ['violations' as const], preload: false };
      const violations =
        n === 0
          ? await violationsOf(page, 'html', { ...options, rules: WCAG_22 })
          : await violationsOf(page, own, { ...options, runOnly: COLOUR_RULES });
      found.push(...violations.map((text) => `${name}, ${width} px: ${text}`));
    }
  }
  return found;
}

/** Of the list, in every look and width together. */
export async function countViolations(url: string): Promise<number> {
  const browser = await startChromium();
  const page = await browser.newPage();
  await page.goto(url);
  await page.locator('table[aria-rowcount] .row').first().waitFor();
  const found = await violationsInAllLooks(page);
  await browser.close();
  return found.length;
}
