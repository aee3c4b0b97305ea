/**
 * The page as pictures: the same game servers, font, time and sizes on each machine. The test compares them with those
 * of the repository, and `npm run generate -- page-pictures` draws these anew.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { EN } from '../../../src/page/texts/en.ts';
import { createPast } from '../../../src/tools/demo/past.ts';
import { inventServers } from '../../../src/tools/demo/invent-servers.ts';
import type { Fields } from '../../../src/tools/demo/invented-server.ts';
import { createRandom } from '../../../src/tools/demo/random.ts';
import { ask } from '../../support/ask.ts';
import { serverBehind } from '../../support/server-behind.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { startChromium } from './browser.ts';
import { areRowsWhole, isLive } from './seen-list.ts';

/** Where the pictures of the repository are. */
export const PICTURES = new URL('../pictures/', import.meta.url);

const SIZES = [
  { width: 375, height: 740 },
  { width: 768, height: 900 },
  { width: 1280, height: 800 },
  { width: 1720, height: 900 },
];
/** The size of the pictures in dark. */
const DARK_SIZE = SIZES[2]!;
const NOW = Date.parse('2026-06-01T18:30:00Z');
const HOUR_MS = 3_600_000;
const MOST = 40;
/** Another seed is another world. */
const SEED = 4;
const LATIN = /^[\x20-\x7E]+$/;

/** All names in the letters of the font, and no two in one place of the order. */
function servers(): readonly Fields[] {
  const invented = inventServers({ count: 400, now: NOW, random: createRandom(SEED) });
  const places = new Map<string, Fields>();
  for (const { fields } of invented) {
    if (!LATIN.test([fields.server_name, ...fields.tags].join(' '))) continue;
    const place = fields.players === 0 ? 'empty' : `${fields.players} ${hasPlace(fields)}`;
    if (!places.has(place)) places.set(place, fields);
  }
  return [...places.values()].slice(0, MOST);
}

function hasPlace({ players, max_players: places }: Fields): boolean {
  return players < places;
}

const FONT = readFileSync(
  createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
).toString('base64');

/** One font everywhere, and without scroll bars no room for them. */
export const FONT_STYLE = `
  @font-face {
    font-family: 'Pictured';
    src: url(data:font/woff2;base64,${FONT});
    font-weight: 100 900;
  }
  :root { --font: 'Pictured', sans-serif; scrollbar-gutter: auto }
`;

/** Nothing moves; and what is another one each time is not seen. */
const STYLE = `${FONT_STYLE}
  *, ::before, ::after { animation: none !important; transition: none !important; caret-color: transparent !important }
  time, .server-id { visibility: hidden }
  .bottom-note p { inline-size: 20rem; block-size: 1.25rem; overflow: hidden; color: transparent !important }
`;

interface Scene {
  readonly name: string;
  readonly path: (id: string) => string;
  /** What is there when it is drawn. */
  readonly shows: string;
  /** What has to be there again in each size, as panels that come or go load it anew. */
  readonly needs?: string;
  /** What happens before. */
  readonly act?: (page: Page, change: Change) => Promise<void>;
  readonly after?: (change: Change) => Promise<void>;
}

/** What becomes of the service. */
interface Change {
  /** A game server in view leaves, and is listed again. */
  readonly leave: () => Promise<void>;
  readonly comeBack: () => Promise<void>;
  readonly goOffline: () => Promise<void>;
}

const ROWS = 'table[aria-rowcount] .row .map';

const SCENES: readonly Scene[] = [
  { name: 'list', path: () => '', shows: ROWS },
  {
    name: 'panels',
    path: (id) => `/${id}?list&full=false`,
    shows: ROWS,
    needs: '.server-history .chart',
    async act(page) {
      // On a narrow page the details lie over the button.
      await page.locator('.toolbar [aria-expanded]').evaluate((button: HTMLElement) => button.click());
      await page
        .locator('.filter-panel .facet-value, .filter-panel label')
        .nth(6)
        .waitFor({ state: 'attached' });
    },
  },
  { name: 'server', path: (id) => `/${id}`, shows: '.server-page .fields', needs: '.server-history .chart' },
  {
    name: 'overview',
    path: () => '?view=overview',
    shows: '.chart path.chart-line',
    needs: '.value-tables td',
  },
  {
    name: 'held',
    path: () => '',
    shows: ROWS,
    async act(page, { leave }) {
      await page.mouse.move(160, 400);
      await page.locator('.row:hover').waitFor();
      await leave();
      await page.locator('.row.is-gone').waitFor();
    },
    after: ({ comeBack }) => comeBack(),
  },
  {
    name: 'offline',
    path: () => '?q=no+such+server',
    shows: '.note',
    async act(page, { goOffline }) {
      await page.locator('.note .button').getByText(EN.servers(MOST)).waitFor();
      await goOffline();
      await page.getByRole('button', { name: EN.feed.retry }).waitFor();
    },
  },
];

