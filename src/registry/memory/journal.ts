/** What a registry in memory tells a keeper of its state: the port Journal, and the changes that go through it. */

import type { GameServerId, ListedGameServer } from '../../model/game-server.ts';
import type { HistoryPoints, HistoryStep } from '../history-record.ts';
import type { Decisions } from '../bans/decisions.ts';

/**
 * The state of one id. A change says everything that is known of its id: only the last change of each id has to be
 * kept, and taking a change twice does no harm.
 */
export type Change = ListedChange | ExpiredChange | TombstoneChange | SettingsChange | HistoryChange;

/** The entry is listed. */
export interface ListedChange extends ListedGameServer {
  readonly is: 'listed';
  /** The native document of an entry that a protocol lists. */
  readonly document?: string;
}

/** The entry is off the list since its version; a ping can revive it for a while after its deadline. */
export interface ExpiredChange extends ListedGameServer {
  readonly is: 'expired';
  /** Its deadline, ms since the epoch. */
  readonly expiresAt: number;
}

/** The entry was removed for good. */
export interface TombstoneChange {
  readonly is: 'tombstone';
  readonly id: GameServerId;
  /** From which version on it was not listed; 0 if it is not known. */
  readonly version: number;
}

/** What stays whatever becomes of the entries. */
export interface SettingsChange {
  readonly is: 'settings';
  readonly id: typeof SETTINGS_ID;
  readonly secret: string;
  readonly moderation: Decisions;
  /** Absent while it is changing. */
  readonly feed?: VersionsPast;
}

/** With what clients that know the list go on after a restart. */
export interface VersionsPast {
  readonly epoch: string;
  /** Earlier epochs that this one continues, and up to which version of theirs. */
  readonly continues: readonly (readonly [epoch: string, version: number])[];
  /** Since which version the list is shown by these rules; what was shown before is not known. */
  readonly shownVersion: number;
  readonly hidesUnreached: boolean;
}

/** Some neighbouring points of the history: all that are known under this id. */
export interface HistoryChange {
  readonly is: 'history';
  /** No game server has such an id. */
  readonly id: `history-${HistoryStep}-${number}`;
  readonly step: HistoryStep;
  readonly points: HistoryPoints;
}

/** No game server has this id. */
export const SETTINGS_ID = 'settings';

/** Keeps the state of a registry, so that it outlives the process. */
export interface Journal {
  /**
   * Gives the last change of each id, as an earlier process left them, in the order they happened. From now on
   * `content` gives the same of this registry, at any time.
   */
  begin(content: () => Iterable<Change>): Iterable<Change>;

  /** Takes a change; written() tells when it is kept. */
  append(change: Change): void;

  /**
   * Settles when everything appended so far is kept, or cannot be. Never rejects: the registry goes on in memory.
   * Undefined when there is nothing to wait for.
   */
  written(): Promise<void> | undefined;
}
