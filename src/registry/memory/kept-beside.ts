/** What a registry in memory keeps beside its entries, as its journal has it: the histories, and the reports. */

import type { MemoryHistory } from './history/memory-history.ts';
import type { BesideChange } from './journal.ts';
import type { MemoryReports } from './memory-reports.ts';

export interface KeptBeside {
  /** Takes over what the journal has. */
  readonly load: (change: BesideChange) => void;
  /** All of it, as changes. */
  readonly changes: () => readonly BesideChange[];
}

export function keptBeside(history: MemoryHistory, reports: MemoryReports): KeptBeside {
  return {
    load: (change) => (change.is === 'reports' ? reports.load(change) : history.load(change)),
    changes: () => [...history.changes(), ...reports.changes()],
  };
}
