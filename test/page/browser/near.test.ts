/** How a player sees the nearest servers first: by what the browser measures, and tells nobody. */

import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { EN } from '../../../src/page/texts/en.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { violationsInAllLooks } from '../support/axe.ts';
import { useBrowser } from '../support/browser.ts';
import { useBeacons, type PlacedBeacon } from '../support/use-beacons.ts';
import { eventually, isLive, SeenList } from '../support/seen-list.ts';

/** As far from the player, and from each other, as three places of the world are. */
const BEACONS: Readonly<Record<string, PlacedBeacon>> = {
  fra: { place: 'Frankfurt', ms: 5, latency: { nyc: 45, tyo: 125 } },
  nyc: { place: 'New York', ms: 40, latency: { tyo: 160 } },
  tyo: { ms: 120, latency: {} },
};
/** One request opens the connection to each beacon, and five count. */
const PLACES = ['Frankfurt', 'New York', 'tyo'];
const REQUESTS = 6 * PLACES.length;
const SENTENCE = EN.near.how(PLACES.length, PLACES.join(', '));

/** In the order of the page. */
const SERVERS = [
  { server_name: 'Liar', players: 9, latency: { fra: 1, nyc: 1, tyo: 1 } },
  { server_name: 'Far', players: 8, latency: { fra: 130, nyc: 170, tyo: 10 } },
  { server_name: 'Silent', players: 7 },
  { server_name: 'Middle', players: 6, latency: { fra: 50, nyc: 20, tyo: 160 } },
  { server_name: 'Near', players: 5, latency: { fra: 10, nyc: 45, tyo: 125 } },
];
const NAMES = SERVERS.map(({ server_name: name }) => name);
const BY_NAME = NAMES.toSorted();
const NEAREST = ['Near', 'Middle', 'Far', 'Liar', 'Silent'];

const statement = ({ page }: SeenList): Locator => page.locator('.near-line [role=status]');
const says = (list: SeenList, text: string): Promise<void> =>
  eventually(() => statement(list).innerText(), text);
const pingOf = (list: SeenList, name: string): Locator => list.row(name).locator('.region .near');

async function order(page: Page, by: keyof typeof EN.orders): Promise<void> {
  await page.getByRole('button', { name: EN.filters.title(0) }).click();
  await page.getByRole('combobox', { name: EN.order }).selectOption(by);
  await page.keyboard.press('Escape');
}

