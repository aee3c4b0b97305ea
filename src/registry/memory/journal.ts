/**
 * What a registry in memory tells somebody who keeps it: the port to a Journal, and the changes that go through
 * it. Knows nothing of where they are kept.
 */

import type { GameServerId, ListedGameServer } from '../game-server.ts';

/**
 * What became of one id. A change says everything that is to be known of its id, so the last one of each id is
 * all that has to be kept, and taking a change twice does no harm.
 */
export type Change = ListedChange | ExpiredChange | LeftChange;

export interface ListedChange extends ListedGameServer {
  readonly is: 'listed';
}

/** Can still be revived, for a while after its deadline. */
export interface ExpiredChange extends ListedGameServer {
  readonly is: 'expired';
  /** ms since the epoch. */
  readonly expiresAt: number;
}

/** For good. */
export interface LeftChange {
  readonly is: 'left';
  readonly id: GameServerId;
}

/** Keeps what is listed, so that it outlives the process. */
export interface Journal {
  /**
   * Gives the last change of each id, as an earlier process left them, in the order they happened. From now on
   * `content` gives the same of this registry, at any time.
   */
  begin(content: () => Iterable<Change>): Iterable<Change>;

  /** Takes note of a change; written() tells when it is kept. */
  append(change: Change): void;

  /** Settles when everything appended so far is kept, or cannot be. Never rejects: the registry goes on in memory. */
  written(): Promise<void> | undefined;
}
