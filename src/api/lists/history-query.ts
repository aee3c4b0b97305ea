/** The query for the history. */

import { HISTORY_STEPS, type HistoryStep } from '../../registry/history-record.ts';
import { Complaints, parseParameters, Wrong, type SingleParameters } from '../../model/query/parse-query.ts';

export interface HistoryQuery {
  readonly step: HistoryStep;
  /** The points from this time on, ms since the epoch. */
  readonly from: number;
  /** The points before this time. */
  readonly to: number;
}

const STEPS = Object.keys(HISTORY_STEPS) as HistoryStep[];

/** Whole seconds since 1970. Eleven digits reach to the year 5138; longer numbers are ms, which are not accepted. */
const SECONDS = /^\d{1,11}$/;
const DATE = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+ -]\d\d:\d\d))?$/;

const USUAL_STEP: HistoryStep = 'minute';
const TIME_SCHEMA = { type: 'string', pattern: `${SECONDS.source}|${DATE.source}` } as const;
const A_TIME = 'ISO 8601 with `Z` or an offset, a date (its beginning in UTC), or whole seconds since 1970.';

export const HISTORY_PARAMETERS: SingleParameters<Partial<HistoryQuery>> = {
  step: {
    description: 'How long each point is.',
    schema: { type: 'string', enum: STEPS, default: USUAL_STEP },
    read: (value) => STEPS.find((step) => step === value) ?? new Wrong(`must be ${STEPS.join(' or ')}`),
  },
  from: {
    description: `Only points that begin at this time or after it: ${A_TIME}`,
    schema: TIME_SCHEMA,
    read: parseTime,
  },
  to: {
    description: `Only points that begin before this time: ${A_TIME}`,
    schema: TIME_SCHEMA,
    read: parseTime,
  },
};

/** Reads a raw query string without its `?`. Throws a ServiceError `invalid_query`. */
export function parseHistoryQuery(raw: string): HistoryQuery {
  const { step = USUAL_STEP, from = -Infinity, to = Infinity } = parseParameters(raw, HISTORY_PARAMETERS);
  if (to < from) {
    const complaints = new Complaints();
    complaints.add('to', 'must not be before from');
    complaints.throwIfAny();
  }
  return { step, from, to };
}

/** Returns ms since the epoch. */
function parseTime(text: string): number | Wrong {
  if (SECONDS.test(text)) return Number(text) * 1000;
  const [, date] = DATE.exec(text) ?? [];
  // A plus sign that is not percent-encoded stands for a space.
  const time = date === undefined ? NaN : Date.parse(text.replace(' ', '+'));
  const isOnCalendar = !Number.isNaN(time) && new Date(`${date}T00:00Z`).toISOString().startsWith(date!);
  if (isOnCalendar) return time;
  return new Wrong('must be a time like 2026-11-22T10:00:00Z, a date, or whole seconds since 1970');
}
