/** The port Journal, to which a registry in memory gives its state to keep, and the changes that go through it. */

import type { GameServerId, ListedGameServer } from '../../model/game-server.ts';
import type { HistoryPoints, HistoryStep } from '../history-record.ts';
import type { Decisions } from '../decisions/decisions.ts';
import type { Voice } from '../reports/voices.ts';

/**
 * The state of one id. A change has everything that is known of its id: only the last change of each id has to be kept,
 * and keeping a change twice does no harm.
 */
export type Change = ListedChange | ExpiredChange | TombstoneChange | SettingsChange | BesideChange;

/** What is kept beside the entries. */
export type BesideChange = HistoryChange | ServerHistoryChange | ReportsChange;

/** The state of an entry that is listed. */
export interface ListedChange extends ListedGameServer {
  readonly is: 'listed';
  /** The native document of an entry that a protocol lists. */
  readonly document?: string;
}

/** The state of an entry that left the list at its version, and can come back for a while: it expired, or is parked. */
export interface ExpiredChange extends ListedGameServer {
  readonly is: 'expired';
  /** The deadline that the entry missed, ms since the epoch; 0 for a parked one. */
  readonly expiresAt: number;
  /** When it was parked, ms since the epoch; absent if it has expired. */
  readonly parkedAt?: number;
}

/** The state of an entry that was removed for good. */
export interface TombstoneChange {
  readonly is: 'tombstone';
  readonly id: GameServerId;
  /** The version from which on it was not listed; 0 if it is not known. */
  readonly version: number;
}

/** The settings of the registry, which do not depend on its entries. */
export interface SettingsChange {
  readonly is: 'settings';
  readonly id: typeof SETTINGS_ID;
  readonly secret: string;
  readonly moderation: Decisions;
  /** Absent while the list changes over to new decisions. */
  readonly feed?: VersionsPast;
}

/** The versions of an earlier process: a client that has one of its lists can go on from it after a restart. */
export interface VersionsPast {
  readonly epoch: string;
  /** The earlier epochs that this one continues, each with its last version. */
  readonly continues: readonly (readonly [epoch: string, version: number])[];
  /**
   * The version since which the present rules decide which entries are shown, and all removals are remembered; older
   * lists are not known.
   */
  readonly shownVersion: number;
  readonly hidesUnreached: boolean;
  /** Releases before 0.21 leave it out: they show what is said. */
  readonly showsSeenPlayers?: boolean;
}

/** A block of neighbouring points of the history: all points that belong under its id. */
export interface HistoryChange {
  readonly is: 'history';
  /** The id of the block; no game server has such an id. */
  readonly id: `history-${HistoryStep}-${number}`;
  readonly step: HistoryStep;
  readonly points: HistoryPoints;
}

/** Parts of histories of game servers, to be joined to those of all other changes. */
export interface ServerHistoryChange {
  readonly is: 'server_histories';
  /** No game server has such an id. */
  readonly id: `histories-${string}`;
  /** The id of a game server, and a record as text (server-history/record-text.ts). */
  readonly parts: readonly (readonly [GameServerId, string])[];
}

/** All that readers have reported of an entry. */
export interface ReportsChange {
  readonly is: 'reports';
  /** No game server has such an id. */
  readonly id: `reports-${string}`;
  readonly about: GameServerId;
  readonly voices: readonly Voice[];
}

/** The id of the settings; no game server has this id. */
export const SETTINGS_ID = 'settings';

/** Keeps the state of a registry, so that it outlives the process. */
export interface Journal {
  /**
   * Returns the last change of each id that an earlier process left, in the order they happened. From now on `content`
   * returns the same for this registry, at any time.
   */
  begin(content: () => Iterable<Change>): Iterable<Change>;

  /** Accepts a change; written() resolves when it is kept. */
  append(change: Change): void;

  /**
   * Resolves when everything appended so far is kept, or cannot be. Never rejects: the registry goes on in memory.
   * Returns undefined when there is nothing to wait for.
   */
  written(): Promise<void> | undefined;
}
