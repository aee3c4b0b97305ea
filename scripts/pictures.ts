/**
 * The pictures of the page: light, dark, on a phone, and the overview. `npm run generate -- pictures` writes them to
 * docs/pictures from the built program, with game servers that are always the same. Needs chromium.
 */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { EN } from '../src/page/texts/en.ts';
import { inventServers } from '../src/tools/demo/invent-servers.ts';
import { createRandom } from '../src/tools/demo/random.ts';
import { startChromium } from '../test/page/support/browser.ts';
import { writeHistoryFile } from '../test/page/support/history-file.ts';
import { FONT_STYLE } from '../test/page/support/scenes.ts';
import { startListeningCli } from '../test/support/start-cli.ts';

const FOLDER = fileURLToPath(new URL('../docs/pictures/', import.meta.url));

const WIDE = { width: 1280, height: 640 };
const TALL = { width: 1280, height: 1000 };
const PHONE = { width: 390, height: 780 };

interface Picture extends BrowserContextOptions {
  readonly name: string;
  readonly query?: string;
  /** What is on it when it is done. */
  readonly shows: string;
}

const PICTURES: readonly Picture[] = [
  { name: 'light', shows: 'table[aria-rowcount] .row', viewport: WIDE, colorScheme: 'light' },
  { name: 'dark', shows: 'table[aria-rowcount] .row', viewport: WIDE, colorScheme: 'dark' },
  {
    name: 'phone',
    shows: 'table[aria-rowcount] .row',
    viewport: PHONE,
    colorScheme: 'light',
    isMobile: true,
    hasTouch: true,
  },
  { name: 'overview', query: '?view=overview', shows: '.chart svg', viewport: TALL, colorScheme: 'dark' },
];

const SERVERS = 186;
/** Another seed is another world. */
const SEED = 4;

const now = Date.now();
const servers = inventServers({ count: SERVERS, now, random: createRandom(SEED) }).map(
  ({ fields }) => fields,
);

async function draw(page: Page, url: string, { name, query = '', shows }: Picture): Promise<void> {
  await page.goto(`${url}/browse${query}`);
  await page.locator(shows).first().waitFor();
  await page.addStyleTag({ content: FONT_STYLE });
  await page.getByText(EN.statistics.loadingNumbers).first().waitFor({ state: 'detached' });
  await page.evaluate(() => document.fonts.load("600 16px 'Pictured'"));
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' });
}

const folder = mkdtempSync(join(tmpdir(), 'gsls-pictures-'));
const file = join(folder, 'registry');
const players = servers.reduce((sum, server) => sum + server.players, 0);
writeHistoryFile(file, { now, servers: SERVERS, players });
const service = await startListeningCli(
  ['--data-file', file, '--page-title', 'Ironvale', '--page-connect', 'steam://connect/{ip}:{port}'],
  { GSLS_TTL: '3600' },
);
const browser = await startChromium(['--hide-scrollbars']);
try {
  for (const server of servers)
    await fetch(`${service.url}/broadcast`, { method: 'POST', body: JSON.stringify(server) });
  mkdirSync(FOLDER, { recursive: true });
  for (const picture of PICTURES) {
    const { name: _name, query: _query, shows: _shows, ...look } = picture;
    const context = await browser.newContext({
      locale: 'en-GB',
      timezoneId: 'UTC',
      bypassCSP: true,
      ...look,
    });
    await draw(await context.newPage(), service.url, picture);
    await context.close();
  }
} finally {
  await browser.close();
  await service.stop();
  rmSync(folder, { recursive: true });
}
