/** One server: its details, its address, and all of it by keyboard. */

import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { EN } from '../../../src/page/texts/en.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { eventually, hasSaid, hearsKeys, SeenList } from '../support/seen-list.ts';

needs('chromium').describe('a server on the page', () => {
  const service = useService({ GSLS_PAGE_CONNECT: 'steam://connect/{ip}:{port}', GSLS_TTL: '3600' });
  const browser = useBrowser();
  let id: string;

  before(async () => {
    id = await service.broadcast({
      server_name: 'Oslo',
      players: 9,
      server_port: 7001,
      map: 'Harbour',
      tags: ['ranked', 'friendly', 'night'],
      addresses: [{ ip: '2001:db8::7', port: 7002 }],
      meta: { motd: 'Welcome', website: 'https://oslo.example/rules', discord: 'http://oslo.example' },
    });
    await service.broadcast({ server_name: 'Paris', players: 5, server_port: 7003, map: 'Boulevards' });
  });

  const open = async (query = ''): Promise<SeenList> => {
    const list = new SeenList(
      await browser.open(`${service.url}/browse${query}`, {
        permissions: ['clipboard-read', 'clipboard-write'],
      }),
    );
    await list.page.getByText(EN.feed.live, { exact: true }).first().waitFor();
    await hearsKeys(list.page);
    return list;
  };

  const openRow = async (name: string): Promise<{ readonly page: Page; readonly row: Locator }> => {
    const list = await open();
    return { page: list.page, row: list.row(name) };
  };

  it('has its details at an address of its own, and the list behind them', async () => {
    const list = await open(`/${id}?list`);
    const dialog = list.page.getByRole('dialog', { name: 'Oslo' });
    for (const text of [
      'Harbour',
      'ranked',
      'night',
      '[2001:db8::7]:7002',
      'Motd',
      'Welcome',
      '203.0.113.7:7001',
    ])
      await dialog.getByText(text, { exact: true }).first().waitFor();
    const website = dialog.getByRole('link', { name: 'oslo.example', exact: true });
    expect(await website.getAttribute('href')).to.equal('https://oslo.example/rules');
    expect(await website.getAttribute('rel')).to.equal('noopener nofollow ugc');
    // What is no address of https is a text.
    await dialog.getByText('http://oslo.example', { exact: true }).waitFor();
    await list.page.keyboard.press('Escape');
    // The browser closes the dialog, and then tells the page.
    await list.page.waitForURL(({ search }) => search === '');
    await dialog.waitFor({ state: 'detached' });
    await list.shows(['Oslo', 'Paris']);
  });

  it('has a page of its own, to which the addresses of before lead', async () => {
    const { page } = await open(`?server=${id}&lang=en`);
    expect(page.url()).to.equal(`${service.url}/browse/${id}?lang=en`);
    await page.getByRole('article').getByRole('heading', { name: 'Oslo' }).waitFor();
    expect(await page.title()).to.include('Oslo');
    expect(await page.getByRole('dialog').count()).to.equal(0);
    expect(await page.getByRole('table').count()).to.equal(0);
    const saysMap = page.getByRole('article').getByRole('link', { name: 'Harbour' });
    expect(await saysMap.getAttribute('href')).to.equal('/browse?lang=en&map=Harbour');
    await page.getByRole('link', { name: EN.plain.allServers }).click();
    await new SeenList(page).shows(['Oslo', 'Paris']);
    expect(page.url()).to.equal(`${service.url}/browse?lang=en`);
  });

  it('is opened by its name, and left by a step back', async () => {
    const list = await open();
    await list.row('Paris').getByRole('link', { name: 'Paris', exact: true }).click();
    await list.page.getByRole('dialog', { name: 'Paris' }).waitFor();
    await list.page.goBack();
    await list.page.getByRole('dialog').waitFor({ state: 'detached' });
    await list.page.goForward();
    await list.page.getByRole('dialog', { name: 'Paris' }).waitFor();
  });

  it('is opened by a click anywhere on its row, to which the focus comes back', async () => {
    const { page, row } = await openRow('Paris');
    const dialog = page.getByRole('dialog', { name: 'Paris' });
    await row.locator('td.players').click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal('Paris');
  });

  it('is not opened by its buttons, nor by a click that marks a text or wants a new tab', async () => {
    const { page, row } = await openRow('Paris');
    await row.getByRole('button', { name: EN.favouriteOf('Paris') }).click();
    await row.locator('td.players').click({ modifiers: ['ControlOrMeta'] });
    await row.locator('td.players').click({ modifiers: ['Shift'] });
    await row.locator('td.players').click({ button: 'middle' });
    const cell = (await row.locator('.map').boundingBox())!;
    await page.mouse.move(cell.x + 1, cell.y + cell.height / 2);
    await page.mouse.down();
    await page.mouse.move(cell.x + cell.width / 2, cell.y + cell.height / 2);
    await page.mouse.up();
    expect(await page.evaluate(() => getSelection()?.toString())).to.match(/^Boul/);
    const opened = page.context().waitForEvent('page');
    await row.getByRole('link', { name: 'Paris', exact: true }).click({ modifiers: ['ControlOrMeta'] });
    expect((await opened).url()).to.match(/\/browse\/[\w-]+\?list$/);
    expect(await page.getByRole('dialog').count()).to.equal(0);
    expect(new URL(page.url()).search).to.equal('');
  });

  it('gives its address and a link that opens the game', async () => {
    const list = await open(`/${id}?list`);
    const dialog = list.page.getByRole('dialog');
    const said = hasSaid(list.page, 'dialog *', EN.copied);
    await dialog.getByRole('button', { name: EN.copyAddressOf('Oslo') }).click();
    await said;
    expect(await list.page.evaluate(() => navigator.clipboard.readText())).to.equal('203.0.113.7:7001');
    const connect = dialog.getByRole('link', { name: EN.connectTo('Oslo') });
    expect(await connect.getAttribute('href')).to.equal('steam://connect/203.0.113.7:7001');
  });

  it('is said to be gone when it is not listed', async () => {
    browser.expectComplaints(/404/);
    const list = await open('/nobody?list');
    await list.page.getByRole('dialog').getByText(EN.details.state['not listed']).waitFor();
    await list.page.getByRole('button', { name: EN.details.back }).click();
    await list.shows(['Oslo', 'Paris']);
  });

  it('is reached, opened and copied by keyboard alone', async () => {
    const { page } = await open();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    const said = hasSaid(page, '[role=status]', EN.addressCopied);
    await page.keyboard.press('c');
    await said;
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal('203.0.113.7:7003');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Oslo' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal('Oslo');
  });

  it('is the one that the last key has gone to, however fast keys are pressed', async () => {
    const { page } = await open();
    // All in one turn: before anything is drawn.
    await page.evaluate(() => {
      for (const key of ['j', 'j', 'f'])
        (document.activeElement ?? document.body).dispatchEvent(
          new KeyboardEvent('keydown', { key, bubbles: true }),
        );
    });
    const star = (name: string): Promise<string | null> =>
      page.getByRole('button', { name: EN.favouriteOf(name) }).getAttribute('aria-pressed');
    await eventually(() => star('Paris'), 'true');
    expect(await star('Oslo')).to.equal('false');
  });

  it('is beside a list of all shortcuts', async () => {
    const { page } = await open();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: EN.shortcuts.title });
    for (const command of Object.values(EN.shortcuts.commands))
      await help.getByText(command, { exact: true }).first().waitFor();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('o');
    await page.getByRole('heading', { name: EN.overview }).waitFor();
    await page.keyboard.press('l');
    await page.getByRole('table', { name: EN.list }).waitFor();
  });
});
