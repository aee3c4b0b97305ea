/** The overview, and how the page fits its reader. */

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { EN } from '../../../src/page/texts/en.ts';
import { needs } from '../../support/needs.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { eventually, hearsKeys, isLive, SeenList } from '../support/seen-list.ts';
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

  it('shows numbers, charts of hours and months, and what there is of each kind', async () => {
    const page = await browser.open(`${service.url}/browse?view=overview`);
    const now = page.getByRole('region', { name: EN.statistics.now });
    await eventually(async () => (await now.locator('dd').allInnerTexts()).slice(0, 2), ['30', '3']);
    const chart = page.locator('.chart svg').first();
    await chart
      .getByText(/^\d\d:\d\d$/)
      .first()
      .waitFor();
    await page.getByText(EN.statistics.range['400d']).first().click();
    await chart
      .getByText(/^\w+ \d{4}$/)
      .first()
      .waitFor();
    expect(await page.getByRole('heading', { level: 3 }).allInnerTexts()).to.deep.equal([
      EN.statistics.overTime,
      ...Object.values(EN.statistics.facet),
    ]);
    // A row leads to the list of its servers.
    await page.getByRole('link', { name: EN.regions.sa }).click();
    await new SeenList(page).shows(['مرحبا بالعالم 7', 'Paris']);
    expect(new URL(page.url()).search).to.equal('?region=sa');
  });

  it('has charts that are read by keys, and as a table', async () => {
    const page = await browser.open(`${service.url}/browse?view=overview`);
    const charts = page.getByRole('group', { name: EN.statistics.overTime });
    const told = (): Promise<string> => page.locator('.shown-time').innerText();
    await charts.focus();
    const values = /^\d+ \w+ \d{4}, \d\d:\d\d: \d+ servers?, \d+ players?, at most \d+$/;
    const latest = await told();
    expect(latest).to.match(values);
    await page.keyboard.press('ArrowLeft');
    await eventually(async () => (await told()) !== latest, true);
    expect(await told()).to.match(values);
    expect(await page.locator('.chart-cursor').count()).to.equal(2);
    const before = await told();
    await page.keyboard.press('Home');
    await eventually(async () => (await told()) !== before, true);
    // The focus leaves the charts, and they say the latest again.
    await page.keyboard.press('Tab');
    await eventually(told, latest);
    // It has its rows from when it is there.
    const table = page.getByRole('group').getByRole('table', { includeHidden: true });
    expect(await table.count()).to.equal(0);
    await page.keyboard.press('Enter');
    await table.waitFor();
    expect(await table.getByRole('row').count()).to.be.within(20, 60);
  });

  it('fits 320 px, with names from right to left in rows from left to right', async () => {
    const list = new SeenList(
      await browser.open(`${service.url}/browse`, { viewport: { width: 320, height: 700 } }),
    );
    await list.page.getByText(EN.feed.live, { exact: true }).first().waitFor();
    await list.shows(['Oslo', 'مرحبا بالعالم 7', 'Paris']);
    for (const [view, shown] of Object.entries({
      '': '.row',
      '?view=overview': '.chart svg',
      '?lang=de': '.row',
    })) {
      await list.page.goto(`${service.url}/browse${view}`);
      await isLive(list.page);
      await list.page.locator(shown).first().waitFor();
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
        await page.getByText(EN.feed.live, { exact: true }).first().waitFor();
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
    // What moves begins to in the frame after that.
    await hearsKeys(still!);
    expect(await movedOn(still!)).to.equal(false);
  });
});

needs('chromium').describe('the overview of a service that is new', () => {
  const newPath = useDirectory();
  const service = useService();
  const upForAWhile = useService(() => {
    const path = newPath();
    writeHistoryFile(path, { now: Date.now(), servers: 3, players: 30, minutes: 40 });
    return { GSLS_DATA_FILE: path };
  });
  const browser = useBrowser();

  it('has words in the place of charts, and of axes', async () => {
    const page = await browser.open('about:blank');
    // A minute may end meanwhile.
    await page.route('**/history?*', (route) => route.fulfill({ json: { status: 'success', points: [] } }));
    await page.goto(`${service.url}/browse?view=overview`);
    const note = page.locator('.charts').getByRole('status');
    await eventually(() => note.innerText(), EN.statistics.noHistoryYet.minute);
    await page.getByText(EN.statistics.range['30d']).click();
    await eventually(() => note.innerText(), EN.statistics.noHistoryYet.hour);
    for (const part of ['.chart', '.shown-time', '.history details'])
      expect(await page.locator(part).count(), part).to.equal(0);
  });

  it('begins with the hour that it knows, until another one is chosen', async () => {
    const page = await browser.open(`${upForAWhile.url}/browse?view=overview`);
    await page.locator('.chart svg').first().waitFor();
    expect(await shownRange(page)).to.equal(EN.statistics.range['1h']);
    await page.getByText(EN.statistics.range['48h']).click();
    await eventually(() => shownRange(page), EN.statistics.range['48h']);
    expect(new URL(page.url()).search).to.equal('?view=overview&range=48h');
  });
});

function shownRange(page: Page): Promise<string> {
  return page.locator('.ranges [aria-current]').innerText();
}

/** Whether an animation has begun since the test asked for them to be counted. */
function movedOn(page: Page): Promise<boolean> {
  return page.evaluate(() => (globalThis as unknown as { readonly moved: number }).moved > 0);
}
