/** The result of a fleet for people, in Markdown. */

import { markdownTable } from '../support/table.ts';
import type { SettledPhase } from './fleet.ts';
import type { Durations } from '../support/histogram.ts';
import type { Phase } from './meter.ts';
import type { SiteUse } from './site-meter.ts';
import type { FleetResult } from './result.ts';

export function printFleet(result: FleetResult): string {
  const { options, wave, steady, storms, perServer } = result;
  const { servers, replicas, pingIntervalS, changed, readers, readerPauseMs } = options;
  const phases: Phase[] = [wave, steady, ...storms];
  const lines = [
    `${servers} game servers, ${replicas} replicas, a ping every ${pingIntervalS} s ± 10 % (${percent(changed)} change the list), ` +
      `${readers} readers that pause ${readerPauseMs / 1000} s`,
    '',
    ...markdownTable(
      [
        'phase',
        's',
        'pings/s',
        'p50/p99/max ms',
        'broadcasts/s',
        'p50/p99/max ms',
        'late',
        'errors',
        'lost',
        'lists',
      ],
      phases.map(answers),
    ),
    '',
    ...markdownTable(
      [
        'phase',
        'lists/s',
        'gzip ms',
        'plain ms',
        '304 ms',
        'in MB/s',
        'out MB/s',
        'stall (busy, GC) ms',
        'Redis ms (calls > 1, > 10 ms)',
      ],
      phases.map(readsAndStalls),
    ),
    '',
    ...markdownTable(
      ['CPU s (share of a core, + waiting for one), MB', ...phases.map(({ name }) => name)],
      usesOf(phases),
    ),
    '',
    ...markdownTable(
      ['one core', 'CPU µs a ping', 'carries at 10 s', 'at 30 s'],
      result.carries.map((each) => [
        each.part,
        each.cpuUsAPing.toFixed(1),
        String(each.serversAt10S),
        String(each.serversAt30S),
      ]),
    ),
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

function answers(phase: Phase): string[] {
  const { name, seconds, pings, broadcasts, late, lost } = phase;
  return [
    name,
    seconds.toFixed(1),
    rate(pings.count, seconds),
    durations(pings),
    rate(broadcasts.count, seconds),
    durations(broadcasts),
    String(late),
    errors(phase),
    String(lost),
    isSettled(phase) ? lists(phase) : '',
  ];
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

function errors({ errors: ofGameServers, readErrors, droppedConnections }: Phase): string {
  const texts = Object.entries(ofGameServers).map(([status, count]) => `${count} × ${status}`);
  const read = Object.entries(readErrors).map(([status, count]) => `${count} × ${status} (reading)`);
  const dropped = droppedConnections > 0 ? [`${droppedConnections} connections dropped`] : [];
  return [...texts, ...read, ...dropped].join(', ');
}

function readsAndStalls(phase: Phase): string[] {
  const { lists: read, seconds } = phase;
  const total = read.gzip.count + read.plain.count + read.notModified.count;
  return [
    phase.name,
    rate(total, seconds),
    durations(read.gzip),
    durations(read.plain),
    durations(read.notModified),
    megabytes(phase.sentBytesPerSecond),
    megabytes(phase.receivedBytesPerSecond),
    `${phase.stallMs.toFixed(0)} (${phase.busyMs.toFixed(0)}, ${phase.gcMs.toFixed(0)})`,
    `${phase.slowestRedisMs.toFixed(1)} (${phase.slowRedisCalls}, ${phase.verySlowRedisCalls})`,
  ];
}

/** For each process its CPU, its waits for a core and its memory, in each phase. */
export function usesOf(phases: readonly SiteUse[]): string[][] {
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
