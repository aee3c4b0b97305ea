/** What axe-core finds in each part of the page, as readers of all kinds have set up their browsers: nothing. */

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { EN } from '../../../src/page/texts/en.ts';
import { needs } from '../../support/needs.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { useService } from '../../support/use-service.ts';
import { violationsInAllLooks } from '../support/axe.ts';
import { useBrowser } from '../support/browser.ts';
import { writeHistoryFile } from '../support/history-file.ts';
import { hearsKeys, isLive } from '../support/seen-list.ts';

interface Part {
  readonly query?: string;
  readonly withoutScript?: true;
  /** What it has beside the parts before it, as a selector; by default all of it. */
  readonly own?: string;
  readonly open: (page: Page) => Promise<unknown>;
}

needs('chromium').describe('axe-core finds nothing wrong', function () {
  // Ten times in each part, seconds each on a busy machine.
  this.timeout(240_000);
  const browser = useBrowser();
  const newPath = useDirectory();
  const service = useService(() => {
    const path = newPath();
    writeHistoryFile(path, { now: Date.now(), servers: 8, players: 28 });
    return {
      GSLS_DATA_FILE: path,
      GSLS_TTL: '3600',
      GSLS_PAGE_CONNECT: 'game://{ip}:{port}',
      GSLS_PAGE_META_FILTERS: 'level',
      GSLS_PAGE_NOTICE: 'We move on Sunday.',
    };
  });
  let id: string;

  before(async () => {
    for (let n = 0; n < 8; n += 1)
      id = await service.broadcast({
        server_name: `Number ${n}`,
        server_port: 1000 + n,
        players: n,
        max_players: 20,
        region: n % 2 === 0 ? 'eu' : 'na',
        map: `map ${n % 3}`,
        mode: 'ctf',
        version: '1.0',
        password: n % 4 === 0,
        tags: ['ranked', 'friendly', 'modded'],
        addresses: [{ ip: '203.0.113.9', port: 2000 }],
        meta: { level: n, nested: { deep: [1, 2] } },
      });
  });

  const PARTS: Readonly<Record<string, Part>> = {
    'the list': { open: (page) => page.locator('table[aria-rowcount] .row').first().waitFor() },
    'the details of a server': {
      query: '/ID?list',
      own: 'dialog',
      open: (page) => page.getByRole('dialog').locator('.meta').first().waitFor(),
    },
    'the details of a server that quick join has picked': {
      own: 'dialog',
      async open(page) {
        await page.getByRole('button', { name: EN.quickJoin.open }).click();
        await page.getByRole('button', { name: EN.myRegions.anywhere, exact: true }).click();
        await page.getByRole('button', { name: EN.quickJoin.another }).waitFor();
      },
    },
    'quick join where no server can be joined': {
      query: '?free=1000..',
      own: '.bottom-note',
      async open(page) {
        await page.getByRole('button', { name: EN.quickJoin.open }).click();
        await page.locator('.bottom-note').waitFor();
      },
    },
    'the open filters': {
      query: '?region=eu',
      own: '.filter-panel',
      async open(page) {
        await page.locator('search button[aria-expanded]').click();
        await page.getByRole('group', { name: EN.columns.map }).waitFor();
      },
    },
    'the filters and the details of a server, beside the list': {
      query: '/ID?list&map=map+1',
      own: '.list-body',
      async open(page) {
        await page.locator('search button[aria-expanded]').click();
        await page.getByRole('group', { name: EN.columns.map }).waitFor();
        await page.getByRole('dialog').locator('.meta').first().waitFor();
      },
    },
    'the page of a server': {
      query: '/ID',
      own: 'main',
      async open(page) {
        await isLive(page);
        await page.locator('.server-page .meta').first().waitFor();
      },
    },
    'a list that is not current': {
      own: '.bottom-note, .state',
      async open(page) {
        await page.route('**/changes*', (route) => route.abort());
        await page.reload();
        await page.locator('.bottom-note').waitFor();
      },
    },
    'the field for a join code': {
      query: '?join',
      own: 'dialog',
      open: (page) => page.getByRole('dialog').waitFor(),
    },
    'what is said of a missing server': {
      query: '?missing',
      own: 'dialog',
      async open(page) {
        await page.getByRole('textbox', { name: EN.missing.address }).fill('127.0.0.1:7777');
        await page.keyboard.press('Enter');
        await page.getByRole('dialog').getByRole('listitem').first().waitFor();
      },
    },
    'the choice of regions': {
      own: 'dialog',
      async open(page) {
        await page.locator('.region-button').click();
        await page.getByRole('checkbox').first().waitFor();
      },
    },
    'favourites that are not in the list': {
      query: '?favourites',
      own: 'main',
      async open(page) {
        const favourites = ['~unlisted', 'gone'].map((favourite) => ({
          id: favourite,
          host: 'game.example.com',
          ip: '203.0.113.7',
          port: 1,
          name: favourite,
        }));
        await page.evaluate(
          (all) => localStorage.setItem('gsls-favourites', all),
          JSON.stringify(favourites),
        );
        await page.reload();
        await page.getByRole('heading', { name: EN.notListedNow }).waitFor();
        await page.getByRole('link', { name: '~unlisted', exact: true }).waitFor();
      },
    },
    'the overview': {
      query: '?view=overview',
      own: 'main',
      open: (page) => page.locator('.chart svg').first().waitFor(),
    },
    'the help': {
      own: 'dialog',
      async open(page) {
        await page.locator('table[aria-rowcount] .row').first().waitFor();
        await hearsKeys(page);
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
      },
    },
    'an empty result': {
      query: '?region=mars&mode=ctf',
      own: 'main',
      open: (page) => page.locator('.empty-result a').first().waitFor(),
    },
    'the list of another page': {
      query: '?embed',
      open: (page) => page.locator('table[aria-rowcount] .row').first().waitFor(),
    },
    'the list of another page, with a look of its own': {
      query: '?embed&theme=dark&accent=333&columns=players,map&search=0&mode=ctf&lock=1',
      open: (page) => page.locator('table[aria-rowcount] .row').first().waitFor(),
    },
    'the list, dark by its switch': {
      async open(page) {
        await page.getByRole('button', { name: EN.theme.auto }).click();
        await page.getByRole('button', { name: EN.theme.light }).click();
        await page.locator('table[aria-rowcount] .row').first().waitFor();
      },
    },
    'the overview without data': {
      query: '?view=overview&range=1h',
      own: 'main',
      async open(page) {
        await page.route('**/history?*', (route) =>
          route.fulfill({ json: { status: 'success', points: [] } }),
        );
        await page.reload();
        await page.getByText(EN.statistics.noHistoryYet.minute).first().waitFor();
      },
    },
    'the overview, light by its switch': {
      query: '?view=overview',
      async open(page) {
        await page.getByRole('button', { name: EN.theme.auto }).click();
        await page.locator('.chart svg').first().waitFor();
      },
    },
    'the page without its script': {
      withoutScript: true,
      open: (page) => page.locator('tbody tr').first().waitFor(),
    },
  };

  for (const [part, { query = '', withoutScript, own, open }] of Object.entries(PARTS))
    it(`in ${part}, in any look and width`, async () => {
      browser.expectComplaints(/ERR_FAILED/);
      const page = await browser.open('about:blank');
      // A script that is not there leaves the plain page, in which axe-core can run.
      if (withoutScript === true)
        await page.route('**/browse/main-*.js', (route) =>
          route.fulfill({ contentType: 'text/javascript', body: '' }),
        );
      await page.goto(`${service.url}/browse${query.replace('ID', id)}`);
      await open(page);
      expect(await violationsInAllLooks(page, own)).to.deep.equal([]);
    });
});
