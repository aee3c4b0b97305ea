/** How a person finds a server: filters, search, order, favourites. */

import { expect } from 'chai';
import { EN } from '../../../src/page/texts/en.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { eventually, hearsKeys, isLive, SeenList } from '../support/seen-list.ts';

const SERVERS = [
  {
    server_name: 'Oslo',
    players: 9,
    map: 'Harbour',
    mode: 'ctf',
    region: 'eu',
    version: '1.2',
    server_ip: '203.0.113.4',
  },
  {
    server_name: 'Paris',
    players: 5,
    map: 'Glacier',
    mode: 'duel',
    region: 'eu',
    version: '1.1',
    server_ip: '203.0.113.3',
  },
  {
    server_name: 'Lima',
    players: 16,
    map: 'Harbour',
    mode: 'ctf',
    region: 'sa',
    version: '1.3',
    server_ip: '203.0.113.2',
  },
  {
    server_name: 'Boston',
    players: 0,
    map: 'Orchard',
    mode: 'duel',
    region: 'na',
    version: '1.4',
    server_ip: '203.0.113.1',
  },
];

/** In the order of the page: first those with people and places, the empty one last. */
const ALL = ['Oslo', 'Paris', 'Lima', 'Boston'];

needs('chromium').describe('a person who looks for a server', () => {
  const service = useService({ GSLS_FEED_INTERVAL: '100', GSLS_TTL: '3600' });
  const browser = useBrowser();
  const ids: string[] = [];

  before(async () => {
    for (const [n, server] of SERVERS.entries())
      ids.push(await service.broadcast({ ...server, server_port: 1000 + n }));
  });

  async function open(query = ''): Promise<SeenList> {
    const list = new SeenList(await browser.open(`${service.url}/browse${query}`));
    await isLive(list.page);
    await hearsKeys(list.page);
    return list;
  }

  it('chooses values with their numbers, finds them in the address, and goes back', async () => {
    const list = await open();
    await list.page.getByRole('button', { name: EN.filters.title(0) }).click();
    const maps = list.page.getByRole('group', { name: EN.columns.map });
    const harbour = maps.getByRole('checkbox', { name: 'Harbour' });
    await harbour.waitFor();
    expect(await maps.getByText(EN.filters.count(2, 25)).count()).to.equal(1);
    await harbour.check();
    await list.shows(['Oslo', 'Lima']);
    expect(new URL(list.page.url()).search).to.equal('?map=Harbour');
    await list.page
      .getByRole('group', { name: EN.columns.region })
      .getByRole('checkbox', { name: EN.regions.eu })
      .check();
    await list.shows(['Oslo']);
    await list.page.goBack();
    await list.shows(['Oslo', 'Lima']);
    await list.page.goBack();
    await list.shows(ALL);
    // The page has all that is counted.
    expect(browser.requested.filter((url) => url.includes('/stats'))).to.deep.equal([]);
  });

  it('has the focus in the filters, and back at their button when they are closed', async () => {
    const list = await open();
    const { page } = list;
    const button = page.getByRole('button', { name: EN.filters.title(0) });
    const panel = page.getByRole('region', { name: EN.filters.title(0) });
    const close = panel.getByRole('button', { name: EN.close });
    const hasFocus = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');
    await button.focus();
    for (const closing of ['Escape', 'Enter']) {
      await page.keyboard.press('Enter');
      await panel.getByLabel(EN.filters.notFull).waitFor();
      await page.keyboard.press('Tab');
      expect(await close.evaluate((element) => element === document.activeElement)).to.equal(true);
      await page.keyboard.press(closing);
      await panel.waitFor({ state: 'detached' });
      expect(await hasFocus()).to.equal(EN.filters.title(0));
    }
  });

  it('sees the list change above a sheet of filters, also at its very end', async () => {
    const list = await open();
    const { page } = list;
    await page.setViewportSize({ width: 375, height: 640 });
    await page.getByRole('button', { name: EN.filters.title(0) }).click();
    const panel = page.getByRole('region', { name: EN.filters.title(0) });
    const lowerEnd = (): Promise<number> =>
      panel.evaluate((element) => innerHeight - element.getBoundingClientRect().bottom);
    expect(await lowerEnd()).to.equal(0);
    await panel.getByLabel(EN.filters.notEmpty).check();
    await list.shows(['Oslo', 'Paris', 'Lima']);
    await panel.getByLabel(EN.filters.notFull).check();
    await list.shows(['Oslo', 'Paris']);
    // The sheet stays where it is, however short the list is.
    expect(await lowerEnd()).to.equal(0);
    const isSeen = await list.rows.first().evaluate((row) => {
      const { left, top } = row.getBoundingClientRect();
      return row.contains(document.elementFromPoint(left + 1, top + 1));
    });
    expect(isSeen).to.equal(true);
    await panel.getByRole('button', { name: EN.filters.show(2) }).click();
    await panel.waitFor({ state: 'detached' });
  });

  it('opens an address with filters, and takes one away', async () => {
    const list = await open('?map=Harbour&region=eu');
    await list.shows(['Oslo']);
    await list.page
      .getByRole('link', { name: EN.filters.remove(`${EN.filters.is(EN.columns.region)} ${EN.regions.eu}`) })
      .click();
    await list.shows(['Oslo', 'Lima']);
    await list.page.getByRole('link', { name: EN.filters.clearAll }).click();
    await list.shows(ALL);
  });

  it('asks for a number of players, and for room', async () => {
    const list = await open();
    await list.page.getByRole('button', { name: EN.filters.title(0) }).click();
    await list.page.getByLabel(EN.filters.playersFrom).fill('5');
    await list.page.keyboard.press('Enter');
    await list.shows(['Oslo', 'Paris', 'Lima']);
    await list.page.getByLabel(EN.filters.notFull).check();
    await list.shows(['Oslo', 'Paris']);
    await list.page.getByLabel(EN.filters.playersTo).fill('8');
    await list.page.keyboard.press('Enter');
    await list.shows(['Paris']);
    expect(new URL(list.page.url()).search).to.equal('?players=5..8&full=false');
    await list.page.getByLabel(EN.filters.playersFrom).fill('');
    await list.page.keyboard.press('Enter');
    await list.shows(['Paris', 'Boston']);
  });

  it('has each of the filters that are chosen, however fast', async () => {
    const list = await open();
    await list.page.getByRole('button', { name: EN.filters.title(0) }).click();
    const notFull = list.page.getByLabel(EN.filters.notFull);
    await notFull.waitFor();
    // All in one turn: before anything is drawn.
    await notFull
      .or(list.page.getByLabel(EN.filters.notEmpty))
      .evaluateAll((boxes: HTMLElement[]) => boxes.forEach((box) => box.click()));
    await list.shows(['Oslo', 'Paris']);
  });

  it('types a number while the list changes', async () => {
    const list = await open();
    await list.page.getByRole('button', { name: EN.filters.title(0) }).click();
    const players = list.page.getByLabel(EN.filters.playersFrom);
    await players.fill('6');
    const oslo = { ...SERVERS[0], server_id: ids[0], server_port: 1000 };
    await ask(service, 'POST /ping', { body: aBroadcast({ ...oslo, players: 10 }) });
    await list.row('Oslo').getByText('10 / 16').waitFor();
    expect(await players.inputValue()).to.equal('6');
    await list.page.keyboard.press('Enter');
    await list.shows(['Oslo', 'Lima']);
    await ask(service, 'POST /ping', { body: aBroadcast(oslo) });
    await list.row('Oslo').getByText('9 / 16').waitFor();
    await players.fill('-3');
    await list.page.keyboard.press('Enter');
    await list.shows(ALL);
    expect(await players.inputValue()).to.equal('');
  });

  it('types words', async () => {
    const list = await open();
    await list.page.keyboard.press('/');
    await list.page.keyboard.type('harb osl');
    // The first part of it finds the same server.
    await eventually(async () => new URL(list.page.url()).searchParams.get('q'), 'harb osl');
    await list.shows(['Oslo']);
  });

  it('is told which filter to loosen when nothing matches', async () => {
    const list = await open('?map=Harbour&region=na');
    await list.page.getByText(EN.nothingMatches).waitFor();
    const loosen = (label: string): ReturnType<typeof list.page.getByRole> =>
      list.page.getByRole('link', { name: `${EN.emptyResult.remove.before}${EN.filters.is(label)}` });
    expect(await loosen(EN.columns.region).innerText()).to.include(EN.servers(2));
    expect(await loosen(EN.columns.map).innerText()).to.include(EN.servers(1));
    await loosen(EN.columns.map).click();
    await list.shows(['Boston']);
  });

  it('sorts by the heads, in both directions', async () => {
    const list = await open();
    const orders = {
      name: ['Boston', 'Lima', 'Oslo', 'Paris'],
      region: ['Oslo', 'Paris', 'Boston', 'Lima'],
      version: ['Paris', 'Oslo', 'Lima', 'Boston'],
    };
    for (const [column, names] of Object.entries(orders)) {
      const head = list.page.getByRole('columnheader', { name: EN.columns[column as keyof typeof orders] });
      await head.getByRole('link').click();
      await list.shows(names);
      await eventually(() => head.getAttribute('aria-sort'), 'ascending');
      await head.getByRole('link').click();
      await eventually(() => head.getAttribute('aria-sort'), 'descending');
      // Servers with equal values keep their order.
      await list.shows(column === 'region' ? ['Lima', 'Boston', 'Oslo', 'Paris'] : names.toReversed());
    }
    const players = list.page.getByRole('columnheader', { name: EN.columns.players });
    // Who can be joined first, as at the beginning; then the most players; then the fewest.
    for (const names of [ALL, ['Lima', 'Oslo', 'Paris', 'Boston'], ['Boston', 'Paris', 'Oslo', 'Lima']]) {
      await players.getByRole('link').click();
      await list.shows(names);
    }
    expect(new URL(list.page.url()).searchParams.get('sort')).to.equal('players');
  });

  it('chooses an order that has no head, which is then named', async () => {
    const list = await open();
    await list.page.getByRole('button', { name: EN.filters.title(0) }).click();
    const order = list.page.getByLabel(EN.order, { exact: true });
    for (const [sort, names] of [
      ['map', ['Paris', 'Oslo', 'Lima', 'Boston']],
      ['-registered_at', ['Boston', 'Lima', 'Paris', 'Oslo']],
    ] as const) {
      await order.selectOption(sort);
      await list.shows(names);
    }
    // Where there is room.
    await list.page.keyboard.press('Escape');
    await list.page.locator('thead').getByText(EN.orders['-registered_at']).waitFor();
  });

  it('has the regions that are chosen first, in any order, also when the page is loaded again', async () => {
    const list = new SeenList(await browser.open(`${service.url}/browse`));
    await list.shows(ALL);
    await list.page.getByRole('button', { name: EN.myRegions.button.region }).click();
    const dialog = list.page.getByRole('dialog', { name: EN.myRegions.title });
    // Both in one turn: before the choice is drawn.
    await dialog.getByRole('checkbox', { name: EN.regions.na }).evaluate((box: HTMLElement) => {
      box.click();
      box.closest('dialog')!.querySelector<HTMLElement>('.is-main')!.click();
    });
    await list.shows(['Boston', 'Oslo', 'Paris', 'Lima']);
    await list.page.getByRole('link', { name: EN.columns.name, exact: true }).click();
    await list.shows(['Boston', 'Lima', 'Oslo', 'Paris']);
    await list.page.goto(`${service.url}/browse?sort=-name`);
    await list.shows(['Boston', 'Paris', 'Oslo', 'Lima']);
    // A page of others is in the order that it asks for.
    await list.page.goto(`${service.url}/browse?embed&sort=-name`);
    await isLive(list.page);
    await list.shows(['Paris', 'Oslo', 'Lima', 'Boston']);
    expect(await list.page.getByRole('button', { name: EN.myRegions.button.region }).count()).to.equal(0);
    // By its key, whatever is kept there.
    await list.page.evaluate(() => localStorage.setItem('gsls-regions', '["eu","<b>\\u202e",7]'));
    await list.page.goto(`${service.url}/browse`);
    // In the order that was chosen last.
    await list.shows(['Oslo', 'Paris', 'Boston', 'Lima']);
    await hearsKeys(list.page);
    await list.page.keyboard.press('r');
    expect(await dialog.getByRole('checkbox', { name: EN.regions.eu }).isChecked()).to.equal(true);
    await dialog.getByRole('checkbox', { name: '<b>' }).uncheck();
    await dialog.getByRole('checkbox', { name: EN.regions.eu }).uncheck();
    await list.shows(['Boston', 'Lima', 'Oslo', 'Paris']);
    await list.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('keeps favourites, also when the page is loaded again and the server has another id', async () => {
    const list = await open();
    await list
      .row('Paris')
      .getByRole('button', { name: EN.favouriteOf('Paris') })
      .click();
    const body = aBroadcast({ ...SERVERS[1], server_port: 1001 });
    await ask(service, 'POST /remove', { body: { ...body, server_id: ids[1] } });
    await list.page.reload();
    await list.page.getByRole('button', { name: EN.filters.favourites }).click();
    await list.page.getByRole('heading', { name: EN.notListedNow }).waitFor();
    expect(await service.broadcast({ ...SERVERS[1], server_port: 1001 })).to.not.equal(ids[1]);
    await list.page.reload();
    await list.shows(['Paris']);
    expect(new URL(list.page.url()).search).to.equal('?favourites');
  });
});
