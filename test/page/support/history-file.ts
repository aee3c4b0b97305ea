/**
 * A data file whose registry has a history: that of a community that grows, with days and weekends, and a gap. The same
 * for the same time. Knows nothing of game servers.
 */

import { writeFileSync } from 'node:fs';
import { formatChange, HEADER } from '../../../src/registry/data-file/file-format.ts';
import {
  beginningOf,
  HISTORY_STEPS,
  type HistoryPoint,
  type HistoryStep,
} from '../../../src/registry/history.ts';
import { KeptHistory } from '../../../src/registry/memory/kept-history.ts';

export interface HistoryEnd {
  /** ms since the epoch. */
  readonly now: number;
  /** What the list shows at the end. */
  readonly servers: number;
  readonly players: number;
}

const HOUR_MS = HISTORY_STEPS.hour.ms;
const DAY_MS = 24 * HOUR_MS;
/** The service had no current list from so many hours ago on, for so many minutes. */
const GAP = { hoursAgo: 9, minutes: 25 };

export function writeHistoryFile(path: string, end: HistoryEnd): void {
  const history = new KeptHistory(undefined);
  for (const step of ['minute', 'hour'] as const)
    history.load({ is: 'history', id: `history-${step}-0`, step, points: pointsOf(step, end) });
  writeFileSync(path, HEADER + Array.from(history.changes(), formatChange).join(''));
}

function pointsOf(step: HistoryStep, end: HistoryEnd): HistoryPoint[] {
  const { ms, most } = HISTORY_STEPS[step];
  const last = beginningOf(step, end.now) - ms;
  const gapAt = beginningOf('minute', end.now) - GAP.hoursAgo * HOUR_MS;
  return Array.from({ length: most }, (_, i) => last - (most - 1 - i) * ms)
    .filter(
      (time) => step === 'hour' || time < gapAt || time >= gapAt + GAP.minutes * HISTORY_STEPS.minute.ms,
    )
    .map((time) => pointAt(time, end));
}

function pointAt(time: number, { now, servers, players }: HistoryEnd): HistoryPoint {
  const growth = 1 - (now - time) / (600 * DAY_MS);
  const shown = Math.round(servers * growth * (1 + wave(time, DAY_MS, now) / 30));
  const busy = growth * (1 + 0.35 * wave(time, DAY_MS, now) + 0.12 * wave(time, 7 * DAY_MS, now));
  const played = Math.round(players * busy * (1 + noise(time) / 50));
  return { time, servers: shown, players: played, peak: Math.round(played * 1.04) };
}

/** 0 at `now`, so that the history ends where the list is; from -2 to 0 before it. */
function wave(time: number, periodMs: number, now: number): number {
  return Math.cos((2 * Math.PI * (now - time)) / periodMs) - 1;
}

/** -1 to 1. */
function noise(time: number): number {
  return Math.sin(time / 7e5) * Math.cos(time / 3.1e6);
}
