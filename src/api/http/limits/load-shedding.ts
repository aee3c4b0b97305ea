/**
 * Load shedding: a replica that has more to do than it can refuses some requests at once, rather than all of them late.
 * Broadcasts go first, then lists, pings last: a game server that is listed already stays listed. Removes, health and
 * metrics are never refused.
 *
 * The measure is the delay of the event loop: how much later than due a timer runs, which is about how long each
 * request waits. What counts is the median of the last five delays. A pause (garbage collection, a process
 * that was frozen) delays one of the five timers, and is no load; a queue that does not empty delays most of them.
 */

import { DEADLINES, type Deadlines } from '../../../runtime/deadlines.ts';
import { ServiceError } from '../../../model/service-error.ts';
import type { Logger } from '../../../runtime/log/logger.ts';
import type { Endpoint, RequestKind, Route } from '../route.ts';

/**
 * From which median on each kind is refused, ms; until all five delays are below the half of it, so that a replica does
 * not change its mind at each tick.
 */
type LimitsMs = Deadlines['eventLoopDelayMs'];

export type SheddableKind = keyof LimitsMs;

export const SHEDDABLE_KINDS = Object.keys(DEADLINES.eventLoopDelayMs) as readonly SheddableKind[];

const TICK_MS = 100;
const DELAYS = 5;

export interface LoadWatchOptions {
  /** Is called with the kinds that are refused from now on, and the median in ms, when the kinds change. */
  readonly onChange?: (shed: readonly SheddableKind[], delayMs: number) => void;
  /** Is called with the median at each tick. */
  readonly onDelay?: (delayMs: number) => void;
  /** ms of a clock that cannot be set. */
  readonly now?: () => number;
  readonly deadlines?: Pick<Deadlines, 'eventLoopDelayMs'>;
}

export class LoadWatch {
  readonly #options: LoadWatchOptions;
  readonly #now: () => number;
  readonly #limitsMs: LimitsMs;
  /** The latest delays, in ms. */
  readonly #delaysMs: number[] = Array.from({ length: DELAYS }, () => 0);
  #tickedAt: number;
  #shed: readonly SheddableKind[] = [];

  constructor(options: LoadWatchOptions = {}) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#limitsMs = (options.deadlines ?? DEADLINES).eventLoopDelayMs;
    this.#tickedAt = this.#now();
  }

  /** Watches the event loop of this process, until the returned function is called. */
  start(): () => void {
    this.#tickedAt = this.#now();
    const timer = setInterval(() => this.tick(), TICK_MS).unref();
    return () => clearInterval(timer);
  }

  /** Runs each TICK_MS, or later. */
  tick(): void {
    const now = this.#now();
    this.#delaysMs.shift();
    this.#delaysMs.push(Math.max(0, now - this.#tickedAt - TICK_MS));
    this.#tickedAt = now;
    const sorted = this.#delaysMs.toSorted((a, b) => a - b);
    const median = sorted[(DELAYS - 1) / 2]!;
    const longest = sorted.at(-1)!;
    this.#options.onDelay?.(median);
    const shed = SHEDDABLE_KINDS.filter(
      (kind) => median >= this.#limitsMs[kind] || (this.sheds(kind) && longest >= this.#limitsMs[kind] / 2),
    );
    if (shed.length === this.#shed.length) return;
    this.#shed = shed;
    this.#options.onChange?.(shed, median);
  }

  /** Whether requests of the kind are to be refused. */
  sheds(kind: SheddableKind): boolean {
    return this.#shed.length > 0 && this.#shed.includes(kind);
  }
}

/** A replica that is overloaded again and again says so no more often. */
const LOG_INTERVAL_MS = 60_000;

export interface LoadEvents {
  readonly onDelay: (delayMs: number) => void;
  readonly onShed: (shed: readonly SheddableKind[]) => void;
}

/** A watch that tells the log and the metrics. `now`: ms of a clock that cannot be set. */
export function createLoadWatch(
  logger: Logger,
  { onDelay, onShed }: LoadEvents,
  deadlines: Pick<Deadlines, 'eventLoopDelayMs'>,
  now = (): number => performance.now(),
): LoadWatch {
  let loggedAt = -Infinity;
  /** Whether the end of the load shedding is still to be told. */
  let isUntold = false;
  return new LoadWatch({
    now,
    deadlines,
    onDelay,
    onChange(shed, delayMs) {
      onShed(shed);
      if (shed.length === 0) {
        const shedMs = Math.round(now() - loggedAt);
        if (isUntold) logger.info({ shedMs }, 'this replica takes all requests again');
        isUntold = false;
        return;
      }
      if (now() < loggedAt + LOG_INTERVAL_MS) return;
      loggedAt = now();
      isUntold = true;
      logger.warn(
        { shed, delayMs: Math.round(delayMs) },
        'this replica has more to do than it can, and refuses some requests: start more replicas, or find out who asks so much',
      );
    },
  });
}

/** The routes, refusing with `overloaded` what the watch says. */
export function shedLoad(routes: readonly Route[], load: Pick<LoadWatch, 'sheds'>): readonly Route[] {
  return routes.map((route) => {
    const kind = route.kind && sheddableKind(route.kind);
    if (kind === undefined) return route;
    const endpoint: Endpoint = (request) =>
      load.sheds(kind) ? Promise.reject(new ServiceError('overloaded')) : route.endpoint(request);
    return { ...route, endpoint };
  });
}

/** As which a request is shed; undefined for one that never is. */
export function sheddableKind(kind: RequestKind): SheddableKind | undefined {
  if (kind === 'remove') return undefined;
  return kind === 'join' || kind === 'doctor' ? 'list' : kind;
}
