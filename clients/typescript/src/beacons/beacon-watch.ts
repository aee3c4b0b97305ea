/**
 * Knows how far the beacons of a service are, for the game servers of this machine: measures them when the service
 * names others, when the address has changed, and each hour. Nothing waits for it.
 */

import type { Ask, ServiceAnswer } from '../ask.ts';
import type { Environment } from '../environment.ts';
import type { Latency } from '../../../../src/model/near.ts';
import { beaconsIn, measureBeacons } from './measure.ts';

const HOUR_MS = 3_600_000;
/** More than sixteen beacons take that answer as late as one may. */
const LONGEST_MEASURING_MS = 300_000;

export interface BeaconWatchOptions {
  readonly ask: Ask;
  readonly environment: Pick<Environment, 'fetch' | 'elapsed' | 'after' | 'afterSilence' | 'random'>;
}

export class BeaconWatch {
  readonly #options: BeaconWatchOptions;
  /** The last header `Server-Beacons` of the service; undefined while it names none. */
  #mark: string | undefined;
  #latency: Latency | undefined;
  #cancel: (() => void) | undefined;
  /** Ends what is measured now. */
  #measuring: AbortController | undefined;

  constructor(options: BeaconWatchOptions) {
    this.#options = options;
  }

  /** Undefined until something is measured, and empty once it holds no more: a ping without any would leave it. */
  get latency(): Latency | undefined {
    return this.#latency;
  }

  /** Takes note of an answer to a broadcast or a ping. `withinMs`: the time in which a measuring is to begin. */
  note({ status, headers, code }: ServiceAnswer, withinMs: number): void {
    if (status === 200) {
      const mark = headers.get('Server-Beacons') ?? undefined;
      if (mark === this.#mark) return;
      this.#mark = mark;
      this.stop();
    } else if (code !== 'ip_mismatch') return;
    if (this.#mark === undefined) this.#latency &&= {};
    // Those that began together measure at different times.
    else this.#measureIn(withinMs * this.#options.environment.random());
  }

  /** Nothing is measured any more, until there is something new. */
  stop(): void {
    this.#cancel?.();
    this.#measuring?.abort();
  }

  #measureIn(ms: number): void {
    this.stop();
    this.#cancel = this.#options.environment.after(ms, () => void this.#measure());
  }

  async #measure(): Promise<void> {
    const { ask, environment } = this.#options;
    const measuring = new AbortController();
    this.#measuring = measuring;
    const { signal } = measuring;
    const { after, afterSilence = after } = environment;
    const cancelLimit = afterSilence(LONGEST_MEASURING_MS, () => measuring.abort());
    const { body } = await ask({ method: 'GET', path: '/beacons', signal });
    const beacons = body['status'] === 'success' ? beaconsIn(body) : [];
    const latency = await measureBeacons(beacons, environment, signal).catch(() => undefined);
    cancelLimit();
    if (latency === undefined || signal.aborted) return;
    if (this.#latency !== undefined || Object.keys(latency).length > 0) this.#latency = latency;
    this.#measureIn(HOUR_MS * (0.9 + 0.2 * environment.random()));
  }
}
