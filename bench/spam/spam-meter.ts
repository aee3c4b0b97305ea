/**
 * What the honest, a reader, the spammer and the processes did between two moments: answers, what was listed, CPU and
 * memory.
 */

import { Redis } from 'ioredis';
import { measureSite, type SiteUse } from '../fleet/site-meter.ts';
import type { Site } from '../fleet/site.ts';
import { addDuration, countsSince, createCounts, summarize, type Durations } from '../support/histogram.ts';
import type { SendersReport } from './senders.ts';
import type { SendersProcess } from './start-senders.ts';

/** What the names of the game servers begin with. */
export const HONEST = 'honest';
export const SPAM = 'spam';

/** Of the reader, which asks one replica after the other. */
const READ_INTERVAL_MS = 500;

/** Of each phase. */
export interface SpamPhase extends SiteUse {
  readonly pings: Durations;
  readonly lists: Durations;
  readonly failedLists: number;
  /** The fewest and the most that a list had. */
  readonly honest: readonly [least: number, most: number];
  readonly spam: readonly [least: number, most: number];
  /** The broadcasts of the spammer. */
  readonly broadcasts: Durations;
  /** At the end of the phase. */
  readonly redisBytes: number;
  readonly redisKeys: number;
  /** Of the replica with the most, at the end after a collection of garbage. */
  readonly heapBytes: number;
  readonly honestRefusals: Readonly<Record<string, number>>;
  readonly spamRefusals: Readonly<Record<string, number>>;
}

export class SpamMeter {
  readonly #site: Site;
  readonly #good: SendersProcess;
  readonly #bad: SendersProcess;
  readonly #redis: Redis;
  readonly #reading: NodeJS.Timeout;
  #lists = createCounts();
  #failedLists = 0;
  #counts: { honest: number; spam: number }[] = [];
  #reads = 0;

  constructor(site: Site, good: SendersProcess, bad: SendersProcess) {
    this.#site = site;
    this.#good = good;
    this.#bad = bad;
    this.#redis = new Redis(site.redis.port);
    this.#reading = setInterval(() => void this.#read(), READ_INTERVAL_MS);
  }

  async measure(name: string, work: () => Promise<void>): Promise<SpamPhase> {
    const { replicas } = this.#site;
    const [lists, counts] = [createCounts(), [] as { honest: number; spam: number }[]];
    [this.#lists, this.#failedLists, this.#counts] = [lists, 0, counts];
    const before = { good: await this.#good.report(), bad: await this.#bad.report() };
    const use = await measureSite(name, this.#site, [], work);
    const after = { good: await this.#good.report(), bad: await this.#bad.report() };
    const failedLists = this.#failedLists;
    const probes = await Promise.all(replicas.map((replica) => replica.probe('collect')));
    const info = await this.#redis.info('memory');
    const range = (key: 'honest' | 'spam'): readonly [number, number] => {
      const values = counts.map((each) => each[key]);
      return [Math.min(...values), Math.max(...values)];
    };
    return {
      ...use,
      pings: summarize(countsSince(after.good.pings, before.good.pings)),
      lists: summarize(lists),
      failedLists,
      honest: range('honest'),
      spam: range('spam'),
      broadcasts: summarize(countsSince(after.bad.broadcasts, before.bad.broadcasts)),
      redisBytes: Number(/^used_memory:(\d+)/m.exec(info)![1]),
      redisKeys: await this.#redis.dbsize(),
      heapBytes: Math.max(...probes.map(({ heapBytes }) => heapBytes)),
      honestRefusals: refusalsSince(after.good, before.good),
      spamRefusals: refusalsSince(after.bad, before.bad),
    };
  }

  close(): void {
    clearInterval(this.#reading);
    this.#redis.disconnect();
  }

  /** A list of the next replica. */
  async #read(): Promise<void> {
    const { replicas } = this.#site;
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
