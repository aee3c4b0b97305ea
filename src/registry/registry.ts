/**
 * The port: what a registry of game servers does, in the words of its callers. A reader of the code begins here.
 *
 *   cli.ts, cli/           the command: arguments, signals, exit codes
 *   errors.ts              what can go wrong, as clients see it: one closed table
 *   config/                options and variables, compiled once into a Config
 *   service/               opens what a replica needs, in order, and closes it in reverse
 *   http/                  turns requests into calls of a Registry, and its outcomes into answers
 *   log/                   the log, and its words for outages
 *   registry/              the port, and the rules that all registries share
 *     snapshot/            the list as immutable bytes
 *     memory/              the registry of one process
 *     data-file/           keeps that one in a file, if it is to outlive the process
 *     redis/, redis/lua/   the registry of any number of replicas over one Redis
 *     redis/connection/    the way to Redis: standalone, Sentinel or Cluster
 *
 * The life cycle of an entry:
 *
 *   broadcast                  ping: revived
 *      |          +-----------------------------------+
 *      v          v                                   |
 *   +----------------+   TTL without a ping    +-------------+   10 x TTL more    +---------------------+
 *   |     listed     | ----------------------> |   expired   | -----------------> | removed (tombstone) |
 *   +----------------+                         +-------------+                    +---------------------+
 *      |          ^ |                                 |  remove                             ^  ^
 *      |          +-+ ping: one TTL more              +-------------------------------------+  |
 *      |                                                                                       |
 *      +---------------------------------------------------------------------------------------+
 *        remove; or another entry takes its address, where addresses are unique
 *
 *   an entry that is   is in the list   answers a repeated broadcast with   a ping with   a remove with
 *   listed             yes              listed                              refreshed     removed
 *   expired            no               unlisted                            refreshed     removed
 *   removed            no               unlisted                            unknown       unknown
 *
 * The times stand in lifetime.ts. No entry expires while the grace gate is shut (after a gap in sweeping) or while a
 * mass expiry is held. The latest 10,000 tombstones are kept; an older one is forgotten, and its id is then new.
 *
 * In Redis the truth changes only in scripts, one atomic step each, and every visible change gets the next version.
 * Each replica keeps a copy of the list and follows the versions. A list waits until the copy has caught up with a
 * state of Redis that is newer than the request (the read barrier, shared by all that wait), so it holds every change
 * acknowledged anywhere before. The copy is rendered into a Snapshot, with the same bytes on every replica. While Redis
 * is unavailable a CircuitBreaker refuses writes, and the last Snapshot is served. What Redis loses, the replicas write
 * back from their copies. Until all of them have, the registry is not whole: no list counts as current, and no id as
 * unknown.
 *
 * Deliberately not in the port: HTTP, keys of Redis, authentication, metrics, and the rendering of anything but the
 * list.
 */

import type { GameServer, GameServerId } from './game-server.ts';
import type { Snapshot } from './snapshot/snapshot.ts';

/** `listed`: also when a repetition changes nothing. `unlisted`: the id has expired or was removed; it stays so. */
export type BroadcastOutcome = 'listed' | 'unlisted';

/** `refreshed`: the entry has a new deadline, and the data of the ping. `unknown`: never listed, or removed. */
export type PingOutcome = 'refreshed' | 'unknown' | 'ip_mismatch';

/** `removed`: the entry was listed or expired before. `unknown`: never listed, or already removed. */
export type RemoveOutcome = 'removed' | 'unknown' | 'ip_mismatch';

export interface Listing {
  readonly snapshot: Snapshot;
  /** Undefined for the current list; else when the snapshot was last known to be current, ms since the epoch. */
  readonly staleSince: number | undefined;
}

/**
 * Expected outcomes are return values. A method throws a ServiceError `registry_unavailable` when it cannot tell the
 * outcome: a write that threw may or may not have happened, and is safe to repeat.
 */
export interface Registry {
  /** Lists a new game server under a new id, for one TTL. Repeated with the same id it changes nothing. */
  broadcast(id: GameServerId, gameServer: GameServer): Promise<BroadcastOutcome>;

  /**
   * Gives a listed or expired entry one TTL from now on, and takes over what the game server says of itself.
   * `ip_mismatch`, and nothing changes, when the IP is not the one of the broadcast.
   */
  ping(id: GameServerId, gameServer: GameServer): Promise<PingOutcome>;

  /** Takes an entry off the list at once and for good. `ip_mismatch` as for a ping. */
  remove(id: GameServerId, ip: string): Promise<RemoveOutcome>;

  /** All listed entries in order of registration, with every change acknowledged before the call. */
  list(): Promise<Listing>;

  /** Stops timers and ends what the registry began. Call it once. */
  close(): Promise<void>;
}

/** What an operator may want to know. */
export interface RegistryEvents {
  /** A sweep of this replica took these entries off the list. */
  readonly onExpired: (ids: readonly GameServerId[]) => void;
  /** The hold of a mass expiry began. */
  readonly onExpiryHeld: (silence: HeldExpiry) => void;
  /** The hold is over: most entries are back, or it has lasted too long. */
  readonly onExpiryReleased: () => void;
}

/** The numbers at the beginning of a hold. */
export interface HeldExpiry {
  /** How many of the listed entries have missed a ping. */
  readonly silent: number;
  readonly listed: number;
}

/** The time and the timers of a registry: those of the system, or of a test. */
export interface Clock {
  /** ms since the epoch. */
  now(): number;
  /** Runs the task each `intervalMs` until the returned function is called. The task must not reject. */
  every(intervalMs: number, task: () => Promise<void>): () => void;
}

/** Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  every(intervalMs, task) {
    const timer = setInterval(() => void task(), intervalMs);
    timer.unref();
    return () => clearInterval(timer);
  },
};
