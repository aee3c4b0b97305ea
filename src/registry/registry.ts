/**
 * The port: what a registry of game servers does, in the words of its callers. A reader of the code begins here.
 *
 * ../README.md maps the rooms around it. Its words, each with one meaning from the routes to the Lua scripts:
 *
 *   entry                      a game server that broadcast, as a registry keeps it
 *   listed, expired, removed   the life of an entry (below); a tombstone remembers a removal
 *   parked                     off the list, and its id is kept: only a broadcast with the token brings it back
 *   claimed                    the server token was used: the entry answers to nothing else from then on
 *   shown                      a reader sees the entry: it is listed, and neither banned nor unreached
 *   version                    the number of a visible change; a copy of the list is as new as its version
 *   snapshot                   the shown entries as immutable bytes, at one version
 *   replica, node              a process of GSLS; a Redis of a Cluster
 *   read barrier               a list waits for a look at Redis that began after it was asked for
 *   available, up              of the registry; of a connection to Redis
 *   whole                      Redis has all that any replica knows
 *   hold                       no entry expires while most networks are silent
 *   native entry               one that another master server's protocol lists
 *
 * A Registry is what is listed, in ten methods. Each backend also gives what goes with a list (backend.ts), and takes
 * native entries (native-entries.ts), which have lifetimes of their own and come back under their ids.
 *
 * The life cycle of an entry:
 *
 *   broadcast            ping, rebroadcast: revived
 *      |          +-----------------------------------+
 *      v          v                                   |
 *   +----------------+   TTL without a ping    +-------------+   10 x TTL more; remove   +-------------+
 *   |     listed     | ----------------------> |   expired   | ------------------------> |   removed   |
 *   +----------------+                         +-------------+                           | (tombstone) |
 *    |  |   ^     ^ |                                 | park                             +-------------+
 *    |  |   |     +-+ ping: one TTL more              v                                     ^   ^
 *    |  |   |         park                     +-------------+   --keep-id over; remove     |   |
 *    |  +---|--------------------------------> |   parked    | -----------------------------+   |
 *    |      |                                  +-------------+                                  |
 *    |      +-----------------------------------------+ rebroadcast: revived                    |
 *    +------------------------------------------------------------------------------------------+
 *      remove; or another entry takes its address, where addresses are unique
 *
 *   an entry that is   is in the list   answers a repeated broadcast   a ping       a rebroadcast   a remove
 *   listed             yes              listed                         refreshed    refreshed       removed
 *   expired            no               unlisted                       refreshed    refreshed       removed
 *   parked             no               unlisted                       unknown      refreshed       removed
 *   removed            no               unlisted                       unknown      unknown         unknown
 *
 * The times stand in lifetime.ts. No entry expires while the grace gate is shut (after a gap in sweeping) or a mass
 * expiry is held. The tombstones of the latest 10,000 removals are kept, and those of the last five minutes; an older
 * one is forgotten, and its id is new. A parked entry has lost its address, and counts in quotas.
 *
 * An entry is claimed once its server token was used; from then on it answers to nothing else. An entry that is banned,
 * or was not reached where that is required, is listed but not shown: it has its deadline, its version and its place in
 * counts like any other, and is missing in the Snapshots alone (decisions/shown-rules.ts).
 *
 * In Redis the truth changes only in scripts, one atomic step each, and every visible change gets the next version.
 * Each replica keeps a copy of the list and follows the versions. A list waits until the copy has caught up with a
 * state of Redis that is newer than the request (the read barrier, shared by all that wait), so it holds every change
 * acknowledged anywhere before. The copy is rendered into a Snapshot, with the same bytes on every replica. While Redis
 * is unavailable a CircuitBreaker refuses writes, and the last Snapshot is served. What Redis loses, the replicas write
 * back from their copies. Until all of them have, the registry is not whole: no list counts as current, no id as
 * unknown, and none as new.
 *
 * Not in the port: HTTP, keys of Redis, how a token is made, metrics, and the rendering of anything but the list.
 */

