/**
 * Gathers the metrics of all workers where one of them is asked for them. What has been counted stays counted: a worker
 * that has ended, or that does not answer in time, keeps the counts that it sent last.
 */

import { growing, ofSeveral, together, type Family } from '../metrics/families.ts';
import type { WorkerProcess } from './fleet-options.ts';
import type { FromReplica } from './messages.ts';

export interface GatheringOptions {
  /** The workers to ask. */
  readonly serving: () => readonly WorkerProcess[];
  /** The metrics of the primary itself. */
  readonly own: () => readonly Family[];
  /** Resolves when it waits no longer for those that have not answered. */
  readonly patience: () => Promise<void>;
}

interface Scrape {
  /** The workers that have not answered. */
  readonly awaited: Set<WorkerProcess>;
  readonly told: Map<WorkerProcess, readonly Family[]>;
  readonly finish: () => void;
}

export class Gathering {
  readonly #options: GatheringOptions;
  readonly #scrapes = new Map<number, Scrape>();
  /** The last metrics of each worker. */
  readonly #last = new Map<WorkerProcess, readonly Family[]>();
  #ofEnded: readonly Family[] = [];
  #count = 0;

  constructor(options: GatheringOptions) {
    this.#options = options;
  }

  hear(from: WorkerProcess, message: FromReplica): void {
    if (message.is === 'metrics') {
      this.#last.set(from, message.families);
      const scrape = this.#scrapes.get(message.scrape ?? 0);
      scrape?.told.set(from, message.families);
      if (scrape !== undefined) this.#awaitNoLonger(scrape, from);
    } else if (message.is === 'gatherMetrics') void this.#answer(from, message.request);
  }

  /** The worker has ended. */
  forget(worker: WorkerProcess): void {
    this.#ofEnded = together([this.#ofEnded, growing(this.#last.get(worker) ?? [])]);
    this.#last.delete(worker);
    for (const scrape of this.#scrapes.values()) {
      scrape.told.delete(worker);
      this.#awaitNoLonger(scrape, worker);
    }
  }

  async #answer(asker: WorkerProcess, request: number): Promise<void> {
    const { own, patience } = this.#options;
    const told = await this.#scrape(patience);
    const workers = [...this.#last].map(([worker, last]) => ofSeveral(told.get(worker) ?? growing(last)));
    asker.send({ is: 'allMetrics', request, families: together([own(), ...workers, this.#ofEnded]) });
  }

  async #scrape(patience: () => Promise<void>): Promise<Scrape['told']> {
    this.#count += 1;
    const number = this.#count;
    const told: Scrape['told'] = new Map();
    const awaited = new Set(this.#options.serving());
    const answered = new Promise<void>((finish) => this.#scrapes.set(number, { awaited, told, finish }));
    for (const worker of awaited) worker.send({ is: 'tellMetrics', scrape: number });
    await Promise.race([answered, patience()]);
    this.#scrapes.delete(number);
    return told;
  }

  #awaitNoLonger({ awaited, finish }: Scrape, worker: WorkerProcess): void {
    awaited.delete(worker);
    if (awaited.size === 0) finish();
  }
}