/** Draws all pictures, one after the other: `take` gets each with its name. */
export async function drawScenes(
  take: (name: string, png: Buffer, page: Page) => Promise<void>,
): Promise<void> {
  const service = await startTestService({
    GSLS_TTL: '3600',
    GSLS_PAGE_TITLE: 'Ironvale',
    GSLS_PAGE_CONNECT: 'steam://connect/{ip}:{port}',
    GSLS_FEED_INTERVAL: '100',
  });
  const broadcast = async (body: Fields): Promise<string> => {
    const { body: answer } = await ask(service, 'POST /broadcast', { body });
    return answer.server_id!;
  };
  const all = servers();
  const ids: string[] = [];
  for (const body of all) ids.push(await broadcast(body));
  const open = ids[5]!;
  // The second of those that have a place, so it is in view.
  const leaving = all.indexOf(all.filter(hasPlace).toSorted((one, other) => other.players - one.players)[1]!);
  const change: Change = {
    async leave() {
      await ask(service, 'POST /remove', { body: { ...all[leaving], server_id: ids[leaving] } });
    },
    async comeBack() {
      ids[leaving] = await broadcast(all[leaving]!);
    },
    async goOffline() {
      const server = await serverBehind(service);
      const closed = service.close();
      server.closeAllConnections();
      await closed;
    },
  };
  const browser = await startChromium([
    '--hide-scrollbars',
    '--font-render-hinting=none',
    '--disable-lcd-text',
  ]);
  try {
    for (const { name, path, shows, needs, act, after } of SCENES) {
      const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', bypassCSP: true });
      const page = await context.newPage();
      await page.clock.setFixedTime(NOW);
      await page.route('**/history?*', (route) => route.fulfill({ json: history() }));
      await page.route('**/servers/*/history', (route) => route.fulfill({ json: serverHistory(open) }));
      await page.setViewportSize(SIZES[0]!);
      await page.goto(`${service.url}/browse${path(open)}`);
      await page.addStyleTag({ content: STYLE });
      await page.locator(shows).first().waitFor();
      await isLive(page);
      await page.evaluate(() => document.fonts.load("600 16px 'Pictured'"));
      await act?.(page, change);
      const draw = async (picture: string, size: (typeof SIZES)[number]): Promise<void> => {
        await page.setViewportSize(size);
        await settle(page);
        if (needs !== undefined) await page.locator(needs).first().waitFor({ state: 'attached' });
        await settle(page);
        await take(picture, await page.screenshot(), page);
      };
      for (const size of SIZES) await draw(`${name}-${size.width}`, size);
      await page.emulateMedia({ colorScheme: 'dark' });
      await draw(`${name}-${DARK_SIZE.width}-dark`, DARK_SIZE);
      await context.close();
      await after?.(change);
    }
  } finally {
    await browser.close();
    await service.close();
  }
}

/** What the page puts off until it is drawn is done. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 6; frame += 1) await new Promise(requestAnimationFrame);
  });
  await areRowsWhole(page);
}

/** A day of a game server, of which two hours are unknown. */
function serverHistory(id: string): unknown {
  const hours = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => hour !== 9 && hour !== 10);
  return {
    status: 'success',
    id,
    points: hours.map((hour) => ({
      time: new Date(NOW - (NOW % HOUR_MS) - (23 - hour) * HOUR_MS).toISOString(),
      step: 'hour',
      players: Math.round(16 + 14 * Math.sin(hour / 4)),
      peak_players: Math.round(20 + 16 * Math.sin(hour / 4)),
      uptime: 1,
    })),
    uptime: 0.9983,
  };
}

/** Two days of a community, as the API tells them. */
function history(): unknown {
  const { minute } = createPast({ now: NOW, days: 2, servers: MOST, players: 500 });
  return {
    status: 'success',
    step: 'minute',
    points: minute.map(({ time, players, peak, servers: count }) => ({
      time: new Date(time).toISOString(),
      servers: count,
      players,
      peak_players: peak,
    })),
  };
}
