/**
 * The port: what a registry of game servers does, in the words of those who use it.
 *
 * How the service is built. HTTP (src/http) turns requests into calls of a Registry and its outcomes into
 * answers; it knows nothing of Redis. A Registry is either a MemoryRegistry (one process, nothing installed, a
 * journal in a file if it is to outlive the process) or a RedisRegistry: any number of replicas over one Redis,
 * which holds the truth and changes it only in scripts, one atomic step each. Every visible change gets the next
 * version. Each replica keeps a copy of the list and follows the versions; a list waits for one look at the
 * versions that started after it was asked for (a Barrier, shared by all that wait), so it holds every change
 * acknowledged anywhere before. The copy is rendered into a Snapshot: immutable bytes, the same on every replica.
 * While Redis is away a CircuitBreaker refuses writes, and the last Snapshot is served; what Redis loses, the
 * replicas write back from their copies. Until all have, the registry is not whole: no list is current, no id unknown.
 *
 * Deliberately not in the port: HTTP, keys of Redis, authentication, metrics, and the rendering of anything
 * but the list.
 */

import type { GameServer, GameServerId } from './game-server.ts';
import type { Snapshot } from './snapshot/snapshot.ts';

/** `unlisted`: the id was listed before and is no more; a repetition that comes so late must not bring it back. */
export type BroadcastOutcome = 'listed' | 'unlisted';

/** `refreshed`: renewed, and updated where it differed. `unknown`: never seen, removed, or expired too long ago. */
export type PingOutcome = 'refreshed' | 'unknown' | 'ip_mismatch';

export type RemoveOutcome = 'removed' | 'unknown' | 'ip_mismatch';

export interface Listing {
  readonly snapshot: Snapshot;
  /** Undefined for the current list; else when the snapshot was last known to be current, ms since the epoch. */
  readonly staleSince: number | undefined;
}

/**
 * What is expected is an outcome. A method throws a ServiceError `registry_unavailable` when it cannot tell:
 * a write that threw may or may not have happened, and is safe to repeat.
 */
export interface Registry {
  /** Lists a new game server under a new id, for one TTL. Repeated with the same id it changes nothing. */
  broadcast(id: GameServerId, gameServer: GameServer): Promise<BroadcastOutcome>;

  /** Renews the deadline of a listed or lately expired game server and takes over its data, if the IP is the registered one. */
  ping(id: GameServerId, gameServer: GameServer): Promise<PingOutcome>;

  /** Takes a game server off the list at once and for good, if the IP is the registered one. */
  remove(id: GameServerId, ip: string): Promise<RemoveOutcome>;

  /** All alive game servers in order of registration, with every change acknowledged before the call. */
  list(): Promise<Listing>;

  /** Stops timers and closes connections. Call it once. */
  close(): Promise<void>;
}

/** What whoever runs the registry will want to know. */
export interface RegistryEvents {
  /** A sweep of this replica took these off the list. */
  readonly onExpired: (ids: readonly GameServerId[]) => void;
  /** So many fell silent together that their expiry is held. Told once, when it begins. */
  readonly onExpiryHeld: (silence: HeldExpiry) => void;
  /** They are back, or were silent for too long after all. */
  readonly onExpiryReleased: () => void;
}

export interface HeldExpiry {
  /** How many of the listed have not pinged for longer than a ping interval allows. */
  readonly silent: number;
  readonly listed: number;
}

/** The time and the timers of a registry: the system's, or a test's. */
export interface Clock {
  /** ms since the epoch. */
  now(): number;
  /** Runs the task each `intervalMs` until the returned function is called. The task must not reject. */
  every(intervalMs: number, task: () => Promise<void>): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  every(intervalMs, task) {
    const timer = setInterval(() => void task(), intervalMs);
    timer.unref();
    return () => clearInterval(timer);
  },
};
