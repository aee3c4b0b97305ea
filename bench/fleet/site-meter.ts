/**
 * What the processes of a site did between two moments: CPU, memory, stalls, slow calls of Redis.
 */

import { Redis } from 'ioredis';
import type { ProbeReport } from '../support/processes.ts';
import { readUsage, type Usage } from '../support/usage.ts';
import type { Site } from './site.ts';

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

/** A process of a site, or beside it. Undefined while it does not run. */
export interface Part {
  readonly name: string;
  readonly pid: () => number | undefined;
}

export interface SiteUse {
  readonly name: string;
  readonly seconds: number;
  readonly parts: readonly PartUse[];
  /** Of the worst replica. A stall counts the wait for a core; `busyMs` is the part in which it used one. */
  readonly stallMs: number;
  readonly busyMs: number;
  readonly gcMs: number;
  /** Wall time in Redis, its wait for a core included; 0 if none took 1 ms. */
  readonly slowestRedisMs: number;
  /** Commands of Redis that took over 1 ms and over 10 ms. */
  readonly slowRedisCalls: number;
  readonly verySlowRedisCalls: number;
}

const SAMPLE_INTERVAL_MS = 500;
const SLOW_CALL_US = 10_000;

type SlowCall = [id: number, at: number, us: number, args: string[]];

/** Plays `work` and tells what the site, and these processes of the load, did meanwhile. */
export async function measureSite(
  name: string,
  site: Site,
  load: readonly Part[],
  work: () => Promise<void>,
): Promise<SiteUse> {
  const client = new Redis(site.redis.port, { maxRetriesPerRequest: null, retryStrategy: () => 100 });
  client.on('error', () => undefined);
  await client.slowlog('RESET');
  await Promise.all(site.replicas.map((replica) => replica.probe('reset')));
  const meters = [...partsOf(site), ...load].map(({ name: part, pid }) => new PartMeter(part, pid));
  const sampling = setInterval(() => meters.forEach((meter) => meter.sample()), SAMPLE_INTERVAL_MS);
  const startedAt = performance.now();
  try {
    await work();
  } finally {
    clearInterval(sampling);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const parts = meters.map((meter) => meter.finish(seconds));
  const probes = await Promise.all(site.replicas.map((replica) => replica.probe('report')));
  const worst = (key: keyof ProbeReport): number => Math.max(...probes.map((each) => each[key]));
  const slow = ((await client.slowlog('GET', 1024)) as SlowCall[]).map(([, , us]) => us);
  client.disconnect();
  return {
    name,
    seconds,
    parts,
    stallMs: worst('stallMs'),
    busyMs: worst('busyMs'),
    gcMs: worst('gcMs'),
    slowestRedisMs: Math.max(0, ...slow) / 1000,
    slowRedisCalls: slow.length,
    verySlowRedisCalls: slow.filter((us) => us > SLOW_CALL_US).length,
  };
}

function partsOf(site: Site): Part[] {
  return [
    ...site.replicas.map((replica) => ({ name: replica.name, pid: () => replica.pid })),
    { name: 'Redis', pid: () => site.redis.pid },
    ...(site.haproxyPid === undefined ? [] : [{ name: 'haproxy', pid: () => site.haproxyPid }]),
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
