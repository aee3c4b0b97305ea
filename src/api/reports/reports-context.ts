/** What the room of reports is told. */

import type { Context } from '../http/context.ts';

export interface ReportRules {
  /** The reasons that a report may have; none if there are no reports. */
  readonly reasons: readonly string[];
  readonly takesNotes: boolean;
  /** From how many networks on reports hide an entry; undefined if they never do. */
  readonly hides: number | undefined;
}

export interface ReportsContext extends Context {
  readonly options: ReportRules;
  /** Called for each report that is noted. */
  readonly onReport: () => void;
}
