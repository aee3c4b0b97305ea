/** The switch between light, dark, and what the system wants. */

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { EN } from '../../../src/page/texts/en.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { hearsKeys } from '../support/seen-list.ts';

const LIGHT = 'rgb(245, 246, 248)';
const DARK = 'rgb(15, 17, 22)';

interface Drawn {
  readonly drawn: readonly string[];
}

/** Notes the ground of the page in each frame that is drawn, from the first one on. */
const NOTE_GROUNDS = `
  globalThis.drawn = [];
  requestAnimationFrame(function note() {
    if (document.querySelector('main') !== null) drawn.push(getComputedStyle(document.body).backgroundColor);
    requestAnimationFrame(note);
  });
`;

function groundOf(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
}

/** Of all frames so far. */
function groundsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => [...new Set((globalThis as unknown as Drawn).drawn)]);
}

needs('chromium').describe('the switch of the look', () => {
  const service = useService();
  const browser = useBrowser();

  async function open(query = '', keep?: string): Promise<Page> {
    const page = await browser.open('about:blank', { colorScheme: 'light' });
    await page.addInitScript(NOTE_GROUNDS);
    if (keep !== undefined)
      await page.addInitScript((text) => localStorage.setItem('gsls-theme', text), keep);
    await page.goto(`${service.url}/browse${query}`);
    await page.getByText(EN.feed.live, { exact: true }).first().waitFor();
    return page;
  }

  it('goes from the system to light, to dark, and back', async () => {
    const page = await open();
    const turn = (name: string): Promise<void> => page.getByRole('button', { name }).click();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await groundOf(page)).to.equal(DARK);
    await turn(EN.theme.auto);
    expect(await groundOf(page)).to.equal(LIGHT);
    await page.emulateMedia({ colorScheme: 'light' });
    await turn(EN.theme.light);
    expect(await groundOf(page)).to.equal(DARK);
    await page.emulateMedia({ media: 'print' });
    expect(await groundOf(page)).to.equal(LIGHT);
    await page.emulateMedia({ media: 'screen' });
    await turn(EN.theme.dark);
    expect(await groundOf(page)).to.equal(LIGHT);
    await page.getByRole('button', { name: EN.theme.auto }).waitFor();
  });

  it('is remembered, and nothing is drawn in another look first', async () => {
    const page = await open();
    await page.getByRole('button', { name: EN.theme.auto }).click();
    await page.getByRole('button', { name: EN.theme.light }).click();
    for (const query of ['', '?view=overview', '?q=nothing']) {
      await page.goto(`${service.url}/browse${query}`);
      await page.getByRole('button', { name: EN.theme.dark }).waitFor();
      await hearsKeys(page);
      expect(await groundsOf(page), query).to.deep.equal([DARK]);
    }
  });

  it('is not there in a frame, which looks as its address says', async () => {
    const page = await open('?embed', 'dark');
    await hearsKeys(page);
    expect(await groundsOf(page)).to.deep.equal([LIGHT]);
    expect(await page.getByRole('button', { name: EN.theme.dark }).count()).to.equal(0);
  });

  it('takes what others have written for no choice, and lasts for a visit where nothing is kept', async () => {
    const hostile = await open('', `dark'] * { display: none }`);
    expect(await groundOf(hostile)).to.equal(LIGHT);
    await hostile.getByRole('button', { name: EN.theme.auto }).waitFor();

    const page = await browser.open('about:blank');
    await page.addInitScript(() =>
      Object.defineProperty(globalThis, 'localStorage', {
        get() {
          throw new DOMException('refused', 'SecurityError');
        },
      }),
    );
    await page.goto(`${service.url}/browse`);
    await page.getByRole('button', { name: EN.theme.auto }).click();
    await page.getByRole('button', { name: EN.theme.light }).click();
    expect(await groundOf(page)).to.equal(DARK);
  });
});
