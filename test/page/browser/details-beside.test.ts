/** The details of a server beside the list, and over it where there is no room: how one goes through the servers. */

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { EN } from '../../../src/page/texts/en.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { eventually, hasSaid, hearsKeys, SeenList } from '../support/seen-list.ts';

const WIDE = { width: 1280, height: 720 };
const NARROW = { width: 1000, height: 720 };
const NAMES = ['Oslo', 'Paris', 'Quito', 'Rome'];

function shows(page: Page, name: string): Promise<void> {
  return page.getByRole('dialog', { name, exact: true }).waitFor();
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '');
}

function openRow(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.querySelector('.row [aria-current]')?.textContent ?? undefined);
}

function isModal(page: Page): Promise<boolean> {
  return page.evaluate(() => document.querySelector('dialog:modal') !== null);
}

needs('chromium').describe('the details of a server', () => {
  const service = useService({ GSLS_TTL: '3600' });
  const browser = useBrowser();

  before(async () => {
    for (const [n, name] of NAMES.entries())
      await service.broadcast({
        server_name: name,
        server_port: 7000 + n,
        players: 9 - n,
        max_players: 12,
        addresses: [{ ip: '2001:db8::7', port: 7002 }],
      });
  });

  async function open(viewport: typeof WIDE, query = ''): Promise<SeenList> {
    const list = new SeenList(
      await browser.open(`${service.url}/browse${query}`, {
        viewport,
        permissions: ['clipboard-read', 'clipboard-write'],
      }),
    );
    await list.page.getByText(EN.feed.live, { exact: true }).first().waitFor();
    await hearsKeys(list.page);
    return list;
  }

  it('are beside the list on a wide page, which can still be used', async () => {
    const { page, ...list } = await open(WIDE);
    await page.getByRole('link', { name: 'Paris', exact: true }).click();
    await shows(page, 'Paris');
    expect(await isModal(page)).to.equal(false);
    const [details, table] = await Promise.all(
      ['dialog', '.servers'].map((selector) => page.locator(selector).boundingBox()),
    );
    expect(table!.x + table!.width).to.be.at.most(details!.x);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).to.equal(false);
    await list.rows.nth(2).locator('td.players').click();
    await shows(page, 'Quito');
    expect(await openRow(page)).to.equal('Quito');
    await page.getByRole('searchbox').fill('rome');
    await eventually(() => list.rows.count(), 1);
    await shows(page, 'Quito');
  });

  it('follow the focus from row to row, and one step back leaves them', async () => {
    const { page } = await open(WIDE);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await shows(page, 'Oslo');
    await eventually(() => focused(page), 'Oslo');
    // Back in the rows.
    await page.locator('.row .name a').first().focus();
    for (const name of ['Paris', 'Quito']) {
      await page.keyboard.press('j');
      await shows(page, name);
      await eventually(() => focused(page), name);
      expect(await openRow(page)).to.equal(name);
      expect(await page.evaluate(() => document.activeElement?.closest('.row') !== null)).to.equal(true);
    }
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).to.equal('');
  });

  for (const [place, viewport] of Object.entries({ beside: WIDE, over: NARROW }))
    it(`go to the next and the previous server by keys and buttons, ${place} the list`, async () => {
      const { page } = await open(viewport);
      await page.getByRole('link', { name: 'Oslo', exact: true }).click();
      await shows(page, 'Oslo');
      expect(await isModal(page)).to.equal(place === 'over');
      const said = hasSaid(page, '[role=status]', 'Paris');
      await page.keyboard.press('j');
      await shows(page, 'Paris');
      await said;
      // All before anything is drawn.
      await page.evaluate(() => {
        for (const key of ['j', 'j', 'k'])
          document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      });
      await shows(page, 'Quito');
      const next = page.getByRole('button', { name: EN.shortcuts.commands.next });
      await next.click();
      await shows(page, 'Rome');
      expect(await next.getAttribute('aria-disabled')).to.equal('true');
      await next.click({ force: true });
      await page.getByRole('button', { name: EN.shortcuts.commands.previous }).click();
      await shows(page, 'Quito');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await eventually(() => focused(page), 'Quito');
      expect(new URL(page.url()).search).to.equal('');
    });

  it('stay open where the page becomes narrow, and wide again', async () => {
    const { page } = await open(WIDE);
    await page.getByRole('link', { name: 'Rome', exact: true }).click();
    for (const viewport of [NARROW, WIDE]) {
      await page.setViewportSize(viewport);
      await eventually(() => isModal(page), viewport === NARROW);
      await shows(page, 'Rome');
    }
  });

  it('are closed by Escape, but not while somebody types or another dialog is open', async () => {
    const { page } = await open(WIDE);
    await page.getByRole('link', { name: 'Rome', exact: true }).click();
    await shows(page, 'Rome');
    await page.getByRole('searchbox').press('Escape');
    await page.getByRole('heading', { name: 'Rome' }).focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: EN.shortcuts.title }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: EN.shortcuts.title }).waitFor({ state: 'detached' });
    await shows(page, 'Rome');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('are closed by Escape from when they are seen', async () => {
    const { page } = await open(WIDE);
    const pressed = page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          new MutationObserver((_, observer) => {
            if (document.querySelector('dialog[open]') === null) return;
            observer.disconnect();
            document.activeElement!.dispatchEvent(
              new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }),
            );
            resolve();
          }).observe(document.body, { subtree: true, attributeFilter: ['open'] });
        }),
    );
    await page.getByRole('link', { name: 'Rome', exact: true }).click();
    await pressed;
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('give every address and host to copy, and a link to what is shown', async () => {
    const { page } = await open(WIDE, '?sort=name');
    await page.getByRole('link', { name: 'Oslo', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const copies = async (button: string, text: string): Promise<void> => {
      const pressed = dialog.getByRole('button', { name: button, exact: true });
      // Its mark says so, for a moment.
      const marked = pressed.evaluate(
        (element) =>
          new Promise<void>((resolve) => {
            new MutationObserver(() => {
              if (element.querySelector('.icon-check') !== null) resolve();
            }).observe(element, { subtree: true, childList: true, attributes: true });
          }),
      );
      await pressed.click();
      await marked;
      await eventually(() => page.evaluate(() => navigator.clipboard.readText()), text);
    };
    for (const address of ['203.0.113.7:7000', 'game.example.com:7000', '[2001:db8::7]:7002'])
      await copies(EN.copyAddressOf(address), address);
    const { origin, pathname } = new URL(page.url());
    expect(pathname).to.match(/^\/browse\/[\w-]+$/);
    await copies(EN.details.copyLink, origin + pathname);
    const other = await open(NARROW, pathname.slice('/browse'.length));
    await other.page.getByRole('heading', { name: 'Oslo' }).waitFor();
    expect(await other.page.locator('.server-page .load').innerText()).to.include('9 / 12');
  });
});
