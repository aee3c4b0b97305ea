/** A registry as moderators need it. */

import type { GameServerId, ListedGameServer } from '../registry/game-server.ts';
import type { Moderation } from '../registry/moderation.ts';

/** An entry with what the list does not show. */
export interface ModeratedEntry extends ListedGameServer {
  readonly isClaimed: boolean;
  /** The address of the client that broadcast it, '' if it is not known. */
  readonly client: string;
}

/** What moderators need of a registry. Its methods reject with a ServiceError `registry_unavailable`. */
export interface ModeratedRegistry {
  /** What is in force at this replica. */
  readonly moderation: Moderation;
  /** Resolves with the outcome once it is kept. The change may be run several times, and may throw. */
  moderate(change: (now: Moderation) => Moderation): Promise<Moderation>;
  /** All that are listed, shown or not, in any order. */
  entries(): Promise<Iterable<ModeratedEntry>>;
  /** Takes an entry off the list for good. */
  evict(id: GameServerId): Promise<'removed' | 'unknown'>;
}