import type { GameServer, GameServerId, ListedGameServer } from '../model/game-server.ts';
import type { IpAddress } from '../model/net/ip.ts';
import type { Snapshot } from './snapshot/snapshot.ts';

/** The request behind a write, as far as it matters to an entry. */
export interface Caller {
  /** The address of the client, in canonical form (parseIp). A request whose client has none is dropped before. */
  readonly address: IpAddress;
  /**
   * What the request shows to prove that it comes from the game server of the entry: nothing, its server token, or one
   * that is wrong or belongs to another entry.
   */
  readonly proof: 'none' | 'token' | 'wrong';
}

/** No request is behind the write: a new entry has no client. */
export const UNKNOWN_CALLER = { address: '', proof: 'none' } as const;
export type AnyCaller = Caller | typeof UNKNOWN_CALLER;

/** The caller of an eviction: a moderator needs no token, and so counts as having it. */
export const EVICTION: Pick<Caller, 'proof'> = { proof: 'token' };

/** Whether the caller may change the entry: a claimed one answers to its token alone, and none to a wrong token. */
export function isEntitled(
  { proof }: Pick<Caller, 'proof'>,
  { isClaimed }: { readonly isClaimed: boolean },
): boolean {
  return proof === 'token' || (proof === 'none' && !isClaimed);
}

/**
 * Addresses are unique, and the entry that has this one is claimed. It keeps the address for so long without a ping.
 */
export interface AddressTaken {
  readonly is: 'address_taken';
  readonly forMs: number;
}

/** The limit of entries, of all clients or of this one's network, that are listed or can be revived is reached. */
export interface QuotaExceeded {
  readonly is: 'quota_exceeded';
  readonly of: 'all' | 'address';
  readonly limit: number;
  readonly count: number;
}

/** A caller who shows a token, right or wrong. */
export interface Prover {
  readonly proof: Exclude<Caller['proof'], 'none'>;
}

/** The entry of a game server that is to have another one in its place, and what its caller shows of it. */
export interface Predecessor extends Prover {
  readonly id: GameServerId;
}

/**
 * `listed`: also when a repetition changes nothing. `unlisted`: the id has expired or was removed; it stays so.
 * `not_owner`: the caller has shown a wrong token of the predecessor.
 */
export type BroadcastOutcome = 'listed' | 'unlisted' | 'not_owner' | AddressTaken | QuotaExceeded;

/**
 * `refreshed`: the entry has a new deadline, and the data of the ping. `unknown`: never listed, or removed.
 * `not_owner`: the entry is claimed, and the caller has not shown its token; or the caller has shown a wrong one.
 */
export type PingOutcome = 'refreshed' | 'unknown' | 'ip_mismatch' | 'not_owner' | AddressTaken;

/** The outcomes of a ping, but that IP and client may be others; the client may then have too many entries. */
export type RebroadcastOutcome = Exclude<PingOutcome, 'ip_mismatch'> | QuotaExceeded;

/** `removed`: the entry was there before, and is off the list now. `unknown`: never listed, or already removed. */
export type RemoveOutcome = 'removed' | 'unknown' | 'ip_mismatch' | 'not_owner';

/** An unlisted entry is also known by its join code (join-code.ts). */
export interface ByJoinCode {
  readonly joinCode: string;
}

export interface Listing {
  readonly snapshot: Snapshot;
  /** Undefined for the current list; else when the snapshot was last known to be current, ms since the epoch. */
  readonly staleSince: number | undefined;
}

/**
 * Expected outcomes are return values, and one that refuses a write has changed nothing. Whatever writes for a request
 * names its caller; without one it is UNKNOWN_CALLER. A method throws a ServiceError `registry_unavailable` when it
 * cannot tell the outcome: a write that threw may or may not have happened, and is safe to repeat.
 */
