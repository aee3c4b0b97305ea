/** Server-Sent Events, as texts that clients share (HTML Living Standard, section 9.2). */

import { SharedText, TextPart } from '../work/shared-text.ts';
import { formatTag } from './tag.ts';
import type { ListPosition } from '../../registry/snapshot/snapshot.ts';

/** `members`: the members of a JSON object. JSON has no line breaks, so that nothing in them ends the event. */
export function changesEvent(members: SharedText, position: ListPosition): SharedText {
  return members.between(`id: ${formatTag(position)}\nevent: changes\ndata: {`, '}\n\n');
}

/** An event that holds only the client's position: a sign of life, and a bookmark. */
export function bookmark(position: ListPosition): SharedText {
  return new SharedText([new TextPart(`id: ${formatTag(position)}\n\n`)]);
}

/** An event on whether the list is current, or since when it is not (ms since the epoch). The client stays in place. */
export function stateEvent(staleSince: number | undefined): SharedText {
  const state =
    staleSince === undefined ? { stale: false } : { stale: true, as_of: new Date(staleSince).toISOString() };
  return new SharedText([new TextPart(`event: state\ndata: ${JSON.stringify(state)}\n\n`)]);
}

/** The text that sets how long the client waits before it connects again, in ms. */
export function retryAfter(ms: number): string {
  return `retry: ${Math.round(ms)}\n\n`;
}
