/** Quick join: a person who wants to play now comes to a server, and goes on to another one. */

import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { EN } from '../../../src/page/texts/en.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { eventually, hasSaid, hearsKeys } from '../support/seen-list.ts';

const SERVERS = [
  { server_name: 'Full', players: 16, region: 'eu' },
  { server_name: 'Locked', players: 9, region: 'eu', password: true },
  { server_name: 'Busy', players: 9, region: 'eu' },
  { server_name: 'Busier', players: 12, region: 'na' },
  { server_name: 'Empty', players: 0, region: 'sa' },
  { server_name: 'Locked too', players: 0, region: 'af', password: true },
].map((server, n) => ({ max_players: 16, server_ip: '203.0.113.7', server_port: 1000 + n, ...server }));
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

const quickJoin = (page: Page): Locator => page.getByRole('button', { name: EN.quickJoin.open });
/** Answers the question for a region, which the first press asks. */
async function answerRegion(page: Page, ...regions: readonly string[]): Promise<void> {
  const dialog = page.getByRole('dialog', { name: EN.myRegions.title });
  for (const region of regions) await dialog.getByRole('checkbox', { name: region }).check();
  const goOn = regions.length === 0 ? EN.myRegions.anywhere : EN.quickJoin.open;
  await dialog.getByRole('button', { name: goOn, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}
const nameOf = (page: Page): Promise<string> =>
  page.getByRole('dialog').getByRole('heading').first().innerText();

needs('chromium').describe('quick join', () => {
  const browser = useBrowser();
  const service = useService({ GSLS_TTL: '3600', GSLS_FEED_INTERVAL: '100' });
  const withGame = useService({ GSLS_TTL: '3600', GSLS_PAGE_CONNECT: 'game://{ip}:{port}' });

  before(async () => {
    for (const server of SERVERS) {
      await service.broadcast(server);
      await withGame.broadcast(server);
    }
  });

  const open = async (query: string, url = service.url): Promise<Page> => {
    const page = await browser.open(`${url}/browse${query}`, CLIPBOARD);
    await page.getByText(EN.feed.live, { exact: true }).first().waitFor();
    return page;
  };
  it('copies the address of a server that can be joined, shows it, and goes on to others', async () => {
    const page = await open('');
    await quickJoin(page).click();
    await answerRegion(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByText(EN.quickJoin.picked.copied).waitFor();
    const first = await nameOf(page);
    expect(first).to.be.oneOf(['Busy', 'Busier']);
    const { server_port: port } = SERVERS.find(({ server_name: name }) => name === first)!;
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    expect(await copied()).to.equal(`203.0.113.7:${port}`);

    const another = dialog.getByRole('button', { name: EN.quickJoin.another });
    await another.click();
    const second = first === 'Busy' ? 'Busier' : 'Busy';
    await eventually(() => nameOf(page), second);
    await another.click();
    await eventually(() => nameOf(page), 'Empty');
    await another.click();
    await dialog.getByText(EN.quickJoin.noOther).waitFor();
    expect(await nameOf(page)).to.equal('Empty');

    // One step back is the list.
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).to.equal('');
  });

  it('opens the game where the page can, by its key too, and shows the server', async () => {
    const page = await open('?region=na', withGame.url);
    const opened: string[] = [];
    const browserSays = await page.context().newCDPSession(page);
    browserSays.on('Page.frameRequestedNavigation', ({ url }) => opened.push(url));
    await browserSays.send('Page.enable');
    await hearsKeys(page);
    await page.keyboard.press('q');
    await page.getByRole('dialog').getByText(EN.quickJoin.picked.opened).waitFor();
    expect(await nameOf(page)).to.equal('Busier');
    await eventually(() => Promise.resolve(opened), ['game://203.0.113.7:1003']);
  });

  it('says when no server can be joined, and what to do', async () => {
    const page = await open('?region=af');
    const said = hasSaid(page, '[role=status]', EN.quickJoin.none);
    await quickJoin(page).click();
    await said;
    const complaint = page.locator('.bottom-note');
    await complaint.getByText(EN.quickJoin.none).waitFor();
    await complaint.getByRole('button', { name: EN.filters.clearAll }).click();
    await complaint.waitFor({ state: 'detached' });
    await eventually(() => page.locator('tbody .row').count(), SERVERS.length);
    await page.keyboard.press('Enter');
    await answerRegion(page);
    await page.getByRole('dialog').getByText(EN.quickJoin.picked.copied).waitFor();
  });

  it('picks among the favourites where they alone are shown', async () => {
    const page = await open('');
    await page.getByRole('button', { name: EN.favouriteOf('Empty') }).click();
    await page.getByRole('button', { name: EN.filters.favourites }).click();
    await eventually(() => page.locator('tbody .row').count(), 1);
    await quickJoin(page).click();
    await page.getByRole('dialog', { name: 'Empty' }).waitFor();
  });

  it('picks from the list as it is known while the page is offline', async () => {
    browser.expectComplaints(/ERR_|Failed to (?:load|fetch)/);
    const page = await open('?region=eu');
    await page.context().setOffline(true);
    await quickJoin(page).click();
    const dialog = page.getByRole('dialog', { name: 'Busy' });
    await dialog.getByText(EN.quickJoin.picked.copied).waitFor();
    await dialog.getByText('203.0.113.7:1002').first().waitFor();
  });
});
