/**
 * Tags: a position in the list's history as a text that clients keep and send back, to any replica.
 *
 * Rows know the version of their last change, and departures are remembered beside them. So any replica answers what
 * changed since any tag, without a log of changes.
 */

import type { ListPosition } from '../../registry/snapshot/snapshot.ts';

/** The history, a dot, and the version in base 36. */
export function formatTag({ history, version }: ListPosition): string {
  return `${history}.${version.toString(36)}`;
}

/** Undefined for a text that formatTag() did not make. */
export function parseTag(text: string): ListPosition | undefined {
  // A history of Redis may have a dot in its name: the last dot is that of the tag.
  const [, history, digits] = /^([\w-][\w.-]{0,63})\.([\da-z]{1,11})$/.exec(text) ?? [];
  if (history === undefined || digits === undefined) return undefined;
  const version = Number.parseInt(digits, 36);
  return Number.isSafeInteger(version) && version.toString(36) === digits ? { history, version } : undefined;
}
