/** The overview, and how the page fits its reader. */

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { EN } from '../../../src/page/texts/en.ts';
import { needs } from '../../support/needs.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { eventually, SeenList } from '../support/seen-list.ts';
import { writeHistoryFile } from '../support/history-file.ts';

needs('chromium').describe('the page', () => {
  const newPath = useDirectory();
  const service = useService(() => {
    const path = newPath();
    writeHistoryFile(path, { now: Date.now(), servers: 3, players: 30 });
    return { GSLS_DATA_FILE: path, GSLS_TTL: '3600' };
  });
  const browser = useBrowser();

  before(async () => {
    for (const [n, name] of ['Oslo', 'مرحبا بالعالم 7', 'Paris'].entries())
      await service.broadcast({
        server_name: name,
        server_port: 1000 + n,
        players: 14 - 4 * n,
        region: n === 0 ? 'eu' : 'sa',
        map: 'Harbour',
      });
  });

  it('shows numbers, charts of hours and months, what there is of each kind, and when the list was not current', async () => {
    const page = await browser.open(`${service.url}/browse?view=overview`);
    const now = page.getByRole('region', { name: EN.statistics.now });
    await eventually(async () => (await now.locator('dd').allInnerTexts()).slice(0, 2), ['3', '30']);
    await page.locator('.chart svg').first().waitFor();
    const before = await page.locator('.chart svg').first().innerHTML();
    await page.getByText(EN.statistics.range['400d']).first().click();
    await eventually(async () => (await page.locator('.chart svg').first().innerHTML()) !== before, true);
    for (const text of [EN.statistics.facet.region, 'Harbour', EN.statistics.interruptions])
      await page.getByText(text).first().waitFor();
    await page.getByText('the list was out of date for everyone').first().waitFor();
  });

  it('fits 320 px, with names from right to left in rows from left to right', async () => {
    const list = new SeenList(
      await browser.open(`${service.url}/browse`, { viewport: { width: 320, height: 700 } }),
    );
    await list.page.getByText(EN.feed.live, { exact: true }).waitFor();
    await list.shows(['Oslo', 'مرحبا بالعالم 7', 'Paris']);
    for (const view of ['', '?view=overview', '?lang=de']) {
      await list.page.goto(`${service.url}/browse${view}`);
      await list.page.locator('nav a').first().waitFor();
      expect(await list.page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).to.equal(
        false,
      );
    }
    await list.shows(['Oslo', 'مرحبا بالعالم 7', 'Paris']);
    const lefts = await list.rows
      .locator('.players')
      .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().left)));
    expect(new Set(lefts)).to.have.property('size', 1);
  });

  it('moves nothing for a reader who does not like motion', async () => {
    const [still, moving] = await Promise.all(
      (['reduce', 'no-preference'] as const).map(async (reducedMotion) => {
        const page = await browser.open(`${service.url}/browse`, { reducedMotion });
        await page.getByText(EN.feed.live, { exact: true }).waitFor();
        // All that ever moves, also while a test looks elsewhere.
        await page.evaluate(() => {
          Object.assign(globalThis, { moved: 0 });
          addEventListener('animationstart', () => ((globalThis as unknown as { moved: number }).moved += 1));
        });
        return page;
      }),
    );
    await service.broadcast({ server_name: 'Quito', server_port: 1009, players: 1 });
    await eventually(() => movedOn(moving!), true);
    await still!.getByText('Quito').waitFor();
    expect(await movedOn(still!)).to.equal(false);
  });
});

/** Whether an animation has begun since the test asked for them to be counted. */
function movedOn(page: Page): Promise<boolean> {
  return page.evaluate(() => (globalThis as unknown as { readonly moved: number }).moved > 0);
}
