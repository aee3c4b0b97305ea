/** How a person chooses among many values of a field, whatever game servers say there. */

import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { EN } from '../../../src/page/texts/en.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { eventually, hearsKeys, SeenList } from '../support/seen-list.ts';

/** Each has a map and a tag of its own, and a tag of all. */
const SERVERS = 12;
/** What would break a line, turn its direction, or become markup. Controls are refused by the service. */
const HOSTILE = ['<b>bold</b>', 'خادم ١ (', `${'W'.repeat(31)}!`];

const said = (n: number): Record<string, unknown> => ({
  server_port: 1000 + n,
  server_name: `Number ${n}`,
  players: n,
  map: `Map ${n}`,
  tags: [`tag ${n}`, 'all'],
  ...(n < HOSTILE.length ? { mode: HOSTILE[n] } : {}),
});

needs('chromium').describe('a person who looks at what may be chosen', () => {
  const service = useService({ GSLS_FEED_INTERVAL: '100', GSLS_TTL: '3600' });
  const browser = useBrowser();

  const ids: string[] = [];
  /** Number 4 has other players. */
  async function ping(players: number): Promise<void> {
    const body = aBroadcast({ ...said(4), server_id: ids[4], players, max_players: 64 });
    await ask(service, 'POST /ping', { body });
  }

  before(async () => {
    for (let n = 0; n < SERVERS; n += 1) ids.push(await service.broadcast(said(n)));
  });

  async function openFilters(): Promise<{
    readonly list: SeenList;
    readonly group: (name: string) => Locator;
  }> {
    const list = new SeenList(await browser.open(`${service.url}/browse`));
    await list.page.getByText(EN.feed.live, { exact: true }).first().waitFor();
    await hearsKeys(list.page);
    await list.page.getByRole('button', { name: EN.filters.title(0) }).click();
    await list.page.getByRole('group', { name: EN.columns.tags }).waitFor();
    return { list, group: (name) => list.page.getByRole('group', { name }) };
  }

  it('opens the others, and goes on there by keyboard', async () => {
    const { list, group } = await openFilters();
    const tags = group(EN.columns.tags);
    const others = tags.getByRole('button', { name: EN.filters.others(SERVERS + 1 - 8) });
    expect(await tags.getByRole('checkbox').count()).to.equal(8);
    await others.focus();
    await list.page.keyboard.press('Enter');
    await others.waitFor({ state: 'detached' });
    expect(await tags.getByRole('checkbox').count()).to.equal(SERVERS + 1);
    await list.page.keyboard.press('Tab');
    await list.page.keyboard.press('Space');
    // The commonest is "all", and those of one server each come by their players.
    await list.shows(['Number 4']);
    await tags.getByRole('checkbox', { name: 'all' }).check();
    await eventually(async () => (await list.names()).length, SERVERS);
  });

  it('searches all values, in whatever case, and sees what is chosen beside what is found', async () => {
    const { list, group } = await openFilters();
    const maps = group(EN.columns.map);
    await maps.getByRole('checkbox', { name: 'Map 11' }).check();
    await list.shows(['Number 11']);
    await maps.getByRole('searchbox').fill('MAP 1');
    await eventually(() => maps.locator('bdi').allTextContents(), ['Map 11', 'Map 10', 'Map 1']);
    await maps.getByRole('searchbox').fill('ap 3');
    await eventually(() => maps.locator('bdi').allTextContents(), ['Map 3', 'Map 11']);
    await maps.getByRole('checkbox', { name: 'Map 3' }).check();
    await list.shows(['Number 11', 'Number 3']);
    // The first one empties the search.
    await maps.getByRole('searchbox').focus();
    await list.page.keyboard.press('Escape');
    await maps.getByRole('button', { name: EN.filters.others(SERVERS - 8 - 1) }).waitFor();
    expect(await list.page.getByRole('region', { name: EN.filters.title(0) }).isVisible()).to.equal(true);
  });

  it('sees each value on one line, and all of it in its title', async () => {
    const { list, group } = await openFilters();
    const modes = group(EN.columns.mode).locator('label');
    await eventually(
      async () => (await modes.locator('bdi').allTextContents()).toSorted(),
      HOSTILE.toSorted(),
    );
    const seen = await modes.evaluateAll((labels) =>
      labels.map((label) => {
        const bdi = label.querySelector('bdi')!;
        const { width, height } = label.getBoundingClientRect();
        return { isWhole: bdi.title === bdi.textContent, isLine: height <= 30 && width <= 240 };
      }),
    );
    expect(seen).to.deep.equal(HOSTILE.map(() => ({ isWhole: true, isLine: true })));
    expect(await list.page.locator('.filter-panel b').count()).to.equal(0);
  });

  it('sees the order of rows and of values kept while the pointer is there', async () => {
    const { list, group } = await openFilters();
    const maps = group(EN.columns.map);
    const valuesOf = (): Promise<string[]> => maps.locator('bdi').allTextContents();
    const [names, values] = [await list.names(), await valuesOf()];
    expect(values[7]).to.equal('Map 4');
    await maps.getByText('Map 4').hover();
    await ping(60);
    await list.row('Number 4').getByText('60 / 64').waitFor();
    await maps.getByText(EN.filters.count(1, 60)).waitFor({ state: 'attached' });
    expect(await list.names()).to.deep.equal(names);
    expect(await valuesOf()).to.deep.equal(values);
    // The focus is in them, too.
    await list.page.getByRole('heading', { level: 1 }).hover();
    await list.page.getByRole('heading', { level: 1 }).click();
    await eventually(async () => (await list.names())[0], 'Number 4');
    await eventually(async () => (await valuesOf())[0], 'Map 4');
    await ping(4);
  });

  it('asks the service for none of it', async () => {
    const { list, group } = await openFilters();
    await group(EN.columns.map).getByRole('checkbox', { name: 'Map 9' }).check();
    await list.shows(['Number 9']);
    expect(browser.requested.filter((url) => url.includes('/stats'))).to.deep.equal([]);
  });
});
