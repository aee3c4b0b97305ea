/**
 * What a follower of the feed does once its copy has all changes that Redis has told: the next step towards a copy that
 * is the list. A decision alone; follower.ts performs it.
 */

import type { ReloadReason } from '../events.ts';
import type { ChangesBatch } from './changes-batch.ts';
import type { ListCopy } from './list-copy.ts';

/**
 * - `begin_anew`: load another copy, as Redis is of another epoch than this one.
 * - `write_back`: tell Redis what earlier copies knew and this one, which is what Redis has, does not.
 * - `await_whole`: wait until all replicas have told what they knew.
 * - `follow_settings`: take over what moderators have decided.
 * - `mend`: put the keys of Redis in order.
 * - `make_current`: the copy is the list.
 */
export type Step =
  | { readonly do: 'begin_anew'; readonly reason: ReloadReason }
  | { readonly do: 'write_back' | 'await_whole' | 'follow_settings' | 'mend' | 'make_current' };

/** What a follower knows beside its copy and the batch. */
export interface FollowerState {
  /** Whether the copy has been the list before: then it is as good as Redis, else Redis has just told all of it. */
  readonly isFollowing: boolean;
  /**
   * Whether a copy that has been the list shows all that callers of this replica had written when it asked for the
   * batch.
   */
  readonly showsOwnWrites: boolean;
  /** Whether Redis may lack what earlier copies know. */
  readonly mayHaveLost: boolean;
  /**
   * Whether the other replicas have had the time to notice a loss: a replica without a list cannot notice by itself
   * that Redis has lost something just now.
   */
  readonly hasWaitedForOthers: boolean;
  /** The version of the last decision that this replica goes by. */
  readonly moderationVersion: number;
}

/** `batch`: the last one of a catch-up, which the copy has taken. */
export function decide(copy: Pick<ListCopy, 'agreesWith'>, batch: ChangesBatch, state: FollowerState): Step {
  const agrees = copy.agreesWith(batch);
  if (state.isFollowing && !agrees) return { do: 'begin_anew', reason: 'digest' };
  if (state.isFollowing && !state.showsOwnWrites) return { do: 'begin_anew', reason: 'rollback' };
  if (state.mayHaveLost) return { do: 'write_back' };
  if (!batch.health.isWhole || !state.hasWaitedForOthers) return { do: 'await_whole' };
  if (batch.moderationVersion !== state.moderationVersion) return { do: 'follow_settings' };
  // A copy that was just loaded and does not agree: Redis is wrong.
  return agrees ? { do: 'make_current' } : { do: 'mend' };
}
