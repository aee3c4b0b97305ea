/** What the metrics say of the process and its build. Knows nothing of what the process does. */

import type { Instruments } from './instruments.ts';

export interface ProcessFacts {
  /** Of GSLS. */
  readonly version: string;
  readonly nodeVersion: string;
  /** How many log lines were dropped so far. */
  readonly droppedLogLines: () => number;
}

export function createProcessMetrics(
  { constant, readCounter }: Instruments,
  { version, nodeVersion, droppedLogLines }: ProcessFacts,
): void {
  constant('gsls_build_info', 'always 1; the labels tell the version of GSLS and that of Node', {
    version,
    node: nodeVersion,
  });
  readCounter(
    'gsls_log_lines_dropped_total',
    'log lines that were dropped because the output did not take them',
    droppedLogLines,
  );
}
