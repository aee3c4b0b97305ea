/**
 * Decides the next step of a follower whose copy has every change that Redis has sent, towards a copy that is the list.
 * This file only decides; follower.ts performs the step.
 *
 * Count and digest of the whole list come with every batch. So a replica notices by itself that Redis has another
 * history (restored, wiped, failed over), and reloads nothing only because it connected again.
 */

import type { ReloadReason } from '../events.ts';
import type { ChangesBatch } from './changes-batch.ts';
import type { ListCopy } from './list-copy.ts';

/**
 * - `begin_anew`: load another copy, because Redis is of another epoch than this one.
 * - `write_back`: write back what earlier copies knew and this one, which is what Redis has, does not.
 * - `await_whole`: wait until all replicas have written back what they knew.
 * - `follow_settings`: adopt the decisions of moderators.
 * - `mend`: repair the keys of Redis.
 * - `make_current`: the copy is the list.
 */
export type Step =
  | { readonly do: 'begin_anew'; readonly reason: ReloadReason }
  | { readonly do: 'write_back' | 'await_whole' | 'follow_settings' | 'mend' | 'make_current' };

/** The state of a follower beside its copy and the batch. */
export interface FollowerState {
  /** Whether the copy has been the list before. If not, it is new, and all of it has just come from Redis. */
  readonly isFollowing: boolean;
  /**
   * Whether a copy that has been the list shows all writes of callers of this replica from before it requested the
   * batch.
   */
  readonly showsOwnWrites: boolean;
  /** Whether Redis may lack what earlier copies know. */
  readonly mayHaveLost: boolean;
  /**
   * Whether the other replicas have had the time to notice a loss. A replica without a list cannot notice by itself
   * that Redis has just lost something.
   */
  readonly hasWaitedForOthers: boolean;
  /** The version of the last decision that this replica goes by. */
  readonly moderationVersion: number;
}

/** Decides the next step. `batch`: the last one of a catch-up, which the copy has applied. */
export function decide(copy: Pick<ListCopy, 'agreesWith'>, batch: ChangesBatch, state: FollowerState): Step {
  const agrees = copy.agreesWith(batch);
  if (state.isFollowing && !agrees) return { do: 'begin_anew', reason: 'digest' };
  if (state.isFollowing && !state.showsOwnWrites) return { do: 'begin_anew', reason: 'rollback' };
  if (state.mayHaveLost) return { do: 'write_back' };
  if (!batch.health.isWhole || !state.hasWaitedForOthers) return { do: 'await_whole' };
  if (batch.moderationVersion !== state.moderationVersion) return { do: 'follow_settings' };
  // If a copy that was just loaded does not agree, the keys of Redis are damaged.
  return agrees ? { do: 'make_current' } : { do: 'mend' };
}
