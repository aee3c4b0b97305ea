/** The list at every width, from a small phone to a wall screen, with all that makes it wide: nothing is cut. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Frame, Page } from 'playwright-core';
import { EN } from '../../../src/page/texts/en.ts';
import { needs } from '../../support/needs.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { areRowsWhole } from '../support/seen-list.ts';
import { useForeignPages } from '../support/use-foreign-pages.ts';

const [NARROWEST, WIDEST, STEP] = [320, 2560, 20];
const WIDTHS = Array.from({ length: (WIDEST - NARROWEST) / STEP + 1 }, (_, n) => NARROWEST + n * STEP);
/** Where a language or a size of type may differ: at both ends, and where columns come and go. */
const SOME_WIDTHS = [320, 380, 480, 640, 680, 760, 800, 960, 1100, 1280, 1600, 2560];
/** Of a few rows: a bar and a head that stay where they are need 480 px. */
const HEIGHT = 500;

/** Four times as wide as high. */
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="64"><rect width="256" height="64"/></svg>';
/** The longest that an operator can name. */
const META_KEY = 'W'.repeat(40);
const TITLE = 'Ironvale – the official list of all of our community servers';

const SERVERS: readonly Record<string, unknown>[] = [
  { players: 1000, max_players: 1000, password: true },
  {
    server_name: 'W'.repeat(128),
    players: 999_999,
    max_players: 999_999,
    password: true,
    meta: { language: 'W'.repeat(128), [META_KEY]: false },
  },
  { server_name: 'Short', players: 990, max_players: 1000, region: 'eu', tags: ['ranked'] },
  {
    server_name: 'خادم العرب '.repeat(8).trim(),
    players: 900,
    max_players: 1000,
    server_ip: '2001:db8:1:2:3:4:5:6',
  },
];

