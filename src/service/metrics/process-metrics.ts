/** What the metrics say of the process. Knows nothing of what the process does. */

import type { Instruments } from './instruments.ts';

export interface ProcessMetrics {
  /** Brings the metrics to the present. */
  readonly read: () => void;
}

/** `droppedLogLines` gives the number of log lines dropped so far. */
export function createProcessMetrics(
  { counter }: Instruments,
  droppedLogLines: () => number,
): ProcessMetrics {
  const droppedLines = counter(
    'gsls_log_lines_dropped_total',
    'log lines that were dropped because the output did not take them',
  );
  return {
    read() {
      droppedLines.reset();
      droppedLines.inc(droppedLogLines());
    },
  };
}
