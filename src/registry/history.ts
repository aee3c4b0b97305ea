/** The port of the history: what the list showed (history-record.ts). */

import type { HistoryPoints, HistoryStep } from './history-record.ts';

export interface History {
  /**
   * What the list showed, by the minute or by the hour, with the latest point within some seconds of its end. Throws a
   * ServiceError `registry_unavailable` if that was never loaded.
   */
  points(step: HistoryStep): Promise<HistoryPoints>;
}
