/**
 * Schedules the checks: few at once, with a turn for each network, and one for each entry. The number of waiting checks
 * is bounded, however many announcements come.
 */

import { ClientCounts } from '../../registry/client-counts.ts';
import { networkOf } from '../../model/net/ip.ts';
import { FairQueue } from '../../api/work/fair-queue.ts';

/** How many checks run at once. Each has a socket, for 6 s at most. */
const MOST_AT_ONCE = 128;
const MOST_AT_ONCE_OF_NETWORK = 8;
/** How many checks are waiting or running. Each holds its announcement: a few KiB, 60 at most. */
const PLACES = 1000;
/** How many of them one network may have: as many game servers as one host may start at once. */
const PLACES_OF_NETWORK = 250;

interface Check {
  readonly network: string;
  readonly ending: AbortController;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

export class Checks {
  readonly #byEntry = new Map<string, Check>();
  readonly #waiting = new FairQueue<Check>();
  readonly #places = new ClientCounts((network) => network);
  readonly #running = new ClientCounts((network) => network);

  /**
   * Runs the check in its turn, instead of an earlier one of this entry. It must not reject. Returns false if there is
   * no place for it.
   */
  add(id: string, ip: string, run: Check['run']): boolean {
    const network = networkOf(ip);
    this.cancel(id);
    if (this.#places.total >= PLACES || this.#places.of(network) >= PLACES_OF_NETWORK) return false;
    const check: Check = {
      network,
      ending: new AbortController(),
      run: (signal) =>
        run(signal).finally(() => {
          if (this.#byEntry.get(id) === check) this.#byEntry.delete(id);
        }),
    };
    this.#byEntry.set(id, check);
    this.#places.add(network);
    this.#waiting.push(network, check);
    this.#start();
    return true;
  }

  /** Cancels the check of an earlier announcement of the entry. */
  cancel(id: string): void {
    this.#byEntry.get(id)?.ending.abort();
    this.#byEntry.delete(id);
  }

  close(): void {
    for (const id of this.#byEntry.keys()) this.cancel(id);
  }

  #start(): void {
    while (this.#running.total < MOST_AT_ONCE) {
      const check = this.#waiting.shift((network) => this.#running.of(network) < MOST_AT_ONCE_OF_NETWORK);
      if (check === undefined) return;
      void this.#run(check);
    }
  }

  async #run({ network, ending: { signal }, run }: Check): Promise<void> {
    this.#running.add(network);
    if (!signal.aborted) await run(signal);
    this.#running.subtract(network);
    this.#places.subtract(network);
    this.#start();
  }
}
