/** The pages of a service with several registries: each below its path, and at a host of its own. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { EN } from '../../../src/page/texts/en.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { eventually, isLive, SeenList } from '../support/seen-list.ts';

const HOST = 'racer.localhost';

needs('chromium').describe('the page of a registry among several', () => {
  const newPath = useDirectory();
  const service = useService(() => {
    const path = newPath();
    writeFileSync(
      path,
      `registries: { racer: { path: /racer, hosts: [${HOST}], page-redirect: true }, shooter: }`,
    );
    return { GSLS_CONFIG: path, GSLS_TTL: '3600' };
  });
  const browser = useBrowser();

  const broadcast = async (registry: string, name: string, port: number): Promise<string> => {
    const body = aBroadcast({ server_name: name, server_port: port, map: 'Harbour' });
    return (await ask(service, `POST /${registry}/broadcast`, { body })).body.server_id!;
  };
  const open = async (url: string): Promise<SeenList> => {
    const list = new SeenList(await browser.open(url));
    await isLive(list.page);
    return list;
  };
  const BASES = {
    'below its path': () => `${service.url}/racer`,
    'at its host': () => service.url.replace('127.0.0.1', HOST),
  };

  let oslo: string;
  before(async () => {
    oslo = await broadcast('racer', 'Oslo', 7001);
    // The same game server, as far as a list of favourites can tell.
    await broadcast('shooter', 'Oslo', 7001);
    await broadcast('shooter', 'Paris', 7002);
  });

  for (const [where, baseOf] of Object.entries(BASES))
    it(`has its entries alone ${where}, follows them, and leads nowhere else`, async () => {
      const base = baseOf();
      const list = await open(`${base}/browse`);
      await list.shows(['Oslo']);
      expect(await list.page.title()).to.include('racer');
      await broadcast('shooter', 'Quito', 7003);
      const lima = await broadcast('racer', 'Lima', 7004);
      await list.shows(['Oslo', 'Lima']);
      await ask(service, 'POST /racer/remove', { body: { server_id: lima, server_ip: '203.0.113.7' } });
      await list.shows(['Oslo']);

      await list.row('Oslo').getByRole('link', { name: 'Oslo', exact: true }).click();
      await list.page.getByRole('dialog', { name: 'Oslo' }).waitFor();
      await list.page.goto(`${base}/browse/${oslo}`);
      await list.page.getByRole('article').getByRole('heading', { name: 'Oslo' }).waitFor();
      await list.page.getByRole('link', { name: EN.plain.allServers }).click();
      await list.shows(['Oslo']);
      expect(list.page.url()).to.equal(`${base}/browse`);
      const links = await list.page
        .locator('a')
        .evaluateAll((all) => all.map((each) => (each as HTMLAnchorElement).href));
      const own = [...links, ...browser.requested].filter((url) => url.startsWith('http'));
      expect(own.filter((url) => !url.startsWith(`${base}/`))).to.deep.equal([]);
      const icon = await list.page.evaluate(async () => {
        const { href } = document.querySelector<HTMLLinkElement>('link[rel=icon]')!;
        return (await fetch(href)).status;
      });
      expect(icon).to.equal(200);
    });

  it('keeps what a reader has chosen from the other pages of its origin, as in a frame', async () => {
    const { page } = await open(`${service.url}/racer/browse?map=Harbour`);
    const list = new SeenList(page);
    const visit = async (path: string): Promise<void> => {
      await page.goto(service.url + path);
      await isLive(page);
    };
    const star = (of = EN.favouriteOf('Oslo')) => list.row('Oslo').getByRole('button', { name: of });
    await star().click();
    await page.getByRole('button', { name: EN.theme.auto }).click();
    await page.getByRole('columnheader', { name: EN.columns.name }).getByRole('link').click();
    await eventually(() => keysIn(page), ['gsls-favourites/racer/', 'gsls-theme/racer/', 'gsls-view/racer/']);

    await visit('/shooter/browse');
    expect(new URL(page.url()).search).to.equal('');
    expect(await star().getAttribute('aria-pressed')).to.equal('false');
    await page.getByRole('button', { name: EN.theme.auto }).waitFor();
    await star().click();
    await visit('/shooter/browse?embed');
    expect(await keysIn(page))
      .to.include('gsls-favourites/shooter/')
      .and.to.have.length(4);

    await visit('/racer/browse');
    expect(new URL(page.url()).search).to.equal('?map=Harbour&sort=name');
    expect(await star().getAttribute('aria-pressed')).to.equal('true');
    await page.getByRole('button', { name: EN.theme.light }).waitFor();
  });

  it('keeps it by the keys of before at a host of its own', async () => {
    const list = await open(`${BASES['at its host']()}/browse`);
    await list
      .row('Oslo')
      .getByRole('button', { name: EN.favouriteOf('Oslo') })
      .click();
    await eventually(() => keysIn(list.page), ['gsls-favourites']);
  });

  it('is where the bare address of the registry leads', async () => {
    for (const [where, baseOf] of Object.entries(BASES)) {
      const { page } = await open(baseOf());
      expect(page.url(), where).to.equal(`${baseOf()}/browse`);
    }
  });
});

function keysIn(page: Page): Promise<string[]> {
  return page.evaluate(() => Object.keys(localStorage).toSorted());
}
