/** What a visit takes back of the last one: its filters and its order. */

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { EN } from '../../../src/page/texts/en.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { eventually, isLive, SeenList } from '../support/seen-list.ts';

const SERVERS = [
  { server_name: 'Oslo', players: 9, map: 'Harbour' },
  { server_name: 'Paris', players: 5, map: 'Glacier' },
  { server_name: 'Lima', players: 16, map: 'Harbour' },
];
const ALL = ['Oslo', 'Paris', 'Lima'];
/** What no page writes there. */
const HOSTILE = [
  'javascript:alert(1)',
  '//evil.example',
  '{"map":"Harbour"}',
  '?<b>',
  `?map=${'x'.repeat(9000)}`,
  '',
];

/** What a browser does where storage is blocked. */
const BLOCKED = `Object.defineProperty(globalThis, 'localStorage', {
  get() { throw new DOMException('blocked', 'SecurityError'); },
});`;

const searchOf = ({ page }: SeenList): string => new URL(page.url()).search;

function seesPlainRows(page: Page): Promise<boolean> {
  return page.locator('.plain tbody tr').first().isVisible();
}

needs('chromium').describe('a person who comes again', () => {
  const service = useService({ GSLS_TTL: '3600' });
  const browser = useBrowser();

  before(async () => {
    for (const [n, server] of SERVERS.entries())
      await service.broadcast({ ...server, server_port: 1000 + n });
  });

  /** A first visit, which has chosen a map and an order. */
  async function visit(): Promise<SeenList> {
    const list = new SeenList(await browser.open(`${service.url}/browse`));
    await list.page.getByRole('button', { name: EN.filters.title(0) }).click();
    await list.page.getByRole('checkbox', { name: 'Harbour' }).check();
    await list.shows(['Oslo', 'Lima']);
    await list.page.getByRole('columnheader', { name: EN.columns.name }).getByRole('link').click();
    await eventually(async () => new URL(list.page.url()).search, '?map=Harbour&sort=name');
    return list;
  }

  async function comeAgain({ page }: SeenList, query = ''): Promise<SeenList> {
    const next = await page.context().newPage();
    await next.goto(`${service.url}/browse${query}`);
    await isLive(next);
    return new SeenList(next);
  }

  it('sees the list as it was filtered and sorted last, and goes back to where it came from', async () => {
    const first = await visit();
    await first.page.keyboard.press('/');
    await first.page.keyboard.type('osl');
    await first.shows(['Oslo']);
    const again = await comeAgain(first);
    await again.shows(['Lima', 'Oslo']);
    expect(searchOf(again)).to.equal('?map=Harbour&sort=name');
    await again.page.goBack();
    expect(again.page.url()).to.equal('about:blank');
  });

  it('sees what a link asks for, which is not kept until something is chosen', async () => {
    const first = await visit();
    const linked = await comeAgain(first, '?map=Glacier');
    await linked.shows(['Paris']);
    const embedded = await comeAgain(first, '?embed');
    await embedded.shows(ALL);
    await embedded.page.getByRole('columnheader', { name: EN.columns.name }).getByRole('link').click();
    await eventually(async () => searchOf(embedded), '?embed&sort=name');
    await (await comeAgain(first)).shows(['Lima', 'Oslo']);
  });

  it('sees all again once all filters were taken away', async () => {
    const first = await visit();
    await first.page.getByRole('link', { name: EN.filters.clearAll }).click();
    await first.page.getByRole('columnheader', { name: EN.columns.players }).getByRole('link').click();
    await first.shows(ALL);
    const again = await comeAgain(first);
    await again.shows(ALL);
    expect(searchOf(again)).to.equal('');
  });

  it('sees the same after a reload, also where a step back had no filters', async () => {
    const first = await visit();
    await first.page.goBack();
    await first.page.goBack();
    await first.shows(ALL);
    await first.page.reload();
    await isLive(first.page);
    await first.shows(ALL);
    expect(searchOf(first)).to.equal('');
  });

  it('sees all of the list where something else is kept, or nothing can be', async () => {
    const first = await visit();
    for (const text of HOSTILE) {
      await first.page.evaluate((kept) => localStorage.setItem('gsls-view', kept), text);
      const again = await comeAgain(first);
      await again.shows(ALL);
      expect(searchOf(again), text).to.equal('');
      await again.page.close();
    }
    await first.page.context().addInitScript({ content: BLOCKED });
    await (await comeAgain(first)).shows(ALL);
  });

  it('does not see other rows before its own, unless these cannot be had', async () => {
    const first = await visit();
    const next = await first.page.context().newPage();
    await next.route('**/browse/main-*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    );
    await next.goto(`${service.url}/browse`);
    expect(await seesPlainRows(next)).to.equal(false);
    // A script that does not come is told.
    browser.expectComplaints(/^script: |main-/);
    await next.unroute('**/browse/main-*.js');
    await next.route('**/browse/main-*.js*', (route) => route.abort());
    await next.goto(`${service.url}/browse`);
    await eventually(() => seesPlainRows(next), true);
  });
});
