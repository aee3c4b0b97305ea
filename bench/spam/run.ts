/**
 * `npm run bench:spam`: a spammer with many addresses against honest game servers, at three replicas and a real Redis.
 * Says what is listed meanwhile, how long the honest wait, and what it costs.
 */

import { usesOf } from '../fleet/table.ts';
import type { Durations } from '../support/histogram.ts';
import { readOptions } from '../support/options.ts';
import { markdownTable, printResult } from '../support/table.ts';
import type { SpamPhase } from './spam-meter.ts';
import { runSpam, type SpamOptions, type SpamResult } from './spam-run.ts';

const values = readOptions('bench:spam', {
  honest: [
    10_000,
    'game servers, each with an address and a token of its own; the TTL is three ping intervals',
  ],
  'ping-interval': [20, 's between their pings'],
  addresses: [200, 'of the spammer, every other one an IPv6 /64'],
  broadcasts: [1_000_000, 'that it sends, as fast as they are answered; it also pings what it got listed'],
  connections: [48, 'its broadcasts under way at a time; its process leaves the cores to the others'],
  quota: [10, 'the --max-servers-per-address of the replicas'],
  'rate-limit': ['', 'their --rate-limit, such as broadcast=30/m'],
  calm: [30, 's that the honest alone are measured, before and afterwards'],
  json: [false, 'for programs'],
});

const MIB = 2 ** 20;

function printSpam({ options, phases, isHeld }: SpamResult): string {
  const { honest, pingIntervalS, addresses, broadcasts, connections, quota, rateLimit } = options;
  const limits = `--max-servers-per-address=${quota}${rateLimit === '' ? '' : ` --rate-limit=${rateLimit}`}`;
  return [
    `${honest} honest game servers that ping every ${pingIntervalS} s; a spammer with ${addresses} addresses and ` +
      `${broadcasts} broadcasts, ${connections} at a time; 3 replicas with ${limits}`,
    '',
    ...markdownTable(
      ['processes: CPU s (share of a core, + waiting for one), MB', ...phases.map(({ name }) => name)],
      rowsOf(phases),
    ),
    '',
    isHeld
      ? `Every list had all ${honest} honest game servers, and at most ${quota * addresses} of the spammer.`
      : 'FAILED: a list missed an honest game server, or had too many of the spammer.',
    '',
  ].join('\n');
}

function rowsOf(phases: readonly SpamPhase[]): string[][] {
  const row = (name: string, cell: (phase: SpamPhase) => string): string[] => [name, ...phases.map(cell)];
  return [
    row('seconds', ({ seconds }) => seconds.toFixed(0)),
    row('honest listed, least..most', ({ honest }) => honest.join('..')),
    row('spam listed, least..most', ({ spam }) => spam.join('..')),
    row('broadcasts of spam a second', ({ broadcasts, seconds }) => (broadcasts.count / seconds).toFixed(0)),
    row('broadcasts of spam, p50 / p99 / max ms', ({ broadcasts }) => delays(broadcasts)),
    row('honest pings a second', ({ pings, seconds }) => (pings.count / seconds).toFixed(0)),
    row('honest pings, p50 / p99 / max ms', ({ pings }) => delays(pings)),
    row('lists, p50 / p99 / max ms', ({ lists }) => delays(lists)),
    row('lists that failed', ({ failedLists }) => String(failedLists)),
    row('memory of Redis, MiB (keys)', ({ redisBytes, redisKeys }) => `${mib(redisBytes)} (${redisKeys})`),
    row('heap of a replica, MiB', ({ heapBytes }) => mib(heapBytes)),
    row(
      'longest stall of a replica (busy), ms',
      ({ stallMs, busyMs }) => `${stallMs.toFixed(0)} (${busyMs.toFixed(0)})`,
    ),
    ...usesOf(phases).map(([name, ...cells]) => [`${name}: CPU s (share, + waiting), MB`, ...cells]),
    row('refusals of the honest', ({ honestRefusals }) => refusals(honestRefusals)),
    row('refusals of spam', ({ spamRefusals }) => refusals(spamRefusals)),
  ];
}

const delays = ({ count, p50Ms, p99Ms, maxMs }: Durations): string =>
  count === 0 ? '' : [p50Ms, p99Ms, maxMs].map((ms) => ms.toFixed(1)).join(' / ');
const mib = (bytes: number): string => (bytes / MIB).toFixed(1);
const refusals = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ') || 'none';

const { 'ping-interval': pingIntervalS, 'rate-limit': rateLimit, calm: calmS, json, ...others } = values;
const options: SpamOptions = { ...others, pingIntervalS, rateLimit, calmS };

const isTerminal = process.stderr.isTTY;
const result = await runSpam(options, (line) => {
  if (isTerminal) process.stderr.write(`\r${line}   `);
});
if (isTerminal) process.stderr.write('\n');
printResult(json, result, () => printSpam(result));
process.exit(result.isHeld ? 0 : 1);
