/**
 * The feed of changes as a replica reads it: the position of a follower, a batch of changes, and the state to write
 * back when Redis has lost something.
 */

import type { GameServerId, ListedGameServer } from '../../../model/game-server.ts';
import type { PlayerChange } from './player-log.ts';

/** The digest of a list is the sum of the versions of all listed entries, modulo this number. */
export const DIGEST_MODULUS = 2 ** 40;

/** The position of a follower in the feed. */
export interface FollowerPosition {
  /** The epoch of the follower; '' before the first batch. */
  readonly epoch: string;
  /** The version up to which it has every change. */
  readonly cursor: number;
  /** The version at which this catch-up began: the cursor of its first batch. */
  readonly base: number;
  /** The offset in the player log of the changes after the cursor; undefined if it is not known. */
  readonly logOffset: number | undefined;
  /** The version of the last decision of moderators. */
  readonly moderationVersion: number;
}

/** The position at which a follower begins. */
export const BEGINNING: FollowerPosition = {
  epoch: '',
  cursor: 0,
  base: 0,
  logOffset: undefined,
  moderationVersion: 0,
};

/** The position of a follower after this batch. A catch-up begins where the one before it ended. */
export function positionAfter(batch: ChangesBatch): FollowerPosition {
  const { epoch, cursor, base, more, logOffset, moderationVersion } = batch;
  return { epoch, cursor, base: more ? base : cursor, logOffset, moderationVersion };
}

/** An entry as a follower reads it. */
export interface FollowedEntry extends ListedGameServer {
  /** The version of the state that a replica wrote back, if its game server has sent nothing since; else undefined. */
  readonly restoredFrom?: number | undefined;
}

/**
 * How new the state of an entry is: the version of the last change by its game server. To restore an entry gives it a
 * new version, and makes it no newer.
 */
export function stateVersionOf({ restoredFrom, version }: FollowedEntry): number {
  return restoredFrom ?? version;
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
  /** How many entries are silent while a mass expiry is held; else 0. */
  readonly silent: number;
  readonly expired: readonly GameServerId[];
  readonly tombstones: readonly Tombstone[];
  readonly changed: readonly FollowedEntry[];
  /** The changes of the player log, in order. If there are any, nothing else has changed up to the cursor. */
  readonly playerChanges: readonly PlayerChange[];
  readonly logOffset: number | undefined;
  /** The listed entries whose records hold no game server. */
  readonly damaged: readonly GameServerId[];
  readonly health: RegistryHealth;
  /** The version of the last decision of moderators. */
  readonly moderationVersion: number;
  /** Tombstones up to this version may be missing; 0 if nothing is new. */
  readonly floor: number;
  /** The version at which the registry was last emptied on purpose; 0 if never. */
  readonly resetVersion: number;
  /** Whether the epoch began because keys were damaged. */
  readonly isMended: boolean;
  /** The names of keys that were deleted because their type was wrong. One replica receives them, once. */
  readonly wrongTypes: readonly string[];
  /** The error of Redis if it takes no writes; '' if it has taken one a moment ago. */
  readonly refusal: string;
}

/** The state that says whether Redis may lack what only replicas know. */
export interface RegistryHealth {
  /** The name of the last loss that a replica noticed, or of the beginning of the registry. */
  readonly loss: string;
  /** Whether all replicas have written back what they knew before the loss. */
  readonly isWhole: boolean;
}

/** A remembered removal: one for good, or the expiry of an entry that a ping can revive. */
export interface Tombstone {
  readonly id: GameServerId;
  /** The version of the removal. */
  readonly version: number;
  /** Whether the entry expired and a ping can revive it; else it was removed for good. */
  readonly revivable: boolean;
  /** Whether only the server token can revive the entry. */
  readonly isClaimed: boolean;
  /** The entry, if it is parked. */
  readonly parked?: ParkedEntry | undefined;
}

/** An entry that its token can bring back under its id. Every replica knows it, and can write it back after a loss. */
export interface ParkedEntry {
  readonly entry: ListedGameServer;
  /** ms since the epoch. */
  readonly until: number;
}

/** The state that a replica knows and Redis may have lost. */
export interface LostState {
  /** The version up to which the replica knew every change. */
  readonly version: number;
  readonly tombstones: readonly Tombstone[];
  readonly listed: readonly FollowedEntry[];
}
