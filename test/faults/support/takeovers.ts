/** Judges how another Redis became the master: how long writes were refused, and whether all was well once it had. */

import type { Operation } from '../../support/load/recorder.ts';
import type { Window } from './trial.ts';

/** "Complete again within one second." */
export const NOTICED_WITHIN_MS = 1000;

/** What is wrong with a fault that was mended once there was another master, in sentences. */
export function judgeTakeover(window: Window, longestOutageMs: number): string[] {
  const { mendedAt, operations } = window;
  const late = operations.filter(({ sentAt }) => sentAt > mendedAt + NOTICED_WITHIN_MS);
  const tell = (what: string, wrong: readonly Operation[]): string[] =>
    wrong.length === 0
      ? []
      : [
          `${wrong.length} ${what}, the first ${seconds(wrong[0]!.sentAt - mendedAt)} after there was a master`,
        ];
  return [
    ...(outageMs(window) > longestOutageMs ? [`writes were refused for over ${longestOutageMs} ms`] : []),
    ...tell('writes were refused', late.filter(isRefused)),
    ...tell(
      'lists were stale',
      late.filter(({ stale }) => stale),
    ),
  ];
}

export function describeTakeover(window: Window): string[] {
  const { from, mendedAt } = window;
  return [
    `writes refused for ${seconds(outageMs(window))}, another master after ${seconds(mendedAt - from)}`,
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
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
