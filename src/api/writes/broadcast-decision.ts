/** Decides which entry a broadcast is about, by the token of the caller and by whether the entry is to be unlisted. */

import { isUnlisted } from '../../model/game-server.ts';
import type { Predecessor } from '../../registry/registry.ts';
import type { BroadcastIntent } from './server-token.ts';

export interface BroadcastDecision {
  /** The entry that continues, if the registry still knows it. */
  readonly goOnWith: Predecessor | undefined;
  /** Otherwise, whether the new entry is unlisted. */
  readonly isUnlisted: boolean;
  /** The entry that the new one replaces. */
  readonly inPlaceOf: Predecessor | undefined;
  /** Whether the new entry is claimed from the beginning. */
  readonly isClaimed: boolean;
}

/**
 * The id of an unlisted entry says that it is: one that is to be listed, or no longer, gets another id.
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
 * `unlisted`: what the broadcast says of its entry; undefined if it says nothing.
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
