/** What a registry in memory keeps beside its entries, as its journal has it: the histories, and the reports. */

import type { Clock } from '../../registry.ts';
import type { BesideChange } from '../journal.ts';
import { createMemoryHistory, type MemoryHistory, type MemoryHistoryOptions } from './memory-history.ts';
import { MemoryReports } from './memory-reports.ts';

export type { MemoryHistoryOptions };

export interface KeptBeside {
  readonly history: MemoryHistory;
  readonly reports: MemoryReports;
  /** Takes over what the journal has. */
  readonly load: (change: BesideChange) => void;
  /** All of it, as changes. */
  readonly changes: () => readonly BesideChange[];
}

export function createKeptBeside(
  registry: Parameters<typeof createMemoryHistory>[0],
  options: MemoryHistoryOptions,
  clock: Clock,
): KeptBeside {
  const history = createMemoryHistory(registry, options, clock);
  const reports = new MemoryReports(clock, options.journal);
  return {
    history,
    reports,
    load: (change) => (change.is === 'reports' ? reports.load(change) : history.load(change)),
    changes: () => [...history.changes(), ...reports.changes()],
  };
}
