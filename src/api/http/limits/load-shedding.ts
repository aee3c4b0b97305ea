/**
 * Load shedding: an overloaded replica refuses some requests at once, instead of answering all of them late. Broadcasts
 * are refused first, then lists, and pings last, so that a listed game server stays listed. Removes, health and metrics
 * are never refused.
 *
 * The measure is the delay of the event loop: how much later than due a timer runs, which is about how long each
 * request waits. The median of the last five delays counts. A pause (garbage collection, a process that was frozen)
 * delays one of the five timers, and is no load; a queue that does not empty delays most of them.
 */

import { DEADLINES, type Deadlines } from '../../../runtime/deadlines.ts';
import { ServiceError } from '../../../model/service-error.ts';
import type { Logger } from '../../../runtime/log/logger.ts';
import { withLimits, type Endpoint, type RequestKind, type Route } from '../route.ts';

/**
 * The median in ms from which each kind is refused. It is refused until all five delays are below half of that, so that
 * a replica does not change its mind at each tick.
 */
type LimitsMs = Deadlines['eventLoopDelayMs'];

export type SheddableKind = keyof LimitsMs;

export const SHEDDABLE_KINDS = Object.keys(DEADLINES.eventLoopDelayMs) as readonly SheddableKind[];

const TICK_MS = 100;
const DELAYS = 5;

export interface LoadWatchOptions {
  /** Called when the refused kinds change, with the kinds refused from now on and the median in ms. */
  readonly onChange?: (shed: readonly SheddableKind[], delayMs: number) => void;
  /** Called with the median at each tick. */
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

/** How often a replica that is overloaded again and again logs it at most. */
const LOG_INTERVAL_MS = 60_000;

export interface LoadEvents {
  readonly onDelay: (delayMs: number) => void;
  readonly onShed: (shed: readonly SheddableKind[]) => void;
}

/** A watch that reports to the log and the metrics. `now`: ms of a clock that cannot be set. */
export function createLoadWatch(
  logger: Logger,
  { onDelay, onShed }: LoadEvents,
  deadlines: Pick<Deadlines, 'eventLoopDelayMs'>,
  now = (): number => performance.now(),
): LoadWatch {
  let loggedAt = -Infinity;
  /** Whether the end of the load shedding must still be logged. */
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

/** The routes, which refuse with `overloaded` the kinds that the watch sheds. */
export function shedLoad(routes: readonly Route[], load: Pick<LoadWatch, 'sheds'>): readonly Route[] {
  return routes.map((route) => {
    const kind = route.kind && sheddableKind(route.kind);
    if (kind === undefined) return route;
    const endpoint: Endpoint = (request) =>
      load.sheds(kind) ? Promise.reject(new ServiceError('overloaded')) : route.endpoint(request);
    return withLimits(route, endpoint);
  });
}

/** The kind under which a request is shed; undefined if it never is. */
export function sheddableKind(kind: RequestKind): SheddableKind | undefined {
  if (kind === 'remove') return undefined;
  return kind === 'join' || kind === 'doctor' || kind === 'report' ? 'list' : kind;
}
