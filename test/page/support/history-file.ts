/**
 * A data file whose registry has a history: the past of a community that grows, with a gap. The same for the same time.
 */

import { writeFileSync } from 'node:fs';
import { formatChange, HEADER } from '../../../src/registry/data-file/file-format.ts';
import { beginningOf, HISTORY_STEPS } from '../../../src/registry/history-record.ts';
import { MemoryHistory } from '../../../src/registry/memory/beside/memory-history.ts';
import { createPast, type PastEnd } from '../../../src/tools/demo/past.ts';

const DAYS = 400;
/** The service had no current list from so many hours ago on, for so many minutes. */
const GAP = { hoursAgo: 9, minutes: 25 };

/** `minutes`: of a service that is up for so long. */
export function writeHistoryFile(
  path: string,
  { minutes: up, ...end }: Omit<PastEnd, 'days'> & { readonly minutes?: number },
): void {
  const past = createPast({ ...end, days: DAYS });
  const gapAt = beginningOf('minute', end.now) - GAP.hoursAgo * HISTORY_STEPS.hour.ms;
  const gapEndsAt = gapAt + GAP.minutes * HISTORY_STEPS.minute.ms;
  const minute = past.minute.filter(({ time }) => time < gapAt || time >= gapEndsAt);
  const history = new MemoryHistory(
    undefined,
    up === undefined ? { ...past, minute } : { hour: [], minute: minute.slice(-up) },
  );
  writeFileSync(path, HEADER + Array.from(history.changes(), formatChange).join(''));
}
