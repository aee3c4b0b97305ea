/**
 * One run: honest game servers and a reader at three replicas and a Redis, then a spammer beside them. Samples what is
 * listed, and what it costs. Knows nothing of how the figures are printed.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { addDuration, countsSince, createCounts, summarize, type Durations } from '../fleet/histogram.ts';
import { HOST, startSite, type Site } from '../fleet/site.ts';
import { readUsage } from '../process-usage.ts';
import type { SendersReport } from './senders.ts';
import { startSenders, type SendersProcess } from './start-senders.ts';

export interface SpamOptions {
  readonly honest: number;
  readonly addresses: number;
  readonly broadcasts: number;
  /** How many broadcasts of the spammer are under way at a time. */
  readonly connections: number;
  readonly pingIntervalS: number;
  readonly quota: number;
  /** As for --rate-limit; '' for none. */
  readonly rateLimit: string;
  /** How long honest ones alone are measured, before the spammer and after it. */
  readonly calmS: number;
}

/** Of each phase. */
export interface SpamPhase {
  readonly name: string;
  readonly seconds: number;
  readonly pings: Durations;
  readonly lists: Durations;
  readonly failedLists: number;
  /** The fewest and the most that a list had. */
  readonly honest: readonly [least: number, most: number];
  readonly spam: readonly [least: number, most: number];
  /** The broadcasts of the spammer. */
  readonly broadcasts: Durations;
  /** Of a core; the replicas together. */
  readonly redisShare: number;
  readonly replicasShare: number;
  /** At the end of the phase. */
  readonly redisBytes: number;
  readonly redisKeys: number;
  /** Of the replica with the most: at the end after a collection of garbage, and the highest that was seen. */
  readonly heapBytes: number;
  readonly rssBytes: number;
  readonly stallMs: number;
  readonly honestRefusals: Readonly<Record<string, number>>;
  readonly spamRefusals: Readonly<Record<string, number>>;
}

export interface SpamResult {
  readonly options: SpamOptions;
  readonly phases: readonly SpamPhase[];
  /** Whether every list of the spam had all honest ones, and no more of the spammer than the quota. */
  readonly isHeld: boolean;
}

const PINGS_A_TTL = 3;
const REPLICAS = 3;
/** Of the reader, which asks one replica after the other. */
const READ_INTERVAL_MS = 500;
const POLL_MS = 250;
const HONEST = 'honest';
const SPAM = 'spam';

export async function runSpam(options: SpamOptions, note: (line: string) => void): Promise<SpamResult> {
  const { honest, addresses, broadcasts, connections, pingIntervalS, quota, rateLimit, calmS } = options;
  const flags = [
    '--trust-proxy=loopback',
    `--max-servers-per-address=${quota}`,
    ...(rateLimit === '' ? [] : [`--rate-limit=${rateLimit}`]),
  ];
  const site = await startSite({
    replicas: REPLICAS,
    ttlS: PINGS_A_TTL * pingIntervalS,
    flags,
    isBare: true,
  });
  const ports = site.replicas.map(({ port }) => port);
  const common = { host: HOST, ports, pingIntervalMs: 1000 * pingIntervalS };
  const good = await startSenders({
    ...common,
    broadcasting: 32,
    name: HONEST,
    addresses: honest,
    firstAddress: 0,
    isPatient: true,
  });
  const bad = await startSenders({
    ...common,
    broadcasting: connections,
    name: SPAM,
    // Other ones than the honest have.
    addresses,
    firstAddress: honest,
    isPatient: false,
  });
  const meter = new SpamMeter(site, good, bad);
  try {
    await good.broadcast(honest);
    while ((await good.report()).listed < honest) await delay(POLL_MS);
    note(`${honest} honest game servers are listed`);
    const phases = [await meter.measure('honest alone', () => delay(1000 * calmS).then(() => undefined))];
    phases.push(
      await meter.measure('spam', async () => {
        await bad.broadcast(broadcasts);
        for (;;) {
          const { answered } = await bad.report();
          note(`${answered} broadcasts of spam`);
          if (answered >= broadcasts) return;
          await delay(4 * POLL_MS);
        }
      }),
    );
    phases.push(await meter.measure('after it', () => delay(1000 * calmS).then(() => undefined)));
    const isHeld = phases.every(
      ({ honest: [least], spam: [, most], lists }) =>
        lists.count > 0 && least === honest && most <= quota * addresses,
    );
    return { options, phases, isHeld };
  } finally {
    meter.close();
    good.end();
    bad.end();
    await site.close();
  }
}

