/** What the process of the game servers is told, and what it tells. */

import type { Counts } from '../support/histogram.ts';

export interface GameServersOptions {
  readonly host: string;
  readonly port: number;
  /** The most there will be. */
  readonly capacity: number;
  /** That they open at most. */
  readonly connections: number;
  readonly pingIntervalMs: number;
  /** The share of pings that bring another number of players. */
  readonly changed: number;
}

/** What has happened since the beginning. */
export interface GameServersReport {
  /** Listed by their own knowledge, and not silent. */
  readonly living: number;
  /** Their last request failed, and they try again. */
  readonly failing: number;
  /** Living game servers that were told that their id is unknown. */
  readonly lost: number;
  readonly pings: Counts;
  readonly broadcasts: Counts;
  /** Answers by status; 0 for none. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Pings that could not be sent within one interval after they were due. */
  readonly late: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
}