needs('chromium').describe('the list fits', function () {
  this.timeout(240_000);
  const newPath = useDirectory();
  const service = useService(() => {
    const logo = newPath();
    writeFileSync(logo, LOGO);
    return {
      GSLS_PAGE_CONNECT: 'game://{ip}:{port}',
      GSLS_PAGE_TITLE: TITLE,
      GSLS_PAGE_LOGO: logo,
      GSLS_PAGE_META_FILTERS: `language,${META_KEY}`,
      GSLS_PAGE_EMBED_ORIGINS: '*',
      GSLS_ALLOW_UNLISTED: 'true',
      GSLS_TTL: '3600',
    };
  });
  const browser = useBrowser({ hasScrollbars: true });
  const serve = useForeignPages();

  before(async () => {
    // Enough for a scrollbar.
    for (let n = 0; n < 40; n += 1)
      await service.broadcast({
        server_name: `A server with a name that is too long for any column ${n}`,
        server_ip: '203.0.113.218',
        server_port: 10_000 + n,
        players: n,
        max_players: 1000,
        map: 'a_very_long_map_name_of_a_proud_author',
        mode: 'team deathmatch with friends',
        region: 'Europe (Frankfurt am Main)',
        version: '2.0.0-beta.3+build.20241012',
        tags: ['friendly', 'beginners welcome', 'modded', 'ranked'],
        password: n % 2 === 0,
        ...SERVERS[n],
      });
  });

  /** `query`: of the page. */
  async function openPage(query = ''): Promise<Page> {
    const page = await browser.open(`${service.url}/browse${query}`, {
      viewport: { width: WIDEST, height: HEIGHT },
    });
    await page.locator('table[aria-rowcount] .row').first().waitFor();
    await areRowsWhole(page);
    return page;
  }

  async function openFrame(query = ''): Promise<{ readonly page: Page; readonly frame: Frame }> {
    const html = `<iframe src="${service.url}/browse?embed${query}" style="border: 0; height: ${HEIGHT}px"></iframe>`;
    const page = await browser.open(await serve(html), { viewport: { width: WIDEST + 50, height: HEIGHT } });
    const frame = (await (await page.locator('iframe').elementHandle()).contentFrame())!;
    await frame.locator('table[aria-rowcount] .row').first().waitFor();
    await areRowsWhole(frame);
    return { page, frame };
  }

  it('at every width', async () => {
    expect(await walkPage(await openPage(), WIDTHS)).to.deep.equal([]);
  });

  it('in a frame of every width', async () => {
    expect(await walkFrame(await openFrame(), WIDTHS)).to.deep.equal([]);
  });

  it('in a frame of some columns', async () => {
    for (const columns of ['name', 'map,actions', 'region,version,tags', 'players,mode,address,password']) {
      const framed = await openFrame(`&columns=${columns}&search=0`);
      expect(await walkFrame(framed, SOME_WIDTHS), columns).to.deep.equal([]);
    }
  });

  it('in German', async () => {
    expect(await walkPage(await openPage('?lang=de'), SOME_WIDTHS)).to.deep.equal([]);
    expect(await walkFrame(await openFrame('&lang=de'), SOME_WIDTHS)).to.deep.equal([]);
  });

  it('with type of twice the size', async () => {
    const page = await openPage();
    await withLargeType(page);
    expect(await walkPage(page, SOME_WIDTHS)).to.deep.equal([]);
    const framed = await openFrame();
    await withLargeType(framed.frame);
    expect(await walkFrame(framed, SOME_WIDTHS)).to.deep.equal([]);
  });

  it('with the filters beside it, or in a sheet over its end', async () => {
    const page = await openPage();
    await openFilters(page);
    // The sheet is no more from 1,000 px on.
    expect(await walkPage(page, [...SOME_WIDTHS, 1000, 1020])).to.deep.equal([]);
    await withLargeType(page);
    expect(await walkPage(page, SOME_WIDTHS)).to.deep.equal([]);
    const inGerman = await openPage('?lang=de&map=a_very_long_map_name_of_a_proud_author');
    await openFilters(inGerman);
    expect(await walkPage(inGerman, SOME_WIDTHS)).to.deep.equal([]);
  });

  it('without JavaScript', async () => {
    const page = await browser.open('about:blank');
    await page.route('**/browse/main-*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    );
    await page.goto(`${service.url}/browse`);
    expect(await walkPage(page, SOME_WIDTHS)).to.deep.equal([]);
  });

  it('on a phone with a head of one line, the first row near the top, and what a finger finds', async () => {
    const page = await openPage('?sort=-players');
    await page.setViewportSize({ width: 320, height: HEIGHT });
    const heightOf = (selector: string): Promise<number> =>
      page.locator(selector).evaluate((element) => element.getBoundingClientRect().height);
    expect(await heightOf('.head')).to.be.below(60);
    await page.setViewportSize({ width: 375, height: HEIGHT });
    const full = page.locator('.row .load').filter({ hasText: /^1,000 \/ 1,000/ });
    expect(
      await full.locator('.load-numbers').evaluate((text) => text.scrollWidth - text.clientWidth),
    ).to.equal(0);
    expect(await full.locator('.load-word').textContent()).to.equal(EN.full);
    const top = await page
      .locator('.row')
      .first()
      .evaluate((row) => row.getBoundingClientRect().top);
    expect(top).to.be.at.most(200);
    await openFilters(page);
    const small = await page
      .locator(
        '.head > button, .toolbar :is(.button, .field), .row :is(.copy, .connect), ' +
          '.filter-panel :is(label, button, .field)',
      )
      .evaluateAll((all) =>
        all
          .map((each) => ({ name: each.outerHTML, rect: each.getBoundingClientRect() }))
          .filter(({ rect: { width, height } }) => width > 0 && height < 43.5)
          .map(({ name, rect: { width, height } }) => `${name}: ${width} × ${height}`),
      );
    expect(small).to.deep.equal([]);
  });

  it('and sorts by what it shows alone', async () => {
    const page = await openPage();
    for (const width of [320, 375, 680, 800, 1280]) {
      await page.setViewportSize({ width, height: HEIGHT });
      const columns = (selector: string): Promise<string[]> =>
        page
          .locator(selector)
          .evaluateAll((cells) =>
            cells
              .filter((cell) => cell.getClientRects().length > 0)
              .map((cell) => cell.className.split(' ')[0]!),
          );
      const cells = await columns('.row[data-index="0"] td');
      expect(cells, `${width} px`).to.include.members(await columns('thead th:has(a)'));
    }
  });
});

async function walkPage(page: Page, widths: readonly number[]): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    found.push(...(await layoutFaults(page)).map((fault) => `${width} px: ${fault}`));
  }
  return found;
}

async function walkFrame(
  { page, frame }: { readonly page: Page; readonly frame: Frame },
  widths: readonly number[],
): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.locator('iframe').evaluate((element, px) => {
      (element as HTMLElement).style.width = `${px}px`;
    }, width);
    found.push(...(await layoutFaults(frame)).map((fault) => `${width} px: ${fault}`));
  }
  return found;
}

async function openFilters(page: Page): Promise<void> {
  await page.locator('search button[aria-expanded]').click();
  await page.locator('.filter-panel .facet').nth(4).waitFor();
}

function withLargeType(page: Page | Frame): Promise<void> {
  return page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
}
