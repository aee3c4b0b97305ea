/** Decides which entry a broadcast is about, by the token of the caller and by whether the entry is to be unlisted. */

import { isUnlisted } from '../../model/game-server.ts';
import type { Predecessor } from '../../registry/registry.ts';
import type { BroadcastIntent } from './server-token.ts';

export interface BroadcastDecision {
  /** The entry that continues, if the registry still knows it. */
  readonly goOnWith: Predecessor | undefined;
  /** Whether the new entry, if there is one, is unlisted. */
  readonly isUnlisted: boolean;
  /** The entry that the new one replaces. */
  readonly inPlaceOf: Predecessor | undefined;
  /** Whether the new entry is claimed from the beginning. */
  readonly isClaimed: boolean;
}

/**
 * An id shows whether its entry is unlisted: an entry that becomes listed or unlisted gets another id.
 *
 *   token of an entry   that is    `unlisted`     goes on   new entry   in its place
 *   none, or claim      -          false, -       -         listed      -
 *   none, or claim      -          true           -         unlisted    -
 *   of an entry         listed     false, -       yes       listed      -
 *   of an entry         listed     true           no        unlisted    yes
 *   of an entry         unlisted   true           yes       unlisted    -
 *   of an entry         unlisted   -              yes       listed      -
 *   of an entry         unlisted   false          no        listed      yes
 *
 * `unlisted`: the field of the broadcast; undefined if it has none.
 */
export function decideBroadcast(intent: BroadcastIntent, unlisted: boolean | undefined): BroadcastDecision {
  const former = typeof intent === 'object' ? intent : undefined;
  const changesForm = former !== undefined && unlisted !== undefined && unlisted !== isUnlisted(former.id);
  return {
    goOnWith: changesForm ? undefined : former,
    isUnlisted: unlisted === true,
    inPlaceOf: changesForm ? former : undefined,
    isClaimed: intent !== 'none',
  };
}
