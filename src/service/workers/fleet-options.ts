/** The options of a fleet of workers: how a worker is started, and its events. */

import type { Clock } from '../../registry/registry.ts';
import type { FromReplica, Listening, ToReplica } from './messages.ts';

/** A worker as a process. */
export interface WorkerProcess {
  send(message: ToReplica): void;
  /** Ends it, whatever state it is in. */
  kill(): void;
}

export interface WorkerEvents {
  readonly onMessage: (message: FromReplica) => void;
  /** `how`: its exit code, or the signal that ended it. */
  readonly onEnd: (how: number | string) => void;
}

export interface FleetEvents {
  /** `first`: whether no worker has listened before. */
  readonly onListening: (worker: number, where: Listening, first: boolean) => void;
  readonly onDied: (worker: number, how: number | string, restartInMs: number) => void;
  /** The worker has given no sign of life, and is killed. */
  readonly onSilent: (worker: number, silentMs: number) => void;
  /** The worker cannot start, and others run. */
  readonly onFailed: (worker: number, message: string) => void;
  readonly onReplacing: (workers: number) => void;
  readonly onReplaced: () => void;
  /** The new worker has not come to listen: it and those after it are not replaced. */
  readonly onNotReplaced: (worker: number) => void;
  /** A message that is not about the life of a worker. */
  readonly onMessage: (from: WorkerProcess, message: FromReplica) => void;
  readonly onEnd: (worker: WorkerProcess) => void;
}

export interface FleetOptions {
  readonly workers: number;
  readonly start: (events: WorkerEvents) => WorkerProcess;
  readonly events: FleetEvents;
  /** How long a worker that is replaced goes on to answer. */
  readonly drainDelayMs: number;
  /** A clock in ms that cannot be set. */
  readonly clock: Clock;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
}
