/** Which entry a broadcast is about. The caller decides it by its token, and by whether its entry is to be unlisted. */

import { isUnlisted } from '../../model/game-server.ts';
import type { Predecessor } from '../../registry/registry.ts';
import type { BroadcastIntent } from './server-token.ts';

export interface BroadcastDecision {
  /** The entry that goes on, if the registry knows it still. */
  readonly goOnWith: Predecessor | undefined;
  /** Else the form of the new entry. */
  readonly isUnlisted: boolean;
  /** The entry that leaves for it. */
  readonly inPlaceOf: Predecessor | undefined;
  /** Whether the new entry is claimed from birth. */
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
