/** Keeps the points of the history up to date while the page is visible. */

import { useMemo, useState } from 'preact/hooks';
import { getJson, type Answers } from '../connection/get-json.ts';
import { addPoints, STEP_MS, type KnownPoints, type PointStep } from './history.ts';
import { useRepeated } from '../connection/use-repeated.ts';

const REFRESH_MS = 60_000;
/** A replica may learn of a point late: so many are asked for again. */
const REPEATED_POINTS = 5;

export interface HistoryStatus {
  /** Undefined before the first answer. */
  readonly points: KnownPoints | undefined;
  readonly hasFailed: boolean;
}

/** The points of the last `lengthMs`. */
export function useHistory(step: PointStep, lengthMs: number): HistoryStatus {
  const [status, setStatus] = useState<{ readonly refresh: unknown; readonly points: KnownPoints }>();
  const refresh = useMemo(() => {
    let known: KnownPoints = new Map();
    return async function update(signal: AbortSignal): Promise<void> {
      const first = Date.now() - lengthMs - STEP_MS[step];
      const latest = Math.max(...known.keys());
      const from = Math.max(first, latest - REPEATED_POINTS * STEP_MS[step]);
      const query = `step=${step}&from=${new Date(from).toISOString()}`;
      const { points } = await getJson<Answers['History']>(`history?${query}`, signal);
      known = addPoints(known, points, first);
      setStatus({ refresh: update, points: known });
    };
  }, [step, lengthMs]);
  const hasFailed = useRepeated(refresh, REFRESH_MS);
  return { points: status?.refresh === refresh ? status.points : undefined, hasFailed };
}
