/**
 * Shares the event loop between the work of readers and everything else: all work together has it while nothing else
 * wants it, and a quarter of the time otherwise. Clients have their turns one after the other, and what would wait too
 * long is refused. Knows nothing of the work.
 *
 * Three lanes take turns: what the replica does for all; what has just come, so that short work waits behind nothing
 * long; and long work that is under way. Of the last there is little at a time, so that little of it is in memory. The
 * rest of it is parked.
 */

import { DEADLINES } from '../deadlines.ts';
import { ServiceError } from '../errors.ts';
import { ClientCounts } from '../registry/client-counts.ts';
import { networkOf } from '../registry/ip.ts';
import { Backlog } from './backlog.ts';
import { FairQueue } from './fair-queue.ts';
import { OWN, type Asker, type Shared, type Work, type WorkEvents, type WorkRefusal } from './work.ts';

/** All work together, in ms. */
const SHORTEST_TURN_MS = 1;
const LONGEST_TURN_MS = 8;
/**
 * Everything else has so many times as long between two turns, if it wants it. A single round of the event loop would
 * not do: it accepts one connection alone, so that those that wait would have a turn of work between any two of them.
 */
const REST_OF_A_TURN = 3;
/** In a round that takes no longer, nothing else wanted the event loop. */
const IDLE_ROUND_MS = 0.05;
/** One work, in ms, before another has its turn. */
const SHARE_MS = 0.5;
/** So much long work of clients goes on side by side. */
const MOST_LONG = 16;
/** One client has no more of it: while another thread compresses the one, the other goes on. */
const MOST_LONG_OF_CLIENT = 2;
/** So much work of clients may wait. Each takes some hundred bytes until it begins. */
const MOST_JOBS = 4096;

interface Job {
  /** The network of the client that pays for it; undefined for the replica itself. */
  readonly client: string | undefined;
  /** The networks of all that wait for it: it is in the queue of each. */
  readonly clients: Set<string>;
  readonly askers: Asker[];
  readonly work: Work<unknown>;
  readonly beganAt: number;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
  /** Goes on with the work. */
  resume: () => ReturnType<Work<unknown>['next']>;
  /** A queue may still have one that is in another state by now. */
  state: 'fresh' | 'parked' | 'begun' | 'over';
  /** Whether it is one of the long ones that are under way. */
  hasPlace: boolean;
  spentMs: number;
}

export interface TurnsOptions {
  readonly events?: Partial<WorkEvents> | undefined;
  /** The longest time until work begins in earnest, ms. */
  readonly mostWaitMs?: number | undefined;
}

export class Turns {
  readonly #events: Partial<WorkEvents>;
  readonly #mostWaitMs: number;
  readonly #own: Job[] = [];
  /** What waits: for its first share, and for a place among the long ones. */
  readonly #queues = { fresh: new FairQueue<Job>(), parked: new FairQueue<Job>() };
  readonly #long: Job[] = [];
  /** The next one first. */
  readonly #lanes = [() => this.#own.shift(), () => this.#takeWaiting('fresh'), () => this.#takeLong()];
  /** What is given up when it has waited too long, the oldest first. */
  readonly #impatient = new Set<Job>();
  readonly #admitted = new WeakSet<Asker>();
  /** Those for which some work is done. */
  readonly #served = new WeakSet<Asker>();
  readonly #backlog = new Backlog();
  /** The long work of each client that is under way. */
  readonly #places = new ClientCounts((network) => network);
  #isScheduled = false;

  constructor({ events = {}, mostWaitMs = DEADLINES.workWaitMs }: TurnsOptions = {}) {
    this.#events = events;
    this.#mostWaitMs = mostWaitMs;
  }

  /** Resolves with what the work returns. `begin` begins it, in a later round of the event loop. */
  run<T>(asker: Asker, begin: () => Work<T>): Promise<T> {
    return this.share(asker, begin).result;
  }

