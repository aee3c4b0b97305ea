/** Judges how another Redis became the master: how long writes were refused, and whether all was well once it had. */

import type { Operation } from './recorder.ts';
import type { Window } from './trial.ts';

/** "Complete again within one second." */
const NOTICED_WITHIN_MS = 1000;

/** What is wrong with a fault that was mended once there was another master, in sentences. */
export function judgeTakeover(window: Window, longestOutageMs: number): string[] {
  const { mendedAt, operations } = window;
  const late = operations.filter(({ sentAt }) => sentAt > mendedAt + NOTICED_WITHIN_MS);
  const reasons: string[] = [];
  if (outageMs(window) > longestOutageMs) reasons.push(`writes were refused for over ${longestOutageMs} ms`);
  if (late.some(isRefused)) reasons.push('a write was refused though there had been a master for a second');
  if (late.some(({ stale }) => stale))
    reasons.push('a list was stale though there had been a master for a second');
  return reasons;
}

export function describeTakeover(window: Window): string[] {
  const outage = (outageMs(window) / 1000).toFixed(1);
  const another = ((window.mendedAt - window.from) / 1000).toFixed(1);
  return [`writes refused for ${outage} s, another master after ${another} s`];
}

/** From when the first write was sent that was refused, until the last one was. */
function outageMs({ operations }: Window): number {
  const refused = operations.filter(isRefused);
  const first = Math.min(...refused.map(({ sentAt }) => sentAt));
  return Math.max(0, Math.max(...refused.map(({ answeredAt }) => answeredAt)) - first);
}

function isRefused({ kind, outcome }: Operation): boolean {
  return kind !== 'list' && outcome !== '200';
}
