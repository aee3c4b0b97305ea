/**
 * The feed of changes as a replica reads it: where it stands, what a batch of changes has, what there is to write back
 * when Redis has lost something.
 */

import type { GameServerId, ListedGameServer } from '../../../model/game-server.ts';
import type { PlayerChange } from './player-log.ts';

/** The digest is the sum of the versions of all listed entries, modulo this. */
export const DIGEST_MODULUS = 2 ** 40;

/** What a follower has taken of the feed. */
export interface FollowerPosition {
  /** The epoch it is of; '' before the first batch. */
  readonly epoch: string;
  /** The version up to which it has everything. */
  readonly cursor: number;
  /** The version at which this catch-up began: the cursor of its first batch. */
  readonly base: number;
  /** Where the player log goes on from the cursor; undefined if that is not known. */
  readonly logOffset: number | undefined;
  /** The version of the last change of what moderators have decided. */
  readonly moderationVersion: number;
}

/** Where a follower begins. */
export const BEGINNING: FollowerPosition = {
  epoch: '',
  cursor: 0,
  base: 0,
  logOffset: undefined,
  moderationVersion: 0,
};

/** Where a follower is that has taken this batch. A catch-up begins where the last batch of the one before ended. */
export function positionAfter(batch: ChangesBatch): FollowerPosition {
  const { epoch, cursor, base, more, logOffset, moderationVersion } = batch;
  return { epoch, cursor, base: more ? base : cursor, logOffset, moderationVersion };
}

export interface ChangesBatch {
  readonly epoch: string;
  readonly version: number;
  readonly digest: number;
  readonly count: number;
  readonly full: boolean;
  readonly base: number;
  readonly cursor: number;
  readonly more: boolean;
  /** How many are silent while their expiry is held; else 0. */
  readonly silent: number;
  readonly expired: readonly GameServerId[];
  readonly tombstones: readonly Tombstone[];
  readonly changed: readonly ListedGameServer[];
  /** In order. If there are any, nothing else has changed up to the cursor. */
  readonly playerChanges: readonly PlayerChange[];
  readonly logOffset: number | undefined;
  /** Listed, but what their records hold is no game server. */
  readonly damaged: readonly GameServerId[];
  readonly health: RegistryHealth;
  /** The version of the last change of what moderators have decided. */
  readonly moderationVersion: number;
  /** Tombstones up to this version may be missing; 0 if it is not told. */
  readonly floor: number;
  /** The version at which the registry was last emptied on purpose; 0 if never. */
  readonly resetVersion: number;
  /** Whether the epoch began because keys were damaged. */
  readonly isMended: boolean;
  /** Names of keys that were deleted because their type was wrong. Reported to one replica, once. */
  readonly wrongTypes: readonly string[];
}

/** Whether the registry may lack what only replicas know. */
export interface RegistryHealth {
  /** Names the last loss that a replica noticed, or the beginning of the registry. */
  readonly loss: string;
  /** Whether all replicas have told what they knew of before the loss. */
  readonly isWhole: boolean;
}

/** What is remembered of a removal. */
export interface Tombstone {
  readonly id: GameServerId;
  /** The version of the removal. */
  readonly version: number;
  /** Whether the entry expired and a ping can revive it; else it was removed for good. */
  readonly revivable: boolean;
  /** Whether only the server token revives it. */
  readonly isClaimed: boolean;
}

/** What a replica knows and Redis may have lost. */
export interface LostState {
  /** The version up to which the replica knew everything. */
  readonly version: number;
  readonly tombstones: readonly Tombstone[];
  readonly listed: readonly ListedGameServer[];
}
