/** What a run of the benchmark gives. Knows neither how it is measured nor how it is shown. */

import type { Extra } from './redis-cost.ts';
import type { SubjectName } from './subjects.ts';

export interface Measurement {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuUs: number;
  readonly errors: number;
}

export interface Row extends Measurement {
  readonly name: string;
  readonly count: number;
  readonly subject: SubjectName;
  /** Of the medians, to the floor of the same case. */
  readonly ratio: { readonly requestsPerSecond: number; readonly p99: number; readonly cpu: number };
  readonly goal?: string;
  readonly isReached?: boolean;
}

export interface Results {
  readonly machine: {
    readonly cpus: string;
    readonly cores: number;
    readonly memoryGiB: number;
    readonly node: string;
    readonly load: string;
  };
  readonly rounds: number;
  readonly seconds: number;
  readonly rows: readonly Row[];
  readonly extras: readonly Extra[];
}
