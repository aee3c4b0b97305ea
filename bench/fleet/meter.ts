/** What all parts of a fleet did between two moments: its processes, and what its clients were answered. */

import { countsSince, summarize, type Durations } from '../support/histogram.ts';
import type { Load, LoadReport } from './load.ts';
import { measureSite, type SiteUse } from './site-meter.ts';
import type { Site } from './site.ts';

export interface Phase extends SiteUse {
  readonly pings: Durations;
  readonly broadcasts: Durations;
  readonly lists: Readonly<Record<'gzip' | 'plain' | 'notModified', Durations>>;
  /** Answers without success by status, of game servers and of readers; 0 for no answer. */
  readonly errors: Readonly<Record<string, number>>;
  readonly readErrors: Readonly<Record<string, number>>;
  /** Pings that could not be sent within one interval after they were due. */
  readonly late: number;
  /** Living game servers that were told that their id is unknown. */
  readonly lost: number;
  /** Of the load: what clients sent and received. */
  readonly sentBytesPerSecond: number;
  readonly receivedBytesPerSecond: number;
}

/** Plays `work` and tells what happened meanwhile. */
export async function measurePhase(
  name: string,
  site: Site,
  load: Load,
  work: () => Promise<void>,
): Promise<Phase> {
  const before = await load.report();
  const parts = ['game servers', 'readers'].map((part, i) => ({
    name: `load: ${part}`,
    pid: () => load.pids[i],
  }));
  const use = await measureSite(name, site, parts, work);
  return { ...use, ...answersBetween(before, await load.report(), use.seconds) };
}

function answersBetween(before: LoadReport, after: LoadReport, seconds: number) {
  const [earlier, later] = [before.gameServers, after.gameServers];
  const [readEarlier, readLater] = [before.readers, after.readers];
  const list = (key: 'gzip' | 'plain' | 'notModified'): Durations =>
    summarize(countsSince(readLater[key], readEarlier[key]));
  const received =
    later.bytesReceived - earlier.bytesReceived + readLater.bytesReceived - readEarlier.bytesReceived;
  return {
    pings: summarize(countsSince(later.pings, earlier.pings)),
    broadcasts: summarize(countsSince(later.broadcasts, earlier.broadcasts)),
    lists: { gzip: list('gzip'), plain: list('plain'), notModified: list('notModified') },
    errors: failuresSince(later.statuses, earlier.statuses),
    readErrors: failuresSince(readLater.failures, readEarlier.failures),
    late: later.late - earlier.late,
    lost: later.lost - earlier.lost,
    sentBytesPerSecond: (later.bytesSent - earlier.bytesSent) / seconds,
    receivedBytesPerSecond: received / seconds,
  };
}

function failuresSince(
  later: ReadonlyMap<number, number>,
  earlier: ReadonlyMap<number, number>,
): Record<string, number> {
  const failures = [...later]
    .map(([status, count]) => [status, count - (earlier.get(status) ?? 0)] as const)
    .filter(([status, count]) => status !== 200 && count > 0);
  return Object.fromEntries(failures);
}
