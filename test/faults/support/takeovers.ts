/** Judges how another Redis became the master: how long writes were refused, and whether all was well once it had. */

import { now, type Operation } from './recorder.ts';
import type { Window } from './trial.ts';

export interface Takeover {
  /** When the old master was struck. */
  readonly from: number;
  /** When there was another one. */
  readonly doneAt: number;
}

/** "Complete again within one second." */
const NOTICED_WITHIN_MS = 1000;

/** Strikes the master, and waits until there is another one. */
export async function takeover(
  strike: () => void | Promise<void>,
  another: () => Promise<void>,
): Promise<Takeover> {
  const from = now();
  await strike();
  await another();
  return { from, doneAt: now() };
}

/** For how long writes were refused in each takeover, ms: from the first that was refused to the last. */
export function outages(takeovers: readonly Takeover[], { operations }: Window): number[] {
  return takeovers.map(({ from }, index) => {
    const until = takeovers[index + 1]?.from ?? Infinity;
    const refused = operations.filter((each) => isRefused(each) && each.sentAt >= from && each.sentAt < until);
    const sentAt = Math.min(...refused.map((each) => each.sentAt));
    return Math.max(0, Math.max(...refused.map(({ answeredAt }) => answeredAt)) - sentAt);
  });
}

/** What is wrong, in sentences. */
export function judge(takeovers: readonly Takeover[], window: Window, longestOutageMs: number): string[] {
  const late = window.operations.filter(({ sentAt }) =>
    takeovers.every(({ from, doneAt }) => sentAt < from || sentAt > doneAt + NOTICED_WITHIN_MS),
  );
  const reasons = [
    ...outages(takeovers, window)
      .filter((ms) => ms > longestOutageMs)
      .map((ms) => `writes were refused for ${Math.round(ms)} ms`),
  ];
  if (late.some(isRefused)) reasons.push('a write was refused though there had been a master for a second');
  if (late.some(({ stale }) => stale)) reasons.push('a list was stale though there had been a master for a second');
  return reasons;
}

export function describeOutages(takeovers: readonly Takeover[], window: Window): string[] {
  const seconds = outages(takeovers, window).map((ms) => (ms / 1000).toFixed(1));
  const masters = takeovers.map(({ from, doneAt }) => ((doneAt - from) / 1000).toFixed(1));
  return [`writes refused for ${seconds.join(', ')} s, another master after ${masters.join(', ')} s`];
}

function isRefused({ kind, outcome }: Operation): boolean {
  return kind !== 'list' && outcome !== '200';
}
