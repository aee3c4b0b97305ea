/**
 * A fleet under way: its site, its load, and how many game servers should be listed. What phases and storms play on.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Load } from './load.ts';
import { measurePhase, type Phase } from './meter.ts';
import type { Site } from './site.ts';
import { checkLists, type ListCheck } from './verify.ts';

export interface FleetOptions {
  readonly servers: number;
  readonly replicas: number;
  readonly pingIntervalS: number;
  readonly seconds: number;
  readonly readers: number;
  readonly readerPauseMs: number;
  /** The share of pings that bring another number of players. */
  readonly changed: number;
  readonly connections: number;
  readonly outageS: number;
}

export interface SettledPhase extends Phase {
  /** From the beginning until every game server and every replica was well; undefined if that took too long. */
  readonly wellAfterS: number | undefined;
  readonly checks: readonly ListCheck[];
  readonly note: string;
}

/** A ping is due three times in one TTL. */
export const PINGS_A_TTL = 3;

const POLL_MS = 200;
/** A fleet that is not well by then is overloaded, and stays so. */
const LONGEST_RECOVERY_MS = 300_000;
/** Of ping intervals, with the jitter. */
export const LONGEST_INTERVAL = 1.1;

export class Fleet {
  readonly options: FleetOptions;
  readonly site: Site;
  readonly load: Load;
  /** How many game servers should be listed. */
  expected = 0;

  constructor(options: FleetOptions, site: Site, load: Load) {
    this.options = options;
    this.site = site;
    this.load = load;
  }

  get ttlMs(): number {
    return 1000 * PINGS_A_TTL * this.options.pingIntervalS;
  }

  /** Measures while `work` is played, and says on standard error how it went. */
  async measure(name: string, work: () => Promise<void>): Promise<Phase> {
    process.stderr.write(`${name}\n`);
    const phase = await measurePhase(name, this.site, this.load, work);
    const { seconds, pings, stallMs, busyMs, gcMs, slowestRedisMs, lost } = phase;
    process.stderr.write(
      `${name}: ${seconds.toFixed(0)} s, ${(pings.count / seconds).toFixed(0)} pings/s, p99 ${pings.p99Ms.toFixed(0)} ms; ` +
        `longest stall ${stallMs.toFixed(0)} ms (busy ${busyMs.toFixed(0)} ms, GC ${gcMs.toFixed(0)} ms), call of Redis ${slowestRedisMs.toFixed(0)} ms; ` +
        `${lost} lost\n`,
    );
    return phase;
  }

  /**
   * Measures `work` until all is well after it, and then compares all lists. `work` can resolve with a note. With
   * `untilAllPinged` for one ping interval more, in which every game server learns whether it is still known.
   */
  async settle(
    name: string,
    work: () => Promise<string | void>,
    { untilAllPinged = false, limitMs = LONGEST_RECOVERY_MS } = {},
  ): Promise<SettledPhase> {
    let note = '';
    let wellAfterS: number | undefined;
    const phase = await this.measure(name, async () => {
      const startedAt = performance.now();
      try {
        note = (await work()) ?? '';
      } catch (error) {
        note = `FAILED: ${(error as Error).message}`;
        return;
      }
      wellAfterS = await this.#untilWell(startedAt, limitMs);
      if (!untilAllPinged || wellAfterS === undefined) return;
      await delay((LONGEST_INTERVAL * this.ttlMs) / PINGS_A_TTL);
      if ((await this.#untilWell(startedAt, limitMs)) === undefined) wellAfterS = undefined;
    });
    return { ...phase, note, wellAfterS, checks: await checkLists(this.site.replicas, this.load) };
  }

  /** Resolves with the seconds since `startedAt`; undefined if it took longer than the limit from now. */
  async #untilWell(startedAt: number, limitMs: number): Promise<number | undefined> {
    const limitAt = performance.now() + limitMs;
    while (performance.now() < limitAt) {
      if (await this.#isWell()) return (performance.now() - startedAt) / 1000;
      await delay(POLL_MS);
    }
    return undefined;
  }

  async #isWell(): Promise<boolean> {
    const { gameServers } = await this.load.report();
    if (gameServers.living !== this.expected || gameServers.failing > 0) return false;
    const counts = await Promise.all(this.site.replicas.map((replica) => replica.count()));
    return counts.every((count) => count === this.expected);
  }
}
