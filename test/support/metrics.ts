/** Reads what `GET /metrics` answers. */

import { NO_DECISIONS } from '../../src/registry/decisions/decisions.ts';

/** A registry that has no list yet. */
export const emptyRegistry = {
  glance: () => Promise.reject(new Error('no list yet')),
  moderation: { decided: NO_DECISIONS },
};

/** The value of a metric with exactly these labels, in the order in which they are told; NaN if it is not there. */
export function valueOf(
  text: string,
  name: string,
  labels: Readonly<Record<string, string | number>> = {},
): number {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const start = `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} `;
  const line = text.split('\n').find((each) => each.startsWith(start));
  return line === undefined ? NaN : Number(line.slice(start.length));
}
