/**
 * A past for a list that begins only now: how many game servers and players a community that grows has had, with its
 * days and weeks. The same for the same time.
 */

import type { HistoryPoint, HistoryRecord } from '../../registry/history-record.ts';

export interface PastEnd {
  /** ms since the epoch. */
  readonly now: number;
  /** The counts that the list shows at `now`. */
  readonly servers: number;
  readonly players: number;
  /** How long ago it begins, if that is more than 48 hours. */
  readonly days: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** How long ago there was nothing. */
const GROWTH_MS = 600 * DAY_MS;

export function createPast(end: PastEnd): HistoryRecord {
  return { minute: pointsOf(MINUTE_MS, 48 * 60, end), hour: pointsOf(HOUR_MS, 24 * end.days, end) };
}

/** Invents `count` points, up to the last one that is over. */
function pointsOf(lengthMs: number, count: number, end: PastEnd): HistoryPoint[] {
  const present = Math.floor(end.now / lengthMs) * lengthMs;
  return Array.from({ length: count }, (_, n) => pointAt(present - (count - n) * lengthMs, end));
}

function pointAt(time: number, { now, servers, players }: PastEnd): HistoryPoint {
  const growth = 1 - (now - time) / GROWTH_MS;
  const shown = Math.round(servers * growth * (1 + wave(time, DAY_MS, now) / 30));
  const busy = growth * (1 + 0.35 * wave(time, DAY_MS, now) + 0.12 * wave(time, 7 * DAY_MS, now));
  const played = Math.round(players * busy * (1 + noise(time) / 50));
  return { time, servers: shown, players: played, peak: Math.round(played * 1.04) };
}

/** 0 at `now`, so that the past ends where the list is; from -2 to 0 before it. */
function wave(time: number, periodMs: number, now: number): number {
  return Math.cos((2 * Math.PI * (now - time)) / periodMs) - 1;
}

/** -1 to 1. */
function noise(time: number): number {
  return Math.sin(time / 7e5) * Math.cos(time / 3.1e6);
}
