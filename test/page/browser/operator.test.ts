/** What an operator chooses for the page: its key, its look, its languages. Who may frame it: embed.test.ts. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { DE } from '../../../src/page/texts/de.ts';
import { EN } from '../../../src/page/texts/en.ts';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { useBrowser } from '../support/browser.ts';
import { eventually, SeenList } from '../support/seen-list.ts';

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"><rect width="32" height="32"/></svg>';
const KEY = 'geheim';

needs('chromium').describe('the page of an operator', () => {
  const browser = useBrowser();
  const newPath = useDirectory();
  const services: Service[] = [];
  afterEach('the services', async () => {
    for (const service of services.splice(0)) await service.close();
  });

  /** With one server, Oslo. */
  async function start(environment: Readonly<Record<string, string>> = {}): Promise<Service> {
    const service = await startTestService(environment);
    services.push(service);
    const headers = { Authorization: `Bearer ${KEY}` };
    await ask(service, 'POST /broadcast', { body: aBroadcast({ server_name: 'Oslo' }), headers });
    return service;
  }

  it('asks for its key once, and follows the list with it', async () => {
    browser.expectComplaints(/401|ERR_INVALID_AUTH_CREDENTIALS/);
    const { url } = await start({ GSLS_KEY: KEY });
    const httpCredentials = { username: 'any', password: KEY };
    const list = new SeenList(await browser.open(`${url}/browse`, { httpCredentials }));
    await isLive(list);
    await list.shows(['Oslo']);
    const without = await browser.open(`${url}/browse`).catch((error: Error) => error.message);
    if (typeof without !== 'string') expect(await without.locator('table').count()).to.equal(0);
  });

  it('needs no key where everybody may read', async () => {
    const { url } = await start({ GSLS_KEY: KEY, GSLS_PUBLIC_READ: 'true' });
    const list = new SeenList(await browser.open(`${url}/browse`));
    await isLive(list);
    await list.shows(['Oslo']);
  });

  /** Beside Oslo, Bonn that says more. Opens the list with these keys of meta among its filters. */
  async function openFilters(
    keys: string,
    prepare: (page: Page) => Promise<unknown> = async () => undefined,
  ): Promise<SeenList> {
    const service = await start({ GSLS_PAGE_META_FILTERS: keys });
    const meta = { language: 'de', friendly_fire: true, mods: ['<b>x</b>', 'y'], other: { deep: 1 } };
    const body = aBroadcast({ server_name: 'Bonn', server_port: 2000, players: 9, meta });
    await ask(service, 'POST /broadcast', { body });
    const list = new SeenList(await browser.open('about:blank'));
    await prepare(list.page);
    await list.page.goto(`${service.url}/browse?sort=name`);
    await isLive(list);
    await list.page.getByRole('button', { name: EN.filters.title(0) }).click();
    return list;
  }

  it('counts what servers say under the keys of meta that it names, also while it is away', async () => {
    browser.expectComplaints(/ERR_INTERNET_DISCONNECTED/);
    const list = await openFilters('language,friendly_fire,mods,other');
    const { page } = list;
    const group = (name: string): Locator => page.getByRole('group', { name, exact: true });
    await group('Friendly fire').getByText(EN.filters.count(1, 9)).waitFor({ state: 'attached' });
    await page.context().setOffline(true);
    await group('Friendly fire').getByRole('checkbox', { name: EN.details.meta.on }).check();
    await list.shows(['Bonn']);
    await page.getByRole('link', { name: 'Remove filter: Friendly fire: on' }).waitFor();
    expect(new URL(page.url()).search).to.equal('?meta.friendly_fire=true&sort=name');
    expect(await group(EN.details.meta.names.mods).locator('bdi').allTextContents()).to.deep.equal([
      '<b>x</b>',
      'y',
    ]);
    expect(await group('Other').count()).to.equal(0);
    await page.getByRole('link', { name: EN.filters.clearAll }).click();
    await list.shows(['Bonn', 'Oslo']);
  });

  it('has fields for the keys of meta that it names where the list is too long to be counted', async () => {
    const list = await openFilters('language,friendly_fire,<b>x</b>', (page) =>
      page.route(/\/servers\?limit=1$/, (route) => route.fulfill({ json: { total: 30_001 } })),
    );
    const field = (name: string): Locator => list.page.getByRole('textbox', { name, exact: true });
    await field('Friendly fire').fill('true');
    await list.page.keyboard.press('Enter');
    await list.shows(['Bonn']);
    await field(EN.details.meta.names.language).fill('fr, de*');
    await list.page.keyboard.press('Enter');
    await list.page.getByText(EN.nothingMatches).waitFor();
    expect(new URL(list.page.url()).search).to.equal(
      '?meta.friendly_fire=true&meta.language=fr%2C%20de%2A&sort=name',
    );
    for (const name of ['Friendly fire', EN.details.meta.names.language]) {
      await field(name).fill('');
      await list.page.keyboard.press('Enter');
    }
    await list.shows(['Bonn', 'Oslo']);
    await field('<b>x</b>').waitFor();
  });

  it('says how to list a first game server, and shows it then', async () => {
    const service = await startTestService({ GSLS_FEED_INTERVAL: '100' });
    services.push(service);
    const list = new SeenList(await browser.open(`${service.url}/browse?map=x`));
    await list.page.getByText(EN.emptyResult.nothingListed).waitFor();
    await list.page.getByRole('link', { name: EN.filters.clearAll }).click();
    const title = list.page.getByRole('heading', { name: EN.firstServer.title });
    await title.waitFor();
    const command = await list.page.locator('.first-server code').first().innerText();
    const [, target, body] = /^curl "(.*)\/broadcast" -d '(.*)'$/.exec(command)!;
    expect(target).to.equal(service.url);
    await ask({ url: target! }, 'POST /broadcast', { body: body! });
    await list.shows(['Frankfurt 1']);
    expect(await title.count()).to.equal(0);
  });

  it('is not there where it is taken away', async () => {
    browser.expectComplaints(/404/);
    const { url } = await start({ GSLS_NO_PAGE: 'true' });
    const page = await browser.open(`${url}/browse`);
    expect(await page.locator('body').innerText()).to.include('not_found');
  });

  it('has the title, the logo and a colour that can be read', async () => {
    const logo = newPath();
    writeFileSync(logo, LOGO);
    const { url } = await start({
      GSLS_PAGE_TITLE: 'Ironvale & <friends>',
      GSLS_PAGE_LOGO: logo,
      GSLS_PAGE_ACCENT: '#ffee00',
    });
    const list = new SeenList(await browser.open(`${url}/browse`));
    await isLive(list);
    expect(await list.page.title()).to.equal('Ironvale & <friends>');
    expect(await list.page.getByRole('heading', { level: 1 }).innerText()).to.equal('Ironvale & <friends>');
    const logoImage = list.page.locator('img.logo');
    // 0 until the picture is loaded.
    await eventually(() => logoImage.evaluate((image) => (image as HTMLImageElement).naturalWidth), 32);
    const accent = await list.page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--accent').trim(),
    );
    expect(accent)
      .to.match(/^#[\da-f]{6}$/i)
      .and.to.not.equal('#ffee00');
  });

  it('has the notice as a text above the list and the overview, in a frame and without JavaScript', async () => {
    const notice = 'We move on Sunday: <b onclick="alert(1)">see</b> مرحبا';
    const { url } = await start({ GSLS_PAGE_NOTICE: notice });
    const list = new SeenList(await browser.open(`${url}/browse`));
    for (const query of ['', '?embed', '?view=overview']) {
      await list.page.goto(`${url}/browse${query}`);
      await isLive(list);
      const note = list.page.getByRole('main').getByRole('note');
      expect(await note.textContent()).to.equal(notice);
      expect(await note.evaluate((element) => element.previousElementSibling)).to.equal(null);
    }
    const plain = await browser.open(`${url}/browse`, { javaScriptEnabled: false });
    expect(await plain.getByRole('note').textContent()).to.equal(notice);
  });

  it('speaks the language of the browser, or that of its address', async () => {
    const { url } = await start();
    const german = new SeenList(await browser.open(`${url}/browse`, { locale: 'de-AT' }));
    await isLive(german, DE);
    expect(await german.page.locator('html').getAttribute('lang')).to.equal('de');
    await german.page.goto(`${url}/browse?lang=en`);
    await isLive(german, EN);
    const plain = await browser.open(`${url}/browse`, { locale: 'de-AT', javaScriptEnabled: false });
    expect(await plain.locator('main').innerText()).to.include(DE.columns.players);
  });
});

function isLive(list: SeenList, texts = EN): Promise<void> {
  return list.page.getByText(texts.feed.live, { exact: true }).first().waitFor();
}
