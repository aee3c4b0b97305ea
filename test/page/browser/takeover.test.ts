/** The moment when the script takes the place of the page that the service has drawn: nothing on it moves. */

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';
import { useBrowser } from '../support/browser.ts';

/** How far something may be from where it was. A part of a pixel may be rounded. */
const MOST_PX = 1;
const HEIGHT = 800;

interface Place {
  readonly top: number;
  readonly left: number;
  readonly height: number;
}

/** The places of the first row and its cells, of what is above it, and of the row at the end of what is seen. */
function placesIn(page: Page): Promise<Readonly<Record<string, Place>>> {
  return page.evaluate(() => {
    const row = document.querySelector('.row')!;
    const seen = {
      head: document.querySelector('header'),
      notice: document.querySelector('.notice'),
      search: document.querySelector('#search'),
      'head of the table': document.querySelector('thead'),
      row,
      ...Object.fromEntries([...row.children].map((cell) => [`the ${cell.className} of it`, cell])),
      name: row.querySelector('.name a'),
      'tenth row': document.querySelectorAll('.row')[9],
    };
    return Object.fromEntries(
      Object.entries(seen).map(([name, element]) => {
        const { top, left, height } = element!.getBoundingClientRect();
        return [name, { top, left, height }];
      }),
    );
  });
}

/** What has moved, from what the service has drawn to what the script has. */
async function movedIn(page: Page, url: string): Promise<readonly string[]> {
  let takeOver!: () => void;
  const mayTakeOver = new Promise<void>((resolve) => {
    takeOver = resolve;
  });
  await page.route('**/browse/worker-*.js', async (route) => {
    await mayTakeOver;
    await route.continue();
  });
  await page.goto(url);
  await page.locator('.plain .row').first().waitFor();
  const before = await placesIn(page);
  takeOver();
  await page.locator('table[aria-rowcount] .row').nth(9).waitFor();
  const after = await placesIn(page);
  return Object.keys(before)
    .filter((name) =>
      (['top', 'left', 'height'] as const).some(
        (side) => Math.abs(before[name]![side] - after[name]![side]) > MOST_PX,
      ),
    )
    .map((name) => `${name}: ${JSON.stringify(before[name])} became ${JSON.stringify(after[name])}`);
}

needs('chromium').describe('when the script takes over, nothing moves', () => {
  const service = useService({
    GSLS_PAGE_TITLE: 'Ironvale',
    GSLS_PAGE_NOTICE: 'We move on Sunday.',
    GSLS_PAGE_CONNECT: 'steam://connect/{ip}:{port}',
    GSLS_ALLOW_UNLISTED: 'true',
    GSLS_TTL: '3600',
  });
  const browser = useBrowser({ hasScrollbars: true });

  before(async () => {
    for (let n = 0; n < 40; n += 1)
      await service.broadcast({
        server_name: `Number ${n} of many, and with a long name`,
        server_port: 1000 + n,
        players: n,
        map: 'de_dust2',
        region: 'eu',
        tags: ['ranked', 'modded', 'friendly'],
        password: n % 2 === 0,
      });
  });

  for (const width of [320, 375, 768, 1280])
    for (const query of ['', '?lang=de&q=many&region=eu', '?embed'])
      it(`at ${width} px${query && `, of ${query}`}`, async () => {
        const page = await browser.open('about:blank', { viewport: { width, height: HEIGHT } });
        expect(await movedIn(page, `${service.url}/browse${query}`)).to.deep.equal([]);
      });
});