export interface Registry {
  /**
   * Lists a new game server under a new id, for one TTL: claimed, if the caller shows the token of that id. Repeated
   * with the same id it changes nothing else. `predecessor`: an entry, listed or expired, that leaves for good in the
   * same step: it stays if the broadcast is refused, counts for no quota of this one, and need not be there any more.
   */
  broadcast(
    id: GameServerId,
    gameServer: GameServer,
    caller?: Caller,
    predecessor?: Predecessor,
  ): Promise<BroadcastOutcome>;

  /**
   * Gives a listed or expired entry one TTL from now on, and takes over what the game server says of itself.
   * `ip_mismatch`, and nothing changes, when the IP is not the one of the broadcast. A token claims the entry.
   */
  ping(id: GameServerId, gameServer: GameServer, caller?: Caller): Promise<PingOutcome>;

  /** The same for a game server that starts anew under its old id, perhaps with another IP. It needs the token. */
  rebroadcast(id: GameServerId, gameServer: GameServer, caller: Caller): Promise<RebroadcastOutcome>;

  /** Takes an entry off the list at once and for good. `ip_mismatch` and `not_owner` as for a ping. */
  remove(id: GameServerId, ip: string, caller?: Caller): Promise<RemoveOutcome>;

  /**
   * Takes an entry off the list at once, and keeps its id for `keepIdMs` of the lifetime: meanwhile nothing but a
   * rebroadcast brings it back. The token claims it. One that is parked already stays so for as long as it was to.
   * `ip_mismatch` and `not_owner` as for a remove.
   */
  park(id: GameServerId, ip: string, caller: Prover): Promise<RemoveOutcome>;

  /** Takes an entry off the list at once and for good, whatever its game server says. */
  evict(id: GameServerId): Promise<'removed' | 'unknown'>;

  /** All entries that are shown, in order of registration, with every change acknowledged before the call. */
  list(): Promise<Listing>;

  /** The entry as this replica knows it, if it is listed: perhaps not with the latest changes of other replicas. */
  known(by: GameServerId | ByJoinCode): ListedGameServer | undefined;

  /** All listed entries, shown or not, in no order. */
  entries(): Promise<Iterable<ListedGameServer>>;

  /** Stops timers and ends what the registry began. Call it once. */
  close(): Promise<void>;
}

/** The entry that an event is about, with its address if this replica knows it. */
export type ToldEntry = Pick<ListedGameServer, 'id'> & Partial<Pick<ListedGameServer, 'ip' | 'port'>>;

/** `again`: a broadcast with its token, listed before or not. `revived`: it had expired, and has pinged. */
export type ListedReason = 'new' | 'again' | 'revived';

/** `evicted`: by a moderator. `replaced`: another entry has its address, or its game server another entry. */
export type LeftReason = 'removed' | 'parked' | 'evicted' | 'replaced';

/** Events that an operator may want to know of. Of several replicas that could report one, one does. */
export interface RegistryEvents {
  readonly onListed: (entry: ToldEntry, why: ListedReason) => void;
  /** The entry cannot come back, unless it is parked. */
  readonly onLeft: (entry: ToldEntry, why: LeftReason) => void;
  /** A sweep of this replica took these entries off the list. */
  readonly onExpired: (entries: readonly ToldEntry[]) => void;
  /** The hold of a mass expiry began. */
  readonly onExpiryHeld: (silence: HeldExpiry) => void;
  /** The hold is over: most entries are back, or it has lasted too long. */
  readonly onExpiryReleased: () => void;
  /** A game server gets no history, as so many are kept; emitted once. */
  readonly onHistoriesFull: (most: number) => void;
}

/** The numbers at the beginning of a hold. */
export interface HeldExpiry {
  /** How many of the listed entries have missed a ping. */
  readonly silent: number;
  readonly listed: number;
}

/** A time and its timers: those of the system, or of a test. */
export interface Clock {
  /** ms since the epoch, if nothing else is said. */
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
