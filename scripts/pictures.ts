/**
 * The pictures of the page: light, dark, on a phone, and the overview. `npm run pictures` writes them to docs/pictures from
 * the built program, with game servers that are always the same. Needs chromium.
 */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { EN } from '../src/page/texts/en.ts';
import { startChromium } from '../test/page/support/browser.ts';
import { writeHistoryFile } from '../test/page/support/history-file.ts';
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

const CITIES = [
  ['Frankfurt', 'eu'],
  ['Stockholm', 'eu'],
  ['Paris', 'eu'],
  ['Warszawa', 'eu'],
  ['New York', 'na'],
  ['Montréal', 'na'],
  ['Dallas', 'na'],
  ['São Paulo', 'sa'],
  ['Santiago', 'sa'],
  ['Tokyo', 'asia'],
  ['Seoul', 'asia'],
  ['دبي', 'asia'],
  ['Sydney', 'oce'],
] as const;
const MAPS = ['Harbour', 'Old Mill', 'Glacier', 'Monorail', 'Dust Bowl', 'Cathedral', 'Orchard'];
const KINDS = [
  ['Ranked', 'duel', ['ranked', 'anticheat']],
  ['All maps, all night', 'team', ['friendly', 'beginners']],
  ['Capture the flag', 'ctf', ['friendly']],
  ['Hardcore', 'survival', ['hardcore', 'modded', 'pvp']],
  ['Build together', 'creative', ['modded', 'family']],
] as const;
const VERSIONS = ['2.4.1', '2.4.1', '2.4.1', '2.4.0', '2.5.0'];
const SERVERS = 186;

function pick<T>(items: readonly T[], n: number): T {
  return items.at(n % items.length)!;
}

/** The fields of a broadcast. */
function serverNumber(n: number): Record<string, unknown> & { readonly players: number } {
  const [city, region] = pick(CITIES, 5 * n);
  const [kind, mode, tags] = pick(KINDS, Math.floor((n * 37) / 11));
  const places = pick([16, 24, 32, 48, 64], Math.floor((n * 29) / 7));
  return {
    server_host: `g${n}.ironvale.example`,
    server_name: `${city} ${1 + Math.floor(n / CITIES.length)} · ${kind}`,
    server_port: 27_015 + (n % 8),
    server_ip: `203.0.113.${n % 250}`,
    players: n < 4 ? places - (n % 3) : Math.floor((((n * 7919) % 1000) ** 2 / 1e6) * places),
    max_players: places,
    map: pick(MAPS, 11 * n),
    mode,
    region,
    version: pick(VERSIONS, Math.floor(n / 3)),
    password: n % 9 === 4,
    tags,
  };
}

const servers = Array.from({ length: SERVERS }, (_, n) => serverNumber(n));

async function draw(page: Page, url: string, { name, query = '', shows }: Picture): Promise<void> {
  await page.goto(`${url}/browse${query}`);
  await page.locator(shows).first().waitFor();
  await page.getByText(EN.statistics.loadingNumbers).first().waitFor({ state: 'detached' });
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' });
}

const folder = mkdtempSync(join(tmpdir(), 'gsls-pictures-'));
const file = join(folder, 'registry');
const players = servers.reduce((sum, server) => sum + server.players, 0);
writeHistoryFile(file, { now: Date.now(), servers: SERVERS, players });
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
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...look });
    await draw(await context.newPage(), service.url, picture);
    await context.close();
  }
} finally {
  await browser.close();
  await service.stop();
  rmSync(folder, { recursive: true });
}
