/** The ranges of time that the charts of the overview can show, by their names in the address. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The ranges by name. `step`: that of the points in the charts. */
export const RANGES = {
  '1h': { step: 'minute', lengthMs: HOUR_MS },
  '6h': { step: 'minute', lengthMs: 6 * HOUR_MS },
  '48h': { step: 'minute', lengthMs: 48 * HOUR_MS },
  '30d': { step: 'hour', lengthMs: 30 * DAY_MS },
  '400d': { step: 'hour', lengthMs: 400 * DAY_MS },
} as const;
export type HistoryRange = keyof typeof RANGES;

export function isHistoryRange(text: string | undefined): text is HistoryRange {
  return text !== undefined && Object.hasOwn(RANGES, text);
}
