/** The result of a fleet for people, in Markdown. */

import { markdownTable, tableOf, type Column } from '../support/table.ts';
import type { SettledPhase } from './fleet.ts';
import type { Durations } from '../support/histogram.ts';
import type { Phase } from './meter.ts';
import type { SiteUse } from './site-meter.ts';
import type { FleetResult } from './result.ts';

const ANSWERS: readonly Column<Phase>[] = [
  ['phase', ({ name }) => name],
  ['s', ({ seconds }) => seconds.toFixed(1)],
  ['pings/s', ({ pings, seconds }) => rate(pings.count, seconds)],
  ['p50/p99/max ms', ({ pings }) => durations(pings)],
  ['broadcasts/s', ({ broadcasts, seconds }) => rate(broadcasts.count, seconds)],
  ['p50/p99/max ms', ({ broadcasts }) => durations(broadcasts)],
  ['late', ({ late }) => late],
  ['errors', errors],
  ['lost', ({ lost }) => lost],
  ['lists', (phase) => (isSettled(phase) ? lists(phase) : '')],
];

const READS_AND_STALLS: readonly Column<Phase>[] = [
  ['phase', ({ name }) => name],
  [
    'lists/s',
    ({ lists: { gzip, plain, notModified }, seconds }) =>
      rate(gzip.count + plain.count + notModified.count, seconds),
  ],
  ['gzip ms', (phase) => durations(phase.lists.gzip)],
  ['plain ms', (phase) => durations(phase.lists.plain)],
  ['304 ms', (phase) => durations(phase.lists.notModified)],
  ['in MB/s', ({ sentBytesPerSecond }) => megabytes(sentBytesPerSecond)],
  ['out MB/s', ({ receivedBytesPerSecond }) => megabytes(receivedBytesPerSecond)],
  [
    'stall (busy, GC) ms',
    ({ stallMs, busyMs, gcMs }) => `${stallMs.toFixed(0)} (${busyMs.toFixed(0)}, ${gcMs.toFixed(0)})`,
  ],
  [
    'Redis ms (calls > 1, > 10 ms)',
    (phase) => `${phase.slowestRedisMs.toFixed(1)} (${phase.slowRedisCalls}, ${phase.verySlowRedisCalls})`,
  ],
];

export function printFleet(result: FleetResult): string {
  const { options, wave, steady, storms, perServer } = result;
  const { servers, replicas, pingIntervalS, changed, readers, readerPauseMs } = options;
  const phases: Phase[] = [wave, steady, ...storms];
  const lines = [
    `${servers} game servers, ${replicas} replicas, a ping every ${pingIntervalS} s ± 10 % (${percent(changed)} change the list), ` +
      `${readers} readers that pause ${readerPauseMs / 1000} s`,
    '',
    ...tableOf(phases, ANSWERS),
    '',
    ...tableOf(phases, READS_AND_STALLS),
    '',
    ...markdownTable(
      ['CPU s (share of a core, + waiting for one), MB', ...phases.map(({ name }) => name)],
      usesOf(phases),
    ),
    '',
    ...tableOf(result.carries, [
      ['one core', ({ part }) => part],
      ['CPU µs a ping', ({ cpuUsAPing }) => cpuUsAPing.toFixed(1)],
      ['carries at 10 s', ({ serversAt10S }) => serversAt10S],
      ['at 30 s', ({ serversAt30S }) => serversAt30S],
    ]),
    '',
    `The CPU of the steady phase, lists and feed included, is charged to its pings.`,
    `Memory a game server: Redis ${bytes(perServer.redisBytes)} (dataset ${bytes(perServer.redisDatasetBytes)}), ` +
      `a replica ${bytes(perServer.replicaHeapBytes)} of heap and buffers, ${bytes(perServer.replicaRssBytes)} of RSS.`,
    `A list: ${megabytes(result.plainListBytes)} MB plain, ${megabytes(result.gzipListBytes)} MB gzip.`,
    ...storms.filter(({ note }) => note !== '').map(({ name, note }) => `${name}: ${note}.`),
    result.nothingLost ? 'Nothing was lost.' : 'LOST: see the columns lost and lists.',
    '',
  ];
  return lines.join('\n');
}

function isSettled(phase: Phase): phase is SettledPhase {
  return 'checks' in phase;
}

function lists({ checks, wellAfterS }: SettledPhase): string {
  const wrong = checks.filter(({ missing, surplus }) => missing + surplus > 0);
  const found =
    wrong.length === 0
      ? 'right'
      : wrong.map((each) => `${each.replica}: ${each.missing} missing, ${each.surplus} surplus`).join('; ');
  return `${found}, ${wellAfterS === undefined ? 'never well' : `well after ${wellAfterS.toFixed(1)} s`}`;
}

function errors({ errors: ofGameServers, readErrors }: Phase): string {
  const texts = Object.entries(ofGameServers).map(([status, count]) => `${count} × ${status}`);
  const read = Object.entries(readErrors).map(([status, count]) => `${count} × ${status} (reading)`);
  return [...texts, ...read].join(', ');
}

/** For each process its CPU, its waits for a core and its memory, in each phase. */
function usesOf(phases: readonly SiteUse[]): string[][] {
  return phases[0]!.parts.map(({ name }, part) => [
    name,
    ...phases.map(({ parts }) => {
      const { cpuS, share, waitShare, rssBytes } = parts[part]!;
      return `${cpuS.toFixed(1)} (${percent(share)} + ${percent(waitShare)}), ${megabytes(rssBytes, 0)}`;
    }),
  ]);
}

function durations({ count, p50Ms, p99Ms, maxMs }: Durations): string {
  return count === 0 ? '' : [p50Ms, p99Ms, maxMs].map((ms) => ms.toFixed(ms < 10 ? 1 : 0)).join('/');
}

function rate(count: number, seconds: number): string {
  return (count / seconds).toFixed(0);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

function bytes(value: number): string {
  return `${value.toFixed(0)} bytes`;
}

function megabytes(value: number, digits = 1): string {
  return (value / 1e6).toFixed(digits);
}