  /** The same for work that others may come to wait for. */
  share<T>(asker: Asker, begin: () => Work<T>): Shared<T> {
    const isPatient = asker === OWN || this.#admitted.has(asker);
    try {
      this.admit(asker);
    } catch (error) {
      return { result: Promise.reject(error), join: () => undefined };
    }
    const client = asker === OWN ? undefined : networkOf(asker.client.address);
    let settle: Pick<Job, 'resolve' | 'reject'>;
    const result = new Promise<T>((resolve, reject) => (settle = { resolve, reject }));
    const work = startLater(begin);
    const job: Job = {
      ...settle!,
      client,
      clients: new Set(client === undefined ? [] : [client]),
      askers: [asker],
      work,
      beganAt: performance.now(),
      resume: () => work.next(),
      state: 'fresh',
      hasPlace: false,
      spentMs: 0,
    };
    if (!isPatient) this.#impatient.add(job);
    if (client !== undefined) this.#backlog.add(client);
    this.#events.onJobs?.(this.#backlog.size);
    this.#enqueue(job);
    return { result, join: (other) => this.#join(job, other) };
  }

  /**
   * Lets the asker in: nothing that it wants is refused from then on. Throws a ServiceError `overloaded` if it would wait
   * too long.
   */
  admit(asker: Asker): void {
    this.check(asker);
    if (asker !== OWN) this.#admitted.add(asker);
  }

  /** Throws what admit() would throw, before anything else is done for the asker. */
  check(asker: Asker): void {
    if (asker === OWN || this.#admitted.has(asker)) return;
    const waitMs = this.#backlog.waitMs(networkOf(asker.client.address));
    if (waitMs > this.#mostWaitMs || this.#backlog.size >= MOST_JOBS) {
      this.#events.onRefused?.('queue');
      throw new ServiceError('overloaded');
    }
  }

  #join(job: Job, asker: Asker): void {
    this.#admitted.add(asker);
    if (job.client === undefined || job.state === 'over') return;
    const client = networkOf(asker.client.address);
    job.askers.push(asker);
    if (job.clients.has(client)) return;
    job.clients.add(client);
    if (job.state !== 'begun') this.#queues[job.state].push(client, job);
  }

  #enqueue(job: Job): void {
    if (job.client === undefined) this.#own.push(job);
    else if (job.hasPlace) this.#long.push(job);
    else {
      job.state = job.spentMs < SHARE_MS ? 'fresh' : 'parked';
      // What is made waits in memory until it is compressed.
      const isFirst = job.askers.some((asker) => this.#served.has(asker));
      for (const client of job.clients) this.#queues[job.state].push(client, job, isFirst);
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#rest(performance.now());
  }

  /** Until the next turn. `since`: when the last one ended, or work came while there was none. */
  #rest(since: number): void {
    const from = performance.now();
    setImmediate(() => {
      const now = performance.now();
      const isWanted = now - from > IDLE_ROUND_MS;
      const earnedMs = (now - since) / REST_OF_A_TURN;
      if (isWanted && earnedMs < SHORTEST_TURN_MS) this.#rest(since);
      else this.#takeTurn(now, now + Math.min(Math.max(SHORTEST_TURN_MS, earnedMs), LONGEST_TURN_MS));
    });
  }

  #takeTurn(beganAt: number, endsAt: number): void {
    let now = beganAt;
    this.#giveUp(now);
    while (now < endsAt) {
      const job = this.#next();
      if (job === undefined) {
        this.#isScheduled = false;
        return;
      }
      now = this.#advance(job, now, Math.min(endsAt, now + SHARE_MS));
    }
    this.#rest(now);
  }

  #next(): Job | undefined {
    for (let tried = 0; tried < this.#lanes.length; tried += 1) {
      const lane = this.#lanes.shift()!;
      this.#lanes.push(lane);
      const job = lane();
      if (job !== undefined) return job;
    }
    return undefined;
  }

  /** What is parked takes the places that are free. */
  #takeLong(): Job | undefined {
    while (this.#places.total < MOST_LONG) {
      const job = this.#takeWaiting('parked', (client) => this.#places.of(client) < MOST_LONG_OF_CLIENT);
      if (job === undefined) break;
      job.hasPlace = true;
      this.#impatient.delete(job);
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
      if (job.askers.every(({ isGone }) => isGone?.() === true)) this.#refuse(job, 'gone');
      else {
        job.state = 'begun';
        return job;
      }
    }
  }

  /** Until this time, or a step longer. Returns the time. */
  #advance(job: Job, from: number, until: number): number {
    let now = from;
    try {
      let step = job.resume();
      job.resume = () => job.work.next();
      while ((now = performance.now()) < until && step.done !== true && step.value === undefined)
        step = job.work.next();
      job.spentMs += now - from;
      if (step.done === true) {
        this.#end(job);
        if (job.client !== undefined) this.#events.onDone?.(now - job.beganAt, job.spentMs);
        job.resolve(step.value as never);
      } else if (step.value === undefined) this.#enqueue(job);
      else this.#sleep(job, step.value);
    } catch (error) {
      this.#end(job);
      job.reject(error);
      now = performance.now();
    }
    return now;
  }

  #sleep(job: Job, promise: Promise<unknown>): void {
    const wake = (resume: Job['resume']): void => {
      if (job.state === 'over') return;
      job.resume = resume;
      this.#enqueue(job);
    };
    promise.then(
      (value) => wake(() => job.work.next(value)),
      (error: unknown) => wake(() => job.work.throw(error)),
    );
  }

  #giveUp(now: number): void {
    for (const job of this.#impatient) {
      if (now - job.beganAt <= this.#mostWaitMs) return;
      this.#refuse(job, 'wait');
    }
  }

  #refuse(job: Job, reason: WorkRefusal): void {
    this.#end(job, false);
    this.#events.onRefused?.(reason);
    job.reject(new ServiceError('overloaded'));
  }

  #end(job: Job, isDone = true): void {
    job.state = 'over';
    if (job.client === undefined) return;
    this.#impatient.delete(job);
    if (job.hasPlace) this.#places.subtract(job.client);
    if (isDone) {
      this.#backlog.complete(job.client);
      for (const asker of job.askers) this.#served.add(asker);
    } else this.#backlog.remove(job.client);
    this.#events.onJobs?.(this.#backlog.size);
  }
}

function* startLater<T>(begin: () => Work<T>): Work<T> {
  return yield* begin();
}
