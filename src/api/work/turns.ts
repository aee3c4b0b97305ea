/**
 * Shares the event loop between the work of readers and everything else. Clients have their turns one after the other
 * (lanes.ts), in turns of all work (Rhythm). Work that would wait too long is refused.
 */

import { DEADLINES } from '../../runtime/deadlines.ts';
import { ServiceError } from '../../model/service-error.ts';
import { networkOf } from '../../model/net/ip.ts';
import { Backlog } from './backlog.ts';
import { Lanes, SHARE_MS, type Job } from './lanes.ts';
import { OWN, type Asker, type Shared, type Work, type WorkEvents, type WorkRefusal } from './work.ts';

/** How many jobs of clients may wait. Each takes some hundred bytes until it begins. */
const MOST_JOBS = 4096;

export interface TurnsOptions {
  readonly events?: Partial<WorkEvents> | undefined;
  /** The longest time until work is done or has a place among the long jobs, in ms. */
  readonly mostWaitMs?: number | undefined;
}

export class Turns {
  readonly #events: Partial<WorkEvents>;
  readonly #mostWaitMs: number;
  readonly #lanes = new Lanes((job) => this.#refuse(job, 'gone'));
  readonly #rhythm = new Rhythm((now, endsAt) => this.#takeTurn(now, endsAt));
  /** The jobs that are given up once they have waited too long, the oldest first. */
  readonly #impatient = new Set<Job>();
  readonly #admitted = new WeakSet<Asker>();
  readonly #backlog = new Backlog();

  constructor({ events = {}, mostWaitMs = DEADLINES.workWaitMs }: TurnsOptions = {}) {
    this.#events = events;
    this.#mostWaitMs = mostWaitMs;
  }

  /** Resolves with the result of the work. `begin` is called in a later round of the event loop. */
  run<T>(asker: Asker, begin: () => Work<T>): Promise<T> {
    return this.share(asker, begin).result;
  }

  /** Runs work for which others may come to wait as well. */
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
   * Admits the asker: nothing that it wants is refused from then on. Throws a ServiceError `overloaded` if it would
   * wait too long.
   */
  admit(asker: Asker): void {
    this.check(asker);
    if (asker !== OWN) this.#admitted.add(asker);
  }

  /** Throws as admit() does, without admitting the asker. */
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
    this.#lanes.join(job, asker);
  }

  #enqueue(job: Job): void {
    this.#lanes.add(job);
    this.#rhythm.begin();
  }

  #takeTurn(beganAt: number, endsAt: number): number | undefined {
    let now = beganAt;
    this.#giveUp(now);
    while (now < endsAt) {
      const job = this.#lanes.next();
      if (job === undefined) return undefined;
      now = this.#advance(job, now, Math.min(endsAt, now + SHARE_MS));
    }
    return now;
  }

  /** Runs the job until this time, or a step longer. Returns the time. */
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
      if (job.hasPlace) this.#impatient.delete(job);
      else if (now - job.beganAt <= this.#mostWaitMs) return;
      else this.#refuse(job, 'wait');
    }
  }

  #refuse(job: Job, reason: WorkRefusal): void {
    this.#end(job, false);
    this.#events.onRefused?.(reason);
    job.reject(new ServiceError('overloaded'));
  }

  #end(job: Job, isDone = true): void {
    this.#lanes.end(job, isDone);
    if (job.client === undefined) return;
    this.#impatient.delete(job);
    if (isDone) this.#backlog.complete(job.client);
    else this.#backlog.remove(job.client);
    this.#events.onJobs?.(this.#backlog.size);
  }
}

function* startLater<T>(begin: () => Work<T>): Work<T> {
  return yield* begin();
}

/** The shortest and the longest turn of all work together, in ms. */
const SHORTEST_TURN_MS = 1;
const LONGEST_TURN_MS = 8;
/**
 * Everything else has this many times as long between two turns, if it wants that. A single round of the event loop
 * would not do: it accepts one connection alone, so that waiting connections would have a turn of work between any two.
 */
const REST_OF_A_TURN = 3;
/** In a round that takes no longer, nothing else wanted the event loop. */
const IDLE_ROUND_MS = 0.05;

/** Works from now until `endsAt`, or a step longer. Returns when it ended; undefined once there is nothing to do. */
type TakeTurn = (now: number, endsAt: number) => number | undefined;

/** The turns of work on the event loop: all the time while nothing else wants it, else a quarter of the time. */
class Rhythm {
  readonly #takeTurn: TakeTurn;
  #hasBegun = false;

  constructor(takeTurn: TakeTurn) {
    this.#takeTurn = takeTurn;
  }

  /** Begins turns, which follow each other until there is nothing to do. */
  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#rest(performance.now());
  }

  /** Waits until the next turn. `since`: when the last one ended, or when work came while there was none. */
  #rest(since: number): void {
    const from = performance.now();
    setImmediate(() => {
      const now = performance.now();
      const isWanted = now - from > IDLE_ROUND_MS;
      const earnedMs = (now - since) / REST_OF_A_TURN;
      if (isWanted && earnedMs < SHORTEST_TURN_MS) return this.#rest(since);
      const lengthMs = Math.min(Math.max(SHORTEST_TURN_MS, earnedMs), LONGEST_TURN_MS);
      const endedAt = this.#takeTurn(now, now + lengthMs);
      if (endedAt === undefined) this.#hasBegun = false;
      else this.#rest(endedAt);
    });
  }
}
