/** Keeps the statistics of the whole list up to date while the page is visible. */

import { useCallback, useState } from 'preact/hooks';
import { getJson, type Answers } from '../connection/get-json.ts';
import { useRepeated } from '../connection/use-repeated.ts';

type Stats = Answers['Stats'];

const REFRESH_MS = 10_000;

export interface StatsStatus {
  /** Undefined before the first answer. */
  readonly stats: Stats | undefined;
  /** When they were told, in ms since the epoch. */
  readonly toldAt: number;
  /** Whether they could not be had the last time. */
  readonly hasFailed: boolean;
}

export function useStats(): StatsStatus {
  const [told, setTold] = useState<{ readonly stats: Stats; readonly toldAt: number }>();
  const refresh = useCallback(async (signal: AbortSignal) => {
    const stats = await getJson<Stats>('stats', signal);
    setTold({ stats, toldAt: Date.now() });
  }, []);
  const hasFailed = useRepeated(refresh, REFRESH_MS);
  return { stats: told?.stats, toldAt: told?.toldAt ?? 0, hasFailed };
}
