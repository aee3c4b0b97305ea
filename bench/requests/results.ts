/** What a run of the benchmark gives. */

import type { Spread } from '../support/median.ts';
import type { SubjectName } from './subjects.ts';

export interface Measurement {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** µs of the subject per request. */
  readonly cpuUs: number;
  /** µs of the Redis process per request; 0 for a subject without Redis. */
  readonly redisCpuUs: number;
  readonly errors: number;
}

/** The medians of all rounds. */
export interface Row extends Measurement {
  readonly name: string;
  readonly count: number;
  readonly subject: SubjectName;
  /** Over the rounds. */
  readonly spread: { readonly requestsPerSecond: Spread; readonly cpuUs: Spread };
  /** Of the medians, to the floor of the same case. */
  readonly ratio: Ratio;
}

export type Ratio = Readonly<Record<'requestsPerSecond' | 'p50' | 'p99' | 'cpu', number>>;

/** A figure of its own. */
export interface Extra {
  readonly name: string;
  readonly count: number;
  readonly value: number;
  readonly unit: string;
}

export interface Results {
  readonly machine: {
    readonly cpus: string;
    readonly cores: number;
    readonly memoryGiB: number;
    readonly node: string;
  };
  readonly rounds: number;
  readonly seconds: number;
  readonly rows: readonly Row[];
  readonly extras: readonly Extra[];
}
