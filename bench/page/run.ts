/**
 * `npm run bench -- page`: the page in a headless Chromium that is slowed four times, before the built service with
 * 10,000 game servers. Says what the first view costs, how long frames, filters and orders take, and what 1,000 changes
 * a second do.
 */

import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from '../../test/support/ask.ts';
import { countViolations } from '../../test/page/support/axe.ts';
import { Poster } from '../support/game-servers.ts';
import { median, spreadOf } from '../support/median.ts';
import { readOptions } from '../support/options.ts';
import { atPace } from '../support/pace.ts';
import { startService, type Service } from '../support/processes.ts';
import type { Listed } from '../support/requests.ts';
import { lookAtFirstScreen } from './first-screen.ts';
import { MeasuredPage, type Memory, type SteadyScroll } from './measured-page.ts';
import { PLAIN_ROWS, timePlainPage } from './plain-page.ts';
import { markdownTable, printResult } from '../support/table.ts';

const options = readOptions('page', {
  count: [10_000, 'how many game servers are listed'],
  changes: [1000, 'a second, while the page follows them'],
  rounds: [5, 'each with a browser of its own; the table has their medians'],
  minutes: [1, 'how long the page follows the changes'],
  slowdown: [4, 'how many times the browser slows the main thread of the page, but not its worker'],
  json: [false, 'for programs'],
});
const { count, changes, rounds, minutes, slowdown } = options;

const BUILT = new URL('../../dist/page/', import.meta.url);
/** The list passes by in some seconds. */
const SCROLL_FRAMES = 300;
/** As a hand at a wheel scrolls, for some seconds. */
const STEADY_PX = 300;
/** As one who reads the names scrolls. */
const READING_PX = 60;
const CONNECT = 'steam://connect/{ip}:{port}';
const SAMPLES = 10;
const MOST_PLAYERS = 64;
const KB = 1000;
const MB = 1e6;
/** Heaps of the same content differ by so much. */
const FLAT = 1.1;

interface Line {
  readonly name: string;
  readonly unit: 'ms' | '%' | 'kB' | 'MB' | '×' | 'px' | '';
  /** At most; undefined where nothing is asked for. */
  readonly goal?: number;
  /** The median of the rounds, and all of them. */
  readonly measured: number;
  readonly rounds: readonly number[];
}

function line(name: string, unit: Line['unit'], all: readonly number[], goal?: number): Line {
  return { name, unit, ...(goal !== undefined && { goal }), measured: median(all), rounds: all };
}

interface Round {
  readonly rows: number;
  readonly usable: number;
  readonly frame: number;
  readonly median: number;
  readonly empty: number;
  readonly sort: number;
  readonly search: number;
}

async function playRound({ url }: Service): Promise<Round> {
  const page = await MeasuredPage.open(slowdown);
  try {
    const { rowsMs, usableMs } = await page.start(`${url}/browse`, count);
    const frame = await page.scrollThrough(SCROLL_FRAMES);
    const read = await page.scrollSteadily(READING_PX, SCROLL_FRAMES);
    const sort = median([
      await page.sortBy('name'),
      await page.sortBy('region'),
      await page.sortBy('players'),
    ]);
    const search = median([
      await page.search('number 5'),
      await page.search('number 77'),
      await page.search(''),
    ]);
    return {
      rows: rowsMs,
      usable: usableMs,
      frame,
      median: read.medianMs,
      empty: read.empty,
      sort,
      search,
    };
  } finally {
    await page.close();
  }
}

/** Pings at the pace of the changes, until the returned function is called. */
function keepChanging(poster: Poster, listed: readonly Listed[]): () => void {
  return atPace(changes, () => {
    const one = listed[Math.floor(Math.random() * listed.length)]!;
    poster.ping(one, Math.floor(Math.random() * MOST_PLAYERS)).catch(() => undefined);
  });
}

/**
 * The share of the main thread in each part of the time, and what the memory came to. The browser slows a thread by
 * letting it spin, also while it is idle: so its CPU is measured without that, and multiplied.
 */
async function follow(service: Service, poster: Poster, listed: readonly Listed[]): Promise<readonly Line[]> {
  const page = await MeasuredPage.open(1);
  await page.start(`${service.url}/browse`, count);
  const stop = keepChanging(poster, listed);
  const shares: number[] = [];
  const memory: Memory[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const [workedMs, at] = [await page.workedMs(), performance.now()];
    await delay((60_000 * minutes) / SAMPLES);
    shares.push((100 * slowdown * ((await page.workedMs()) - workedMs)) / (performance.now() - at));
    memory.push(await page.memory());
  }
  stop();
  await page.close();
  const growth = (key: keyof Memory): number => {
    const all = memory.map((each) => each[key]);
    return median(all.slice(SAMPLES / 2)) / median(all.slice(0, SAMPLES / 2));
  };
  return [
    line(`${changes} changes/s: main thread`, '%', shares, 15),
    line(`… heap of the main thread, second half against the first`, '×', [growth('heapBytes')], FLAT),
    line(`… memory of the process with the worker, likewise`, '×', [growth('rssBytes')], FLAT),
    line(
      `… heap of the main thread`,
      'MB',
      memory.map(({ heapBytes }) => heapBytes / MB),
    ),
    line(
      `… memory of the process`,
      'MB',
      memory.map(({ rssBytes }) => rssBytes / MB),
    ),
  ];
}