/** What the honest, the reader, the spammer and the processes did between two moments. */
class SpamMeter {
  readonly #site: Site;
  readonly #good: SendersProcess;
  readonly #bad: SendersProcess;
  readonly #redis: Redis;
  readonly #reading: NodeJS.Timeout;
  #lists = createCounts();
  #failedLists = 0;
  #counts: { honest: number; spam: number }[] = [];
  #reads = 0;
  #rssBytes = 0;

  constructor(site: Site, good: SendersProcess, bad: SendersProcess) {
    this.#site = site;
    this.#good = good;
    this.#bad = bad;
    this.#redis = new Redis(site.redis.port);
    this.#reading = setInterval(() => void this.#read(), READ_INTERVAL_MS);
  }

  async measure(name: string, work: () => Promise<void>): Promise<SpamPhase> {
    const { replicas, redis } = this.#site;
    await Promise.all(replicas.map((replica) => replica.probe('reset')));
    this.#lists = createCounts();
    this.#failedLists = 0;
    this.#counts = [];
    this.#rssBytes = 0;
    const pids = replicas.map(({ pid }) => pid);
    const before = {
      good: await this.#good.report(),
      bad: await this.#bad.report(),
      redisS: cpuOf([redis.pid]),
      replicasS: cpuOf(pids),
      at: performance.now(),
    };
    await work();
    const seconds = (performance.now() - before.at) / 1000;
    const redisShare = (cpuOf([redis.pid]) - before.redisS) / seconds;
    const replicasShare = (cpuOf(pids) - before.replicasS) / seconds;
    const good = await this.#good.report();
    const bad = await this.#bad.report();
    const [lists, failedLists, counts] = [this.#lists, this.#failedLists, this.#counts];
    const probes = await Promise.all(replicas.map((replica) => replica.probe('collect')));
    const info = await this.#redis.info('memory');
    const range = (key: 'honest' | 'spam'): readonly [number, number] => {
      const values = counts.map((each) => each[key]);
      return [Math.min(...values), Math.max(...values)];
    };
    return {
      name,
      seconds,
      pings: summarize(countsSince(good.pings, before.good.pings)),
      lists: summarize(lists),
      failedLists,
      honest: range('honest'),
      spam: range('spam'),
      broadcasts: summarize(countsSince(bad.broadcasts, before.bad.broadcasts)),
      redisShare,
      replicasShare,
      redisBytes: Number(/^used_memory:(\d+)/m.exec(info)![1]),
      redisKeys: await this.#redis.dbsize(),
      heapBytes: Math.max(...probes.map(({ heapBytes }) => heapBytes)),
      rssBytes: this.#rssBytes,
      stallMs: Math.max(...probes.map(({ stallMs }) => stallMs)),
      honestRefusals: refusalsSince(good, before.good),
      spamRefusals: refusalsSince(bad, before.bad),
    };
  }

  close(): void {
    clearInterval(this.#reading);
    this.#redis.disconnect();
  }

  /** A list of the next replica. */
  async #read(): Promise<void> {
    const { replicas } = this.#site;
    this.#rssBytes = Math.max(this.#rssBytes, ...replicas.map(({ pid }) => readUsage(pid!).rssBytes));
    const replica = replicas[this.#reads % replicas.length]!;
    this.#reads += 1;
    const [lists, counts] = [this.#lists, this.#counts];
    const startedAt = performance.now();
    try {
      const response = await fetch(`${replica.url}/`);
      if (response.status !== 200) throw new Error(String(response.status));
      const text = await response.text();
      addDuration(lists, performance.now() - startedAt);
      const timesOf = (name: string): number => text.split(`"host":"${name}.`).length - 1;
      counts.push({ honest: timesOf(HONEST), spam: timesOf(SPAM) });
    } catch {
      this.#failedLists += 1;
    }
  }
}

/** Of these processes together, in s. */
function cpuOf(pids: readonly (number | undefined)[]): number {
  return pids.reduce((sum: number, pid) => sum + readUsage(pid!).cpuUs / 1e6, 0);
}

function refusalsSince(
  { refusals }: SendersReport,
  { refusals: before }: SendersReport,
): Record<string, number> {
  const counts = [...refusals].map(([name, count]): [string, number] => [
    name,
    count - (before.get(name) ?? 0),
  ]);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
