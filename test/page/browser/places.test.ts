/** Where things are, and that nothing that comes or goes moves them. */

import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { EN } from '../../../src/page/texts/en.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { eventually, SeenList } from '../support/seen-list.ts';
import { useForeignPages } from '../support/use-foreign-pages.ts';

const SERVERS = 12;
const said = (n: number): Record<string, unknown> => ({
  server_name: `A server with quite a long name ${n}`,
  server_port: 1000 + n,
  players: 1 + n,
  max_players: 32,
  region: 'eu',
  map: 'de_harbour',
  mode: 'ctf',
  tags: ['ranked', 'friendly', 'modded'],
});

function topOfRows(page: Page): Promise<number> {
  return page
    .locator('.row')
    .first()
    .evaluate((row) => row.getBoundingClientRect().top);
}

async function topOf(part: Locator): Promise<number> {
  return Math.round((await part.boundingBox())!.y);
}

/** Whether what stands in the bar is on one line of it. */
function isOneLine(page: Page): Promise<boolean> {
  return page.locator('.toolbar').evaluate((bar) => {
    const parts = [...bar.querySelectorAll('.search-box, .button')].filter(
      (each) => getComputedStyle(each).position !== 'fixed',
    );
    const tops = parts.map((part) => Math.round(part.getBoundingClientRect().top));
    return parts.length > 4 && new Set(tops).size === 1;
  });
}

needs('chromium').describe('what is on the page', () => {
  const service = useService({
    GSLS_TTL: '3600',
    GSLS_FEED_INTERVAL: '100',
    GSLS_PAGE_CONNECT: 'game://{ip}:{port}',
    GSLS_PAGE_EMBED_ORIGINS: '*',
    GSLS_ALLOW_UNLISTED: 'true',
  });
  const browser = useBrowser();
  const serve = useForeignPages();
  const ids: string[] = [];

  before(async () => {
    for (let n = 0; n < SERVERS; n += 1) ids.push(await service.broadcast(said(n)));
  });

  async function open(query = '', width = 1280): Promise<SeenList> {
    const list = new SeenList(
      await browser.open(`${service.url}/browse${query}`, {
        viewport: { width, height: 800 },
        ...(width < 500 ? { isMobile: true, hasTouch: true } : {}),
      }),
    );
    await list.page.getByText(EN.feed.live, { exact: true }).first().waitFor();
    await list.page.locator('table[aria-rowcount] .row').first().waitFor();
    return list;
  }

  it('begins its rows at 165 px, also when changes wait, filters are set or the service is away', async () => {
    browser.expectComplaints(/ERR_|status of 503/);
    const { page } = await open();
    expect(await topOfRows(page)).to.be.at.most(165);
    const top = await topOfRows(page);
    const isUnmoved = async (when: string): Promise<void> => {
      expect(await topOfRows(page), when).to.equal(top);
      expect(await isOneLine(page), when).to.equal(true);
    };
    await isUnmoved('at first');

    await page.locator('.row').first().hover();
    await ask(service, 'POST /ping', { body: { ...aBroadcast(said(0)), server_id: ids[0], players: 30 } });
    await page.locator('.state').getByText(EN.changes(1)).waitFor();
    await isUnmoved('while a change waits');
    await page.getByRole('heading', { level: 1 }).hover();

    await page.getByRole('button', { name: EN.filters.title(0) }).click();
    const box = page.getByRole('checkbox', { name: 'de_harbour' });
    await box.scrollIntoViewIfNeeded();
    const place = await topOf(box);
    await box.check();
    await page.getByRole('link', { name: EN.filters.clearAll }).waitFor();
    await isUnmoved('with a filter');
    expect(await topOf(box)).to.equal(place);
    for (const text of [EN.filters.notEmpty, EN.filters.notFull, EN.regions.eu])
      await page.getByLabel(text).check();
    const europe = `${EN.filters.is(EN.columns.region)} ${EN.regions.eu}`;
    await page.getByRole('link', { name: EN.filters.remove(europe) }).waitFor();
    await isUnmoved('with some filters');

    await page.route('**/changes*', (route) => route.abort());
    await page.reload();
    await page.locator('.bottom-note').waitFor();
    await page.unroute('**/changes*');
    await page.goto(`${service.url}/browse?region=eu`);
    await page.locator('table[aria-rowcount] .row').first().waitFor();
    await page.locator('.state').click();
    await page.locator('.state').getByText(EN.feed.paused).waitFor();
    await isUnmoved('while it is paused');
  });

  it('has at most a third of head in a frame of 300 px', async () => {
    const html = `<iframe src="${service.url}/browse?embed" style="border: 0; width: 600px; height: 300px"></iframe>`;
    const page = await browser.open(await serve(html));
    const rows = page.frameLocator('iframe').locator('table[aria-rowcount] .row');
    await rows.first().waitFor();
    expect(await rows.first().evaluate((row) => row.getBoundingClientRect().top)).to.be.at.most(100);
  });

  it('is cards of 64 px on a phone, with name, map, region and players, and a word to join', async () => {
    const list = await open('', 375);
    const card = list.rows.first();
    expect((await card.boundingBox())!.height).to.equal(64);
    for (const part of ['.name a', '.line .map', '.line .line-region', '.load-numbers', '.connect']) {
      const seen = await card.locator(part).evaluate((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return left >= 0 && right <= innerWidth && bottom > top && getComputedStyle(element).opacity === '1';
      });
      expect(seen, part).to.equal(true);
    }
    expect(await card.locator('.line').innerText()).to.include(EN.regions.eu);
    expect(await card.locator('.connect').innerText()).to.equal(EN.connect);
  });

  it('never counts more servers than there are, while rows are kept of servers that leave', async () => {
    const { page } = await open('?region=eu');
    await page.evaluate(() => {
      const counts: string[] = [];
      Object.assign(globalThis, { counts });
      new MutationObserver(
        () => void counts.push(document.querySelector('.count')!.textContent ?? ''),
      ).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await page.locator('.row').nth(2).hover();
    for (const n of [9, 10, 11])
      await ask(service, 'POST /remove', { body: { ...aBroadcast(said(n)), server_id: ids[n] } });
    await eventually(() => page.locator('.count b').allInnerTexts(), ['74', '9']);
    expect(await page.locator('.row').count()).to.equal(SERVERS);
    expect(await page.locator('.row.is-gone').count()).to.equal(3);
    // Nobody is sent to a server that is gone.
    expect(await page.locator('.row.is-gone :is(a.connect, .copy)').count()).to.equal(0);
    const counts = await page.evaluate(() => (globalThis as unknown as { counts: string[] }).counts);
    for (const count of counts) {
      const [, matching, listed = matching] = /on (\d+)(?: of (\d+))? servers?$/.exec(count)!;
      expect(Number(matching), count).to.be.at.most(Number(listed));
    }
    await page.getByRole('heading', { level: 1 }).hover();
    await eventually(() => page.locator('.row').count(), 9);
  });
});