/** What a browser has to load, as the service sends it. */
async function weigh(service: Service): Promise<readonly Line[]> {
  const bytesOf = async (path: string): Promise<number> =>
    (await ask(service, `GET ${path}`, { headers: { 'Accept-Encoding': 'gzip' } })).bytes.length;
  const built = readdirSync(BUILT).filter((name) => /\.(?:js|css)$/.test(name));
  let scripts = 0;
  for (const name of built) scripts += await bytesOf(`/browse/${name}`);
  return [
    line('page: all scripts and styles, gzip', 'kB', [scripts / KB], 60),
    line('first answer: HTML with the first rows, gzip', 'kB', [(await bytesOf('/browse')) / KB], 30),
    line('the whole list behind it, gzip', 'kB', [(await bytesOf('/changes')) / KB]),
  ];
}

/** How the list scrolls while it changes. */
async function scrollWhileItChanges(
  service: Service,
  poster: Poster,
  listed: readonly Listed[],
): Promise<readonly Line[]> {
  const stop = keepChanging(poster, listed);
  const scrolled: SteadyScroll[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const page = await MeasuredPage.open(slowdown);
    await page.start(`${service.url}/browse`, count);
    scrolled.push(await page.scrollSteadily(STEADY_PX, SCROLL_FRAMES));
    await page.close();
  }
  stop();
  const all = (key: keyof SteadyScroll): number[] => scrolled.map((round) => round[key]);
  const name = `${changes} changes/s, ${SCROLL_FRAMES} frames of ${STEADY_PX} px`;
  return [
    line(`${name}: frames over 50 ms`, '', all('slow'), 0),
    line('… without any row', '', all('empty'), 0),
    line('… without some of their rows', '', all('partial')),
  ];
}

/** The goals of the first screen, of which a designer would ask. */
async function lookOnce(): Promise<readonly Line[]> {
  const service = await startService({
    flags: ['--ttl=86400', '--log-level=warn', `--page-connect=${CONNECT}`],
  });
  const seen = await lookAtFirstScreen(service);
  await service.stop();
  return [
    line('names cut at 1,280 px', '%', [seen.cutNames], 3),
    line('targets on the first screen', '', [seen.targets], 36),
    line('bordered boxes on it', '', [seen.boxes], 6),
    line('the first row begins at', 'px', [seen.firstRow], 165),
    line('layout shift at the start', '', [seen.shift], 0.001),
    line('rows moved by changes under the pointer', 'px', [seen.heldMove], 0),
  ];
}

async function pssOf({ url }: Service, servers: number): Promise<number> {
  const page = await MeasuredPage.open(1);
  await page.start(`${url}/browse`, servers);
  const { pssBytes } = await page.memory();
  await page.close();
  return pssBytes;
}

/** What the list costs a browser, beside a list of one. */
async function weighList(service: Service): Promise<Line> {
  const other = await startService({ flags: ['--ttl=86400', '--log-level=warn'] });
  await new Poster(other.url).list(1);
  const all: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    all.push(((await pssOf(service, count)) - (await pssOf(other, 1))) / MB);
  await other.stop();
  return line(`memory: a page of ${count} less a page of one (PSS of all its processes)`, 'MB', all, 80);
}

async function measure(): Promise<readonly Line[]> {
  const service = await startService({ flags: ['--ttl=86400', '--log-level=warn'] });
  const poster = new Poster(service.url);
  const listed = await poster.list(count);
  const played: Round[] = [];
  for (let round = 0; round < rounds; round += 1) played.push(await playRound(service));
  const all = (key: keyof Round): number[] => played.map((round) => round[key]);
  const lines = [
    line('first rows visible', 'ms', all('rows'), 800),
    line('all usable', 'ms', all('usable'), 1600),
    line(`scrolling ${count} rows in ${SCROLL_FRAMES} frames: longest`, 'ms', all('frame'), 50),
    line('sort, to the new rows', 'ms', all('sort'), 80),
    line('search, to the new rows', 'ms', all('search'), 80),
    line(`scrolling ${READING_PX} px a frame: median`, 'ms', all('median'), 17),
    line('… frames without any row', '', all('empty'), 0),
    ...(await scrollWhileItChanges(service, poster, listed)),
    ...(await lookOnce()),
    ...(await weigh(service)),
    await weighList(service),
    line(
      `the page before its script: CPU of the service for ${PLAIN_ROWS} rows`,
      'ms',
      await timePlainPage(service.url),
      5,
    ),
    ...(await follow(service, poster, listed)),
    line('axe-core: violations', '', [await countViolations(`${service.url}/browse`)], 0),
  ];
  await service.stop();
  return lines;
}

function printLines(lines: readonly Line[]): string {
  const body = lines.map(({ name, unit, goal, measured, rounds: all }) => {
    const show = (value: number): string => `${+value.toPrecision(3)} ${unit}`.trim();
    const { min, max } = spreadOf(all);
    const isReached = goal !== undefined && measured <= goal;
    return [
      name,
      goal === undefined ? '' : `≤ ${show(goal)}`,
      show(measured) + (all.length === 1 ? '' : ` (${+min.toPrecision(3)}..${+max.toPrecision(3)})`),
      goal === undefined ? '' : isReached ? '✓' : '✗',
    ];
  });
  const head = `${count} game servers, slowed ${slowdown} times, ${minutes} min of changes; medians (least..most)`;
  return [head, '', ...markdownTable(['case', 'goal', 'measured', ''], body), ''].join('\n');
}

const lines = await measure();
printResult(options.json, lines, () => printLines(lines));
process.exit(0);
