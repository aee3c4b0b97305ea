/** A fleet whose workers are played by the test, with a clock that it moves. */

import type { FleetOptions, WorkerEvents } from '../../../src/service/workers/fleet-options.ts';
import { Fleet } from '../../../src/service/workers/fleet.ts';
import type { FromReplica, ToReplica } from '../../../src/service/workers/messages.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** A worker that does nothing by itself, but end when it is killed. */
export class FakeWorker {
  readonly heard: ToReplica[] = [];
  isKilled = false;
  readonly #events: WorkerEvents;

  constructor(events: WorkerEvents) {
    this.#events = events;
  }

  send(message: ToReplica): void {
    this.heard.push(message);
  }

  kill(): void {
    this.isKilled = true;
    this.end('SIGKILL');
  }

  tell(message: FromReplica): void {
    this.#events.onMessage(message);
  }

  listen(): void {
    this.tell({ is: 'born' });
    this.tell({ is: 'listening', url: 'http://localhost:1' });
  }

  end(how: number | string = 0): void {
    this.#events.onEnd(how);
  }

  /** The kinds of messages that it got. */
  get told(): readonly string[] {
    return this.heard.map(({ is }) => is);
  }
}

export interface PlayedFleet {
  readonly fleet: Fleet;
  readonly clock: ManualClock;
  /** All that were ever started, in order. */
  readonly workers: readonly FakeWorker[];
  /** What the fleet has reported, in words. */
  readonly log: string[];
}

export const DRAIN_DELAY_MS = 3000;

export function playFleet(workers: number, options: Partial<FleetOptions> = {}): PlayedFleet {
  const clock = new ManualClock();
  const started: FakeWorker[] = [];
  const log: string[] = [];
  const fleet = new Fleet({
    workers,
    start(events) {
      const worker = new FakeWorker(events);
      started.push(worker);
      return worker;
    },
    events: {
      onListening: (worker, { url }, first) => log.push(`${worker} listens${first ? ` on ${url}` : ''}`),
      onDied: (worker, how, ms) => log.push(`${worker} died of ${how}, again in ${ms}`),
      onSilent: (worker, ms) => log.push(`${worker} silent for ${ms}`),
      onFailed: (worker, message) => log.push(`${worker} failed: ${message}`),
      onReplacing: (count) => log.push(`replacing ${count}`),
      onReplaced: () => log.push('replaced'),
      onNotReplaced: (worker) => log.push(`${worker} not replaced`),
      onMessage: (_, { is }) => log.push(is),
      onEnd: () => undefined,
    },
    drainDelayMs: DRAIN_DELAY_MS,
    clock,
    random: () => 0.5,
    ...options,
  });
  return { fleet, clock, workers: started, log };
}
