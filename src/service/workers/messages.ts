/** The messages between the primary and a worker, over the channel that node:cluster opens between them. */

import type { Family } from '../metrics/families.ts';

export type ToReplica =
  | {
      readonly is: 'start';
      /** Its number, 1 to `workers`. */
      readonly worker: number;
      readonly workers: number;
      /** Whether others answer already: then it listens only once it can. */
      readonly othersListen: boolean;
    }
  | { readonly is: 'reload' }
  | {
      readonly is: 'leave';
      /** How long it goes on to answer, as at a signal. */
      readonly delayMs: number;
      /** Whether another one has its place already, so that the service goes on. */
      readonly isReplaced: boolean;
    }
  | { readonly is: 'tellMetrics'; readonly scrape: number }
  /** The metrics of all workers, which it asked for. */
  | { readonly is: 'allMetrics'; readonly request: number; readonly families: readonly Family[] };

export type FromReplica =
  /** The worker receives from now on: what was sent before is lost. */
  | { readonly is: 'born' }
  /** A sign of life. */
  | { readonly is: 'alive' }
  | ({ readonly is: 'listening' } & Listening)
  /** It cannot start, for a reason that the operator has to mend. It ends by itself. */
  | ({ readonly is: 'failed' } & StartFailure)
  /** Its own metrics; without a scrape the last ones, at its end. */
  | { readonly is: 'metrics'; readonly scrape?: number | undefined; readonly families: readonly Family[] }
  | { readonly is: 'gatherMetrics'; readonly request: number };

/** The URLs of the service, which all workers share. */
export interface Listening {
  readonly url: string;
  readonly browseUrl?: string | undefined;
  readonly opsUrl?: string | undefined;
}

export interface StartFailure {
  /** One line. */
  readonly message: string;
  readonly isUsage: boolean;
}

/** Loaders of development send messages of their own over the channel. */
export function isOurs(message: unknown): message is { readonly is: string } {
  return typeof message === 'object' && message !== null && 'is' in message;
}
