/** The port of fates: what has become of an id, for a person who asks why a game server is not listed. */

import type { GameServer, GameServerId } from '../model/game-server.ts';

/** An entry that has expired, with what it was listed as. Times in ms since the epoch. */
export interface ExpiredEntry extends Pick<GameServer, 'host' | 'name' | 'ip' | 'port'> {
  readonly id: GameServerId;
  /** As of a Standing. */
  readonly client: string;
  readonly registeredVersion: number;
  /** The deadline that it missed. */
  readonly expiredAt: number;
}

/**
 * `listed`: until its deadline, ms since the epoch. `expired`: a ping can revive it. `removed`: for good, and when, ms
 * since the epoch. `unknown`: never listed, or so long ago that its tombstone is forgotten.
 */
export type Fate =
  | { readonly is: 'listed'; readonly expiresAt: number }
  | { readonly is: 'expired'; readonly entry: ExpiredEntry }
  | { readonly is: 'removed'; readonly at: number }
  | { readonly is: 'unknown' };

export interface Fates {
  /** What all replicas know of the id. Rejects with a ServiceError `registry_unavailable`. */
  of(id: GameServerId): Promise<Fate>;
}
