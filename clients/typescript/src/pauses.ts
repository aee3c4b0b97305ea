/** How long a client waits before it asks the service again. */

import type { AwayReason } from './feed/contact-state.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** A reader connects again no sooner, whatever a stream says. */
const SHORTEST_PAUSE_MS = 100;
/** The longest pause that a Retry-After can ask for. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/**
 * 1 s, 2 s, 4 s and so on up to the longest, each shortened at random by up to a half: clients that failed together do
 * not come back together. `failures`: in a row, before this one. `random`: from 0 to 1.
 */
export function growingPauseMs(failures: number, longestMs: number, random: number): number {
  return Math.min(longestMs, FIRST_PAUSE_MS * 2 ** failures) * (0.5 + random / 2);
}

/**
 * The pause that Retry-After asks for, in seconds or as a date (RFC 9110, 10.2.3). ms; undefined if it is neither. The
 * service's `Date` tells from when a date counts; without one `now` does, ms since the epoch.
 */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const text = headers.get('Retry-After') ?? '';
  if (/^\d+$/.test(text)) return Math.min(1000 * Number(text), LONGEST_RETRY_AFTER_MS);
  const from = Date.parse(headers.get('Date') ?? '');
  const ms = Date.parse(text) - (Number.isNaN(from) ? now : from);
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), LONGEST_RETRY_AFTER_MS);
}

/** The pause after a failure that follows `failures` others in a row; at least `restMs`. `random`: from 0 to 1. */
export function pauseAfterFailure(
  reason: AwayReason,
  restMs: number | undefined,
  failures: number,
  random: number,
  longestMs: number = LONGEST_PAUSE_MS,
): number {
  const isHopeless = reason === 'unauthorized';
  const pauseMs = growingPauseMs(
    isHopeless ? Infinity : failures,
    isHopeless ? LONGEST_PAUSE_MS : longestMs,
    random,
  );
  return Math.max(pauseMs, restMs ?? 0);
}

/** The pause after a stream. `retryMs`: the one that the stream has set, if any. `random`: from 0 to 1. */
export function pauseAfterStream(
  retryMs: number | undefined,
  random: number,
  longestMs: number = LONGEST_PAUSE_MS,
): number {
  const wantedMs = retryMs ?? growingPauseMs(0, FIRST_PAUSE_MS, random);
  return Math.min(Math.max(wantedMs, SHORTEST_PAUSE_MS), longestMs);
}
