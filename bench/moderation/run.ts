/**
 * `npm run bench -- moderation`: what a moderator waits for in a long list, and how long pings take beside it. And what
 * the reports of a crowd take of memory.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { printFigures, progress, type Figure } from '../support/figures.ts';
import { Poster } from '../support/game-servers.ts';
import { median } from '../support/median.ts';
import { readOptions } from '../support/options.ts';
import { pingFor } from '../support/ping-times.ts';
import { startService, type Service } from '../support/processes.ts';

const options = readOptions('moderation', {
  servers: [100_000, 'game servers'],
  reports: [10_000, 'reports, from 200 addresses in 50 networks, against 100 game servers'],
  pings: [1000, 'pings a second beside it'],
  rounds: [3, 'of each measurement, of which the median counts'],
  seconds: [10, 'each measurement lasts'],
  json: [false, 'for programs'],
});
const { servers, pings, rounds, seconds } = options;

const ADMIN_KEY = 'key-of-the-moderator';
const PINGED = 1000;

interface Asked {
  readonly name: string;
  readonly path: string;
  readonly body?: object;
  readonly goal: string;
}

/** Asks over and over until it is over; resolves with the median time of an answer in ms. */
async function askUntil(signal: AbortSignal, { url }: Service, { path, body }: Asked): Promise<number> {
  const took: number[] = [];
  while (!signal.aborted) {
    const from = performance.now();
    const answer = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      // This process also measures the pings: it unpacks nothing meanwhile.
      headers: {
        Authorization: `Bearer ${ADMIN_KEY}`,
        'Accept-Encoding': 'identity',
        'Content-Type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
    took.push(performance.now() - from);
    await delay(50);
  }
  return median(took);
}

async function measureAnswers(service: Service): Promise<Figure[]> {
  progress(`${servers} game servers`);
  const listed = await new Poster(service.url).list(servers);
  const { id } = listed[0]!;
  const cases: readonly Asked[] = [
    { name: 'a preview by a name', path: '/admin/preview', body: { name: '*7*', of: id }, goal: '≤ 1000' },
    {
      name: 'a preview by a network',
      path: '/admin/preview',
      body: { address: '127.0.0.0/8' },
      goal: '≤ 1000',
    },
    { name: 'one entry with its neighbours', path: `/admin/servers/${id}`, goal: '' },
    { name: 'the first 100 entries', path: '/admin/servers?sort=-players', goal: '' },
  ];
  const figures: Figure[] = [];
  for (const asked of cases) {
    const [alone, beside, answers]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < rounds; round += 1) {
      progress(`${asked.name}, round ${round + 1} of ${rounds}`);
      alone.push(await pingFor(service.url, listed.slice(0, PINGED), seconds, pings));
      const over = new AbortController();
      const asking = askUntil(over.signal, service, asked);
      beside.push(await pingFor(service.url, listed.slice(0, PINGED), seconds, pings));
      over.abort();
      answers.push(await asking);
    }
    const ratio = median(beside) / median(alone);
    figures.push(
      { name: `${asked.name}, ms`, value: median(answers).toFixed(0), goal: asked.goal },
      {
        name: `… p99 of ${pings} pings a second beside it, ms (times alone)`,
        value: `${median(beside).toFixed(1)} (${ratio.toFixed(2)})`,
        goal: '≤ 2 ×',
      },
    );
  }
  return figures;
}

const flags = ['--log-level=warn', '--ttl=86400', `--admin-key=${ADMIN_KEY}`];

async function measureReports(): Promise<Figure> {
  progress(`${options.reports} reports`);
  const reported = ['--report-reasons=spam', '--trust-proxy=loopback', '--rate-limit=report=1000000/m'];
  const service = await startService({ flags: [...flags, ...reported], isProbed: true });
  const listed = await new Poster(service.url).list(100);
  const before = await service.probe('collect');
  for (let n = 0; n < options.reports; n += 1) {
    const address = n % 200;
    const answer = await fetch(`${service.url}/report`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `10.0.${address % 50}.${address}` },
      body: JSON.stringify({ id: listed[Math.floor(n / 200) % 100]!.id, reason: 'spam' }),
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`a report was answered with ${answer.status}`);
  }
  const after = await service.probe('collect');
  await service.stop();
  const kB = (after.heapBytes - before.heapBytes) / 1000;
  return { name: 'the heap for these reports, kB', value: kB.toFixed(0), goal: '≤ 10000' };
}

const service = await startService({ flags, isProbed: true });
const figures = await measureAnswers(service);
await service.stop();
figures.push(await measureReports());
printFigures(options.json, figures);
process.exit(0);
