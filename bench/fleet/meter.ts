/**
 * What all parts of a fleet did between two moments: CPU, memory, stalls, slow calls of Redis, answers. Knows how to
 * measure, not what is played meanwhile.
 */

import { Redis } from 'ioredis';
import { readDroppedConnections, readUsage, type Usage } from '../support/usage.ts';
import { countsSince, summarize, type Durations } from '../support/histogram.ts';
import type { Load, LoadReport } from './load.ts';
import type { Site } from './site.ts';
import type { ProbeReport } from '../support/processes.ts';

export interface PartUse {
  readonly name: string;
  readonly cpuS: number;
  /** Of one core. */
  readonly share: number;
  /** The time in which its main thread waited for a core, of all time: what a machine of one's own would spare. */
  readonly waitShare: number;
  /** The highest that was seen. */
  readonly rssBytes: number;
}

export interface Phase {
  readonly name: string;
  readonly seconds: number;
  readonly parts: readonly PartUse[];
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
  /** Of the worst replica. A stall counts the wait for a core; `busyMs` is the part in which it used one. */
  readonly stallMs: number;
  readonly busyMs: number;
  readonly gcMs: number;
  /** Wall time in Redis, its wait for a core included; 0 if none took 1 ms. */
  readonly slowestRedisMs: number;
  /** Connections that the system dropped as a process did not accept them in time, of the whole machine. */
  readonly droppedConnections: number;
  /** Commands of Redis that took over 1 ms and over 10 ms. */
  readonly slowRedisCalls: number;
  readonly verySlowRedisCalls: number;
}

const SAMPLE_INTERVAL_MS = 500;
const SLOW_CALL_US = 10_000;

type SlowCall = [id: number, at: number, us: number, args: string[]];

/** Plays `work` and tells what happened meanwhile. */
export async function measurePhase(
  name: string,
  site: Site,
  load: Load,
  work: () => Promise<void>,
): Promise<Phase> {
  const client = new Redis(site.redis.port, { maxRetriesPerRequest: null, retryStrategy: () => 100 });
  client.on('error', () => undefined);
  await client.slowlog('RESET');
  await Promise.all(site.replicas.map((replica) => replica.probe('reset')));
  const before = await load.report();
  const droppedBefore = readDroppedConnections();
  const meters = partsOf(site, load).map(({ name: part, pid }) => new PartMeter(part, pid));
  const sampling = setInterval(() => meters.forEach((meter) => meter.sample()), SAMPLE_INTERVAL_MS);
  const startedAt = performance.now();
  try {
    await work();
  } finally {
    clearInterval(sampling);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const parts = meters.map((meter) => meter.finish(seconds));
  const droppedConnections = readDroppedConnections() - droppedBefore;
  const after = await load.report();
  const probes = await Promise.all(site.replicas.map((replica) => replica.probe('report')));
  const slow = (await client.slowlog('GET', 1024)) as SlowCall[];
  client.disconnect();
  return {
    name,
    seconds,
    parts,
    droppedConnections,
    ...answersBetween(before, after, seconds),
    ...worstOf(probes),
    ...slowest(slow),
  };
}

function partsOf(site: Site, load: Load): { name: string; pid: () => number | undefined }[] {
  return [
    ...site.replicas.map((replica) => ({ name: replica.name, pid: () => replica.pid })),
    { name: 'Redis', pid: () => site.redis.pid },
    ...(site.haproxyPid === undefined ? [] : [{ name: 'haproxy', pid: () => site.haproxyPid }]),
    { name: 'load: game servers', pid: () => load.pids[0] },
    { name: 'load: readers', pid: () => load.pids[1] },
  ];
}

/** Of a part that may be restarted meanwhile: what its processes used, but for the last moments of the first. */
class PartMeter {
  readonly #name: string;
  readonly #pid: () => number | undefined;
  #measuredPid: number | undefined;
  #last: Usage | undefined;
  #cpuUs = 0;
  #waitUs = 0;
  #rssBytes = 0;

  constructor(name: string, pid: () => number | undefined) {
    this.#name = name;
    this.#pid = pid;
    this.#measuredPid = pid();
    this.#last = usageOf(this.#measuredPid);
  }

  sample(): void {
    const pid = this.#pid();
    const usage = usageOf(pid);
    if (usage === undefined) return;
    const last = pid === this.#measuredPid ? this.#last : undefined;
    this.#cpuUs += usage.cpuUs - (last?.cpuUs ?? 0);
    this.#waitUs += usage.waitUs - (last?.waitUs ?? 0);
    this.#measuredPid = pid;
    this.#last = usage;
    this.#rssBytes = Math.max(this.#rssBytes, usage.rssBytes);
  }

  finish(seconds: number): PartUse {
    this.sample();
    const cpuS = this.#cpuUs / 1e6;
    const waitShare = this.#waitUs / 1e6 / seconds;
    return { name: this.#name, cpuS, share: cpuS / seconds, waitShare, rssBytes: this.#rssBytes };
  }
}

/** Undefined while the process does not run. */
function usageOf(pid: number | undefined): Usage | undefined {
  try {
    return pid === undefined ? undefined : readUsage(pid);
  } catch {
    return undefined;
  }
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

function worstOf(probes: readonly ProbeReport[]): Pick<Phase, 'stallMs' | 'busyMs' | 'gcMs'> {
  const worst = (key: 'stallMs' | 'busyMs' | 'gcMs'): number => Math.max(...probes.map((each) => each[key]));
  return { stallMs: worst('stallMs'), busyMs: worst('busyMs'), gcMs: worst('gcMs') };
}

function slowest(calls: readonly SlowCall[]) {
  const micros = calls.map(([, , us]) => us);
  return {
    slowestRedisMs: Math.max(0, ...micros) / 1000,
    slowRedisCalls: micros.length,
    verySlowRedisCalls: micros.filter((us) => us > SLOW_CALL_US).length,
  };
}
