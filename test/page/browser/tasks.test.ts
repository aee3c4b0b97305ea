/** What a player comes for, counted in clicks, and the same by ear and by keyboard. */

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { EN } from '../../../src/page/texts/en.ts';
import { inGroups, numbers } from '../../support/in-groups.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { eventually, hearsKeys, SeenList } from '../support/seen-list.ts';

const SERVERS = [
  { server_name: 'Oslo', players: 12, map: 'Harbour', region: 'eu' },
  { server_name: 'Rome', players: 32, map: 'Harbour', region: 'eu' },
  { server_name: 'Paris', players: 20, map: 'Glacier', region: 'eu' },
  { server_name: 'Boston', players: 25, map: 'Harbour', region: 'na' },
  { server_name: 'Bonn', players: 0, map: 'Harbour', region: 'eu' },
].map((server, n) => ({ ...server, server_port: 1000 + n, max_players: 32 }));

/** Counts the clicks on the page from now on. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Object.assign(globalThis, { clicks: 0 });
    addEventListener('pointerdown', () => ((globalThis as unknown as { clicks: number }).clicks += 1), true);
  });
  return () => page.evaluate(() => (globalThis as unknown as { readonly clicks: number }).clicks);
}

/** What a screen reader says of a row that it comes to. `snapshot`: of the row. */
function nameOf(snapshot: string): string | undefined {
  return /^- '?row "(.*?)"/.exec(snapshot)?.[1];
}

needs('chromium').describe('a player', () => {
  const service = useService({ GSLS_TTL: '3600', GSLS_PAGE_CONNECT: 'game://{ip}:{port}' });
  const browser = useBrowser();

  before(async () => {
    for (const server of SERVERS)
      await service.broadcast({
        ...server,
        mode: 'ctf',
        version: '1.2',
        tags: ['ranked', 'friendly'],
        password: server.server_name === 'Paris',
      });
  });

  async function open(width = 1280): Promise<SeenList> {
    const list = new SeenList(
      await browser.open(`${service.url}/browse`, { viewport: { width, height: 800 } }),
    );
    await list.page.getByText(EN.feed.live, { exact: true }).first().waitFor();
    await hearsKeys(list.page);
    return list;
  }

  it('has the servers of Europe with a map and a place in three clicks, those with people first', async () => {
    const list = await open();
    const { page } = list;
    const clicks = await countClicks(page);
    await page.keyboard.press('/');
    await page.keyboard.type('harbour');
    await page.getByRole('button', { name: EN.filters.title(0) }).click();
    await page.getByRole('checkbox', { name: EN.regions.eu }).check();
    await page.getByLabel(EN.filters.notFull).check();
    await list.shows(['Oslo', 'Bonn']);
    expect(await clicks()).to.equal(3);
  });

  it('joins a server with people in one click, once the region is chosen', async () => {
    const list = await open();
    const { page } = list;
    const clicks = await countClicks(page);
    const quickJoin = page.getByRole('button', { name: EN.quickJoin.open });
    await quickJoin.click();
    const question = page.getByRole('dialog', { name: EN.myRegions.title });
    await question.getByRole('checkbox', { name: EN.regions.eu }).check();
    await list.shows(['Paris', 'Oslo', 'Rome', 'Bonn', 'Boston']);
    await question.getByRole('button', { name: EN.quickJoin.open }).click();
    const picked = page.getByRole('dialog', { name: 'Oslo' });
    await picked.getByText(EN.quickJoin.picked.opened).waitFor();
    expect(await clicks()).to.equal(3);
    // Another page: Chromium asks in this one whether the game may be opened.
    const again = await page.context().newPage();
    await again.goto(`${service.url}/browse`);
    await again.getByText(EN.feed.live, { exact: true }).first().waitFor();
    await hearsKeys(again);
    await again.getByRole('button', { name: EN.myRegions.button.first(EN.regions.eu, 0) }).waitFor();
    const clicksAgain = await countClicks(again);
    await again.getByRole('button', { name: EN.quickJoin.open }).click();
    await again.getByRole('dialog', { name: 'Oslo' }).getByText(EN.quickJoin.picked.opened).waitFor();
    expect(await clicksAgain()).to.equal(1);
  });

  it('hears a row as a sentence, on a wide page and on a card', async () => {
    for (const [width, sentence] of [
      [
        1280,
        'Favourite: Paris Paris Password needed Glacier ctf ranked friendly Europe 1.2 20 of 32 players Copy address: Paris Join: Paris',
      ],
      [375, 'Paris Password needed Europe Glacier ctf ranked friendly 20 of 32 players Join: Paris'],
    ] as const) {
      const { page } = await open(width);
      const row = page.locator('.row').filter({ has: page.getByText('Paris', { exact: true }) });
      expect(nameOf(await row.ariaSnapshot()), `${width} px`).to.equal(sentence);
    }
  });

  it('has keys that work from when the page is seen', async () => {
    const page = await browser.open('about:blank');
    await page.addInitScript(() =>
      new MutationObserver((_, observer) => {
        if (document.querySelector('.help-button') === null) return;
        observer.disconnect();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }));
      }).observe(document, { subtree: true, childList: true }),
    );
    await page.goto(`${service.url}/browse`);
    await page.getByRole('dialog', { name: EN.shortcuts.title }).waitFor();
  });

  it('comes past the head and the bar by the first key', async () => {
    const { page } = await open();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: EN.skipToList });
    expect(await skip.evaluate((link) => link === document.activeElement)).to.equal(true);
    expect((await skip.boundingBox())!.y).to.be.at.least(0);
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).to.equal('');
    // The heads of the table, and then a row.
    for (let key = 0; key < 5; key += 1) await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement!.closest('.row') !== null)).to.equal(true);
  });
});

needs('chromium').describe('a reader of a long list', () => {
  const service = useService({ GSLS_TTL: '3600' });
  const browser = useBrowser();
  before(() =>
    inGroups(numbers(200), (n) => service.broadcast({ server_name: `Number ${n}`, server_port: 1000 + n })),
  );

  it('goes on with keys where the keys of the browser lead to', async () => {
    const { page } = new SeenList(await browser.open(`${service.url}/browse`));
    await page.getByText(EN.feed.live, { exact: true }).first().waitFor();
    await hearsKeys(page);
    const focused = (): Promise<string | undefined> =>
      page.evaluate(() => document.activeElement!.closest<HTMLElement>('.row')?.dataset['index']);
    await page.keyboard.press('j');
    await eventually(focused, '0');
    await page.keyboard.press('End');
    await page.locator('.row[data-index="199"]').waitFor();
    await eventually(
      () => page.evaluate(() => scrollY + innerHeight >= document.body.scrollHeight - 1),
      true,
    );
    await page.keyboard.press('j');
    await eventually(focused, '199');
    await page.keyboard.press('k');
    await eventually(focused, '198');
    await page.keyboard.press('Home');
    await eventually(() => page.evaluate(() => scrollY), 0);
    await page.keyboard.press('j');
    await eventually(focused, '0');
  });
});
