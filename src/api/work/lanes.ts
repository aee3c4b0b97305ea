/**
 * Chooses the job that goes on next. Three lanes take turns: the replica's own work; new work, so that a short job
 * never waits behind a long one; and long work that is under way. Few long jobs are under way at a time, so that little
 * of their results is in memory; the rest are parked. In each lane the clients have their turns one after the other.
 */

import { ClientCounts } from '../../registry/client-counts.ts';
import { networkOf } from '../../model/net/ip.ts';
import { FairQueue } from './fair-queue.ts';
import type { Asker, Work } from './work.ts';

/** How long a job runs before another has its turn, in ms. A job that has had less counts as new. */
export const SHARE_MS = 0.5;
/** How many long jobs of clients are under way side by side. */
const MOST_LONG = 16;
/** How many of them one client may have: while another thread compresses for one, the other goes on. */
const MOST_LONG_OF_CLIENT = 2;

export interface Job {
  /** The network of the client that pays for the job; undefined for the replica itself. */
  readonly client: string | undefined;
  /** The networks of all that wait for the job: it is in the queue of each. */
  readonly clients: Set<string>;
  readonly askers: Asker[];
  readonly work: Work<unknown>;
  readonly beganAt: number;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
  /** Continues the work. */
  resume: () => ReturnType<Work<unknown>['next']>;
  /** A queue may still hold a job that is in another state by now. */
  state: 'fresh' | 'parked' | 'begun' | 'over';
  /** Whether it is one of the long jobs that are under way. */
  hasPlace: boolean;
  spentMs: number;
}

export class Lanes {
  readonly #onGone: (job: Job) => void;
  readonly #own: Job[] = [];
  /** The jobs that wait: for their first share, or for a place among the long ones. */
  readonly #queues = { fresh: new FairQueue<Job>(), parked: new FairQueue<Job>() };
  readonly #long: Job[] = [];
  /** The lane whose turn it is comes first. */
  readonly #lanes = [
    (): Job | undefined => this.#own.shift(),
    (): Job | undefined => this.#takeWaiting('fresh'),
    (): Job | undefined => this.#takeLong(),
  ];
  /** The number of long jobs of each client that are under way. */
  readonly #places = new ClientCounts((network) => network);
  /** The askers for which a job was done: its result waits in memory until the rest of their work is done. */
  readonly #served = new WeakSet<Asker>();

  /** `onGone`: ends a job for which nobody waits any more. It is called instead of the job's turn. */
  constructor(onGone: (job: Job) => void) {
    this.#onGone = onGone;
  }

  /** Queues the job for its next turn. */
  add(job: Job): void {
    if (job.client === undefined) this.#own.push(job);
    else if (job.hasPlace) this.#long.push(job);
    else {
      job.state = job.spentMs < SHARE_MS ? 'fresh' : 'parked';
      const isFirst = job.askers.some((asker) => this.#served.has(asker));
      for (const client of job.clients) this.#queues[job.state].push(client, job, isFirst);
    }
  }

  /** Adds an asker that waits for the job: the turns of its network count as well. */
  join(job: Job, asker: Asker): void {
    if (job.client === undefined || job.state === 'over') return;
    const client = networkOf(asker.client.address);
    job.askers.push(asker);
    if (job.clients.has(client)) return;
    job.clients.add(client);
    if (job.state !== 'begun') this.#queues[job.state].push(client, job);
  }

  /** The job that goes on now. */
  next(): Job | undefined {
    for (let tried = 0; tried < this.#lanes.length; tried += 1) {
      const lane = this.#lanes.shift()!;
      this.#lanes.push(lane);
      const job = lane();
      if (job !== undefined) return job;
    }
    return undefined;
  }

  /** Ends the job: it has no more turns. */
  end(job: Job, isDone: boolean): void {
    job.state = 'over';
    if (job.client === undefined) return;
    if (job.hasPlace) this.#places.subtract(job.client);
    if (isDone) for (const asker of job.askers) this.#served.add(asker);
  }

  /** Moves parked jobs to the free places, and returns the next long job. */
  #takeLong(): Job | undefined {
    while (this.#places.total < MOST_LONG) {
      const job = this.#takeWaiting('parked', (client) => this.#places.of(client) < MOST_LONG_OF_CLIENT);
      if (job === undefined) break;
      job.hasPlace = true;
      this.#places.add(job.client!);
      this.#long.push(job);
    }
    return this.#long.shift();
  }

  #takeWaiting(state: 'fresh' | 'parked', mayHave?: (client: string) => boolean): Job | undefined {
    for (;;) {
      const job = this.#queues[state].shift(mayHave);
      if (job === undefined) return undefined;
      if (job.state !== state) continue;
      job.state = 'begun';
      if (!job.askers.every(({ isGone }) => isGone?.() === true)) return job;
      this.#onGone(job);
    }
  }
}
