/** The list while it changes under the eyes of its reader. */

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { EN } from '../../../src/page/texts/en.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { eventually, hearsKeys, SeenList } from '../support/seen-list.ts';

/** The names of the rows that flash from now on, each time that one does. A flash is soon over. */
async function noteFlashes(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const flashes: string[] = [];
    Object.assign(globalThis, { flashes });
    addEventListener('animationstart', ({ target }) => {
      const name = (target as Element).closest('.row')?.querySelector('.name a');
      if (name) flashes.push(name.textContent);
    });
  });
  return () => page.evaluate(() => (globalThis as unknown as { readonly flashes: string[] }).flashes);
}

needs('chromium').describe('the list of the page', () => {
  // Hundreds of broadcasts at once are refused by a service on a machine that is busy enough.
  const service = useService({ GSLS_FEED_INTERVAL: '100', GSLS_NO_LOAD_SHEDDING: 'true' });
  const browser = useBrowser({ isHasty: true });
  /** Each test has a mode of its own. */
  let mode: string;
  let count = 0;

  beforeEach(() => {
    count += 1;
    mode = `mode${count}`;
  });

  const named = (name: string, players: number): Record<string, unknown> => ({
    server_name: name,
    players,
    mode,
    server_port: 1000 + name.length,
  });
  const start = (name: string, players: number): Promise<string> => service.broadcast(named(name, players));
  const play = (id: string, name: string, players: number): Promise<unknown> =>
    ask(service, 'POST /ping', { body: { ...aBroadcast(named(name, players)), server_id: id } });
  const leave = (id: string, name: string): Promise<unknown> =>
    ask(service, 'POST /remove', { body: { ...aBroadcast(named(name, 0)), server_id: id } });

  /** With three servers: Oslo with 9 players, Paris with 5 and Lima with 1. */
  async function openThree(): Promise<{ list: SeenList; ids: Record<'Oslo' | 'Paris' | 'Lima', string> }> {
    const ids = {
      Oslo: await start('Oslo', 9),
      Paris: await start('Paris', 5),
      Lima: await start('Lima', 1),
    };
    const list = new SeenList(await browser.open(`${service.url}/browse?mode=${mode}`));
    await list.shows(['Oslo', 'Paris', 'Lima']);
    await list.page.getByText(EN.feed.live, { exact: true }).first().waitFor();
    await hearsKeys(list.page);
    return { list, ids };
  }

  it('shows a change in its row, which flashes once, and moves the row', async () => {
    const { list, ids } = await openThree();
    const flashes = await noteFlashes(list.page);
    await play(ids.Lima, 'Lima', 12);
    await list.row('Lima').getByText('12 / 16').waitFor();
    await list.shows(['Lima', 'Oslo', 'Paris']);
    await eventually(flashes, ['Lima']);
    // A row that is drawn anew has no news for a reader.
    await list.page.locator('#search').fill('Paris');
    await list.shows(['Paris']);
    await list.page.locator('#search').fill('');
    await list.shows(['Lima', 'Oslo', 'Paris']);
    await hearsKeys(list.page);
    expect(await flashes()).to.deep.equal(['Lima']);
  });

  it('shows the rows that the reader scrolls to, however far they are, and by keyboard', async () => {
    const ports = Array.from({ length: 300 }, (_, at) => at);
    await Promise.all(
      ports.map((at) =>
        service.broadcast({ server_name: `Number ${at}`, players: 1, mode, server_port: 1000 + at }),
      ),
    );
    const { page } = new SeenList(await browser.open(`${service.url}/browse?mode=${mode}&sort=name`));
    await page.getByText(EN.feed.live, { exact: true }).first().waitFor();
    await page.keyboard.press('End');
    await page.getByText('Number 99', { exact: true }).waitFor();
    await page.keyboard.press('Home');
    await page.getByText('Number 0', { exact: true }).waitFor();
    // The first key goes to the first row in view.
    await eventually(() => page.evaluate(() => scrollY), 0);
    await hearsKeys(page);
    // Faster than rows are drawn.
    await page.evaluate(() => {
      for (let key = 0; key < 40; key += 1)
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }));
    });
    // In the order of texts, this is the 40th.
    const focused = ports.map((at) => `Number ${at}`).toSorted()[39]!;
    await eventually(() => page.evaluate(() => document.activeElement?.textContent), focused);
  });

  it('shows a new server, and takes one away that is gone', async () => {
    const { list, ids } = await openThree();
    await start('Reykjavik', 7);
    await list.shows(['Oslo', 'Reykjavik', 'Paris', 'Lima']);
    await leave(ids.Oslo, 'Oslo');
    await list.shows(['Reykjavik', 'Paris', 'Lima']);
    await list.page.locator('.count').getByText(/^13$/).waitFor();
    await list.page.locator('.count').getByText(/^3$/).waitFor();
  });

  it('keeps its order under the pointer, where a change is seen in its place', async () => {
    const { list, ids } = await openThree();
    await list.row('Paris').hover();
    await play(ids.Lima, 'Lima', 12);
    await leave(ids.Oslo, 'Oslo');
    await list.row('Lima').getByText('12 / 16').waitFor();
    await list.page.getByRole('button', { name: EN.changes(2) }).waitFor();
    expect(await list.names()).to.deep.equal(['Oslo', 'Paris', 'Lima']);
    await list.page.getByRole('heading', { level: 1 }).hover();
    await list.shows(['Lima', 'Paris']);
  });

  it('keeps its order while a row has the focus', async () => {
    const { list, ids } = await openThree();
    await list.page.keyboard.press('ArrowDown');
    await play(ids.Lima, 'Lima', 12);
    await list.row('Lima').getByText('12 / 16').waitFor();
    expect(await list.names()).to.deep.equal(['Oslo', 'Paris', 'Lima']);
  });

  it('counts none that is gone while it keeps its order for the filters', async () => {
    const { list, ids } = await openThree();
    await list.page.getByRole('button', { name: EN.filters.title(0) }).click();
    const panel = list.page.getByRole('region', { name: EN.filters.title(0) });
    await panel.hover();
    await leave(ids.Oslo, 'Oslo');
    await list.page.getByRole('button', { name: EN.changes(1) }).waitFor();
    expect(await list.names()).to.deep.equal(['Oslo', 'Paris', 'Lima']);
    expect(await panel.locator('> .is-main').textContent()).to.equal(EN.filters.show(2));
  });

  it('does not change at all while it is paused', async () => {
    const { list, ids } = await openThree();
    const state = list.page.locator('button.state');
    await state.click();
    await state.getByText(EN.feed.paused).waitFor();
    await play(ids.Lima, 'Lima', 12);
    await state.getByText(EN.changes(1)).waitFor();
    expect(await list.names()).to.deep.equal(['Oslo', 'Paris', 'Lima']);
    expect(await list.row('Lima').innerText()).to.include('1 / 16');
    await state.click();
    await list.shows(['Lima', 'Oslo', 'Paris']);
    expect(await state.evaluate((button) => button === document.activeElement)).to.equal(true);
    await play(ids.Paris, 'Paris', 14);
    await list.shows(['Paris', 'Lima', 'Oslo']);
  });
});