needs('chromium').describe('a player who wants the nearest servers first', () => {
  const browser = useBrowser();
  const beacons = useBeacons(BEACONS);
  const service = useService(() => ({ GSLS_TTL: '3600', GSLS_BEACONS: beacons.option }));
  const without = useService({ GSLS_TTL: '3600' });

  before(async () => {
    for (const [n, said] of SERVERS.entries()) {
      const details = { ...said, server_port: 1000 + n, max_players: 16, region: 'eu', country: 'DE' };
      await service.broadcast(details);
      await without.broadcast(details);
    }
  });

  /** `said`: what the service says in place of its beacons, as JSON. */
  async function open(query = '', options = {}, said?: string): Promise<SeenList> {
    const page = await browser.open('about:blank', options);
    if (said !== undefined) await page.route(/\/beacons$/, (route) => route.fulfill({ body: said }));
    await page.goto(`${service.url}/browse${query}`);
    await isLive(page);
    return new SeenList(page);
  }

  it('sees them by an estimate, which is measured once, and tells the service nothing', async () => {
    const list = await open();
    await list.shows(NAMES);
    expect(beacons.answered).to.equal(0);
    await order(list.page, 'near');
    await list.shows(NEAREST);
    await says(list, SENTENCE);
    expect(beacons.answered).to.equal(REQUESTS);
    expect(new URL(list.page.url()).search).to.equal('?sort=near');
    expect(await pingOf(list, 'Near').innerText()).to.match(/^≈ \d+ ms$/);
    for (const name of ['Liar', 'Silent']) expect(await pingOf(list, name).count(), name).to.equal(0);

    await list.page.reload();
    await list.shows(NEAREST);
    await says(list, SENTENCE);
    expect(beacons.answered).to.equal(REQUESTS);
    const toService = browser.requested.filter((url) => url.startsWith(service.url));
    expect(toService.filter((url) => /fra|nyc|tyo|near=/.test(url))).to.deep.equal([]);
    expect(toService.filter((url) => url.endsWith('/beacons'))).to.have.length(1);
  });

  it('has them measured again, with the same order', async () => {
    const list = await open('?sort=near');
    await list.shows(NEAREST);
    await says(list, SENTENCE);
    await list.page.getByRole('button', { name: EN.near.again }).click();
    await eventually(async () => beacons.answered, 2 * REQUESTS);
    await says(list, SENTENCE);
    await list.shows(NEAREST);
  });

  it('is told that it is being measured, while the order stays', async () => {
    const release = beacons.hold();
    const list = await open('?sort=name');
    await order(list.page, 'near');
    await says(list, EN.near.measuring);
    expect(await list.names()).to.deep.equal(BY_NAME);
    release();
    await list.shows(NEAREST);
  });

  it('keeps the estimates in another order', async () => {
    const list = await open('?sort=near');
    await list.shows(NEAREST);
    await list.page.getByRole('link', { name: EN.columns.name, exact: true }).click();
    await list.shows(BY_NAME);
    await pingOf(list, 'Near').waitFor();
    await says(list, '');
  });

  it('sees in the details how far the server is, from the player and from the beacons', async () => {
    const list = await open('?sort=near');
    await list.shows(NEAREST);
    await list.row('Middle').getByRole('link').first().click();
    const field = (name: string): Locator =>
      list.page.locator('.fields > div', { has: list.page.getByText(name, { exact: true }) }).locator('dd');
    expect(await field(EN.near.ping).innerText()).to.match(/^≈ \d+ ms$/);
    expect(await field(EN.near.ofServer).innerText()).to.equal('Frankfurt 50 ms, New York 20 ms, tyo 160 ms');
  });

  it('is told where no beacon answers, and sees the order of before', async () => {
    browser.expectComplaints(/ERR_EMPTY_RESPONSE/);
    beacons.areAway = true;
    const list = await open('?sort=name');
    await order(list.page, 'near');
    await says(list, EN.near.away);
    expect(await list.names()).to.deep.equal(BY_NAME);
    beacons.areAway = false;
    await list.page.getByRole('button', { name: EN.near.again }).click();
    await list.shows(NEAREST);
  });

  for (const [what, said] of Object.entries({
    'no JSON': 'NaN',
    'an error': '{"status":"error","code":"not_found"}',
    'no list': '{"status":"success","beacons":{"length":1e9}}',
    'ten thousand beacons that are none': JSON.stringify({
      status: 'success',
      beacons: Array.from({ length: 10_000 }, (_, n) => ({
        id: n % 2 === 0 ? `b${n}` : '<img src=x onerror=alert(1)>',
        url: n % 2 === 0 ? 'javascript:alert(1)' : `https://beacon-${n}.example/`,
        latency: { b1: 'NaN', __proto__: null },
      })),
    }),
  }))
    it(`comes to no harm by ${what} in place of the beacons`, async () => {
      const list = await open('?sort=near', {}, said);
      await says(list, EN.near.away);
      await list.shows(NAMES);
      expect(browser.requested.filter((url) => !url.startsWith(service.url))).to.deep.equal([]);
    });

  it('comes to no harm by a beacon that says hostile things', async () => {
    const place = '<img src=x onerror=alert(1)>';
    const latency = '{"nyc":1e999,"tyo":-1,"__proto__":5,"<b>":1}';
    const beacon = `{"id":"fra","url":"${beacons.urls.get('fra')}","place":"${place}","latency":${latency}}`;
    const list = await open('?sort=near', {}, `{"beacons":[null,7,${beacon}]}`);
    await says(list, EN.near.how(1, place));
    // Without the distances between beacons nobody can tell a liar.
    await list.shows(['Liar', 'Near', 'Middle', 'Far', 'Silent']);
  });

  it('comes to no harm by what else the browser has kept', async () => {
    const list = await open();
    for (const text of [
      '{',
      '[]',
      'null',
      '{"at":"x"}',
      `{"at":${Date.now()},"beacons":[null],"latency":7}`,
    ]) {
      await list.page.evaluate((kept) => localStorage.setItem('gsls-near', kept), text);
      await list.page.goto(`${service.url}/browse?sort=near`);
      await list.shows(NEAREST);
    }
  });

  it('is told that nothing can be measured where the code for that is missing, after an upgrade', async () => {
    browser.expectComplaints(/ERR_FAILED/);
    const list = await open();
    await list.page.route(/near-code/, (route) => route.abort());
    await order(list.page, 'near');
    await says(list, EN.near.away);
    await list.shows(NAMES);
  });

  it('sees all of it on a phone, and in all looks', async function () {
    this.timeout(240_000);
    const list = await open('?sort=near', { viewport: { width: 375, height: 700 } });
    await list.shows(NEAREST);
    await list.row('Near').locator('.line .near').waitFor();
    expect(await list.page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).to.equal(false);
    expect(await violationsInAllLooks(list.page)).to.deep.equal([]);
  });

  it('sees the order of the page where there are no beacons, and without JavaScript', async () => {
    const list = new SeenList(await browser.open(`${without.url}/browse?sort=near`));
    await isLive(list.page);
    await says(list, EN.near.away);
    await list.shows(NAMES);
    expect(browser.requested.filter((url) => url.endsWith('/beacons'))).to.deep.equal([]);
    const plain = await browser.open(`${service.url}/browse?sort=near`, { javaScriptEnabled: false });
    await new SeenList(plain).shows(NAMES);
  });
});
