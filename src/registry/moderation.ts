/** The port of moderation: what moderators have decided (bans/decisions.ts), and what follows from it for an entry. */

import type { BanSubject } from './bans/ban-matcher.ts';
import type { Ban, Decisions } from './bans/decisions.ts';
import type { ListedGameServer } from '../model/game-server.ts';

export interface Moderation {
  /**
   * What moderators have decided, as this replica knows it: after a list, all that was decided before that was asked
   * for. An entry that is banned is not shown.
   */
  readonly decided: Decisions;

  /**
   * Changes what moderators have decided, for all replicas, and resolves with it once this one goes by it. `change`
   * gets what has been decided so far; it is called again if another replica was quicker. Throws a ServiceError
   * `registry_unavailable` when the outcome cannot be told.
   */
  decide(change: (decided: Decisions) => Decisions): Promise<Decisions>;

  /** The ban that holds for such an entry. Throws a ServiceError `registry_unavailable` before the bans are known. */
  findBan(subject: BanSubject): Ban | undefined;

  /**
   * Whether a client that knows the id of the entry is told of it: also of an unlisted one, but not if it is banned.
   */
  mayBeTold(entry: ListedGameServer): boolean;
}
