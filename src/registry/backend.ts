/**
 * What one backend gives: the Registry, and the ports beside it. Only what opens a backend or hands it on names it
 * whole; whoever uses it takes the smallest port that does. Each method throws a ServiceError `registry_unavailable`
 * when it cannot tell the outcome, if nothing else is said.
 */

import type { GameServer, GameServerId, ListedGameServer, SeenPlayers } from '../model/game-server.ts';
import type { RuleSubject } from './decisions/rule-matcher.ts';
import type { Ban, Decisions } from './decisions/decisions.ts';
import type { HistoryPoints, HistoryStep } from './history-record.ts';
import type { OriginState } from './mirror/origin.ts';
import type { NativeEntries } from './native-entries.ts';
import type { Listing, Registry } from './registry.ts';
import type { Voice, Voices } from './reports/voices.ts';

export interface Backend extends Registry {
  readonly moderation: Moderation;
  readonly history: History;
  /** Undefined where no histories of game servers are kept. */
  readonly serverHistories?: ServerHistories | undefined;
  readonly lease: Lease;
  readonly secret: Secret;
  readonly reachability: ReachabilityNotes;
  readonly reports: Reports;
  readonly nativeEntries: NativeEntries;
  readonly fates: Fates;

  /** The registries that a mirror follows; undefined for a registry that is none. */
  readonly origins?: (() => readonly OriginState[]) | undefined;

  /** Whether list() has a list to give, be it an old one: false until the first is loaded. */
  readonly hasList: boolean;

  /** The list as list() gives it, but nobody counts as its reader: of a registry that rests, that of its last look. */
  glance(): Promise<Listing>;
}

/** Why a registry takes no writes now, though it may be read. */
export interface WriteOutage {
  /** A word for programs, such as out_of_memory: a kind of error of Redis. */
  readonly reason: string;
  /** The end of a sentence about the registry, such as "its memory is full". */
  readonly says: string;
  /** The whole sentence, for operators. */
  readonly message: string;
}

/** The decisions of moderators (decisions/decisions.ts), and their effect on an entry. */
export interface Moderation {
  /**
   * The decisions that this replica knows: after a list, all that were made before the list was asked for. An entry
   * that is banned is not shown.
   */
  readonly decided: Decisions;

  /**
   * Changes the decisions for all replicas, and resolves with them once this replica goes by them. `change` gets the
   * decisions so far; it is called again if another replica was quicker.
   */
  decide(change: (decided: Decisions) => Decisions): Promise<Decisions>;

  /** The ban that holds for such an entry. Throws as long as the bans are not known. */
  findBan(subject: RuleSubject): Ban | undefined;

  /** Whether a client that knows the id may see the entry, listed or unlisted: not if it is banned. */
  mayBeTold(entry: ListedGameServer): boolean;
}

/** The history of the list: how many game servers and players it showed (history-record.ts). */
export interface History {
  /** The points by the minute or by the hour, the latest within some seconds of its end. */
  points(step: HistoryStep): Promise<HistoryPoints>;
}

/**
 * The histories of single game servers (server-history/): by the hour for 7 days, and by the day before that, up to 30
 * days. Each stays under its id when the entry leaves, until nothing of it is left; a ban or an eviction deletes it.
 */
export interface ServerHistories {
  /** The history under this id, the latest within some minutes; undefined if there is none. */
  of(id: GameServerId): Promise<ServerHistory | undefined>;
}

export interface ServerHistory {
  /** In order of time; without the hours and days in which no replica looked at the list. */
  readonly points: readonly ServerHistoryPoint[];
  /** The share of the time looked at, since it was first listed, in which it was listed; null if nobody looked. */
  readonly uptime: number | null;
}

export interface ServerHistoryPoint {
  readonly step: 'hour' | 'day';
  /** When the hour or the day began, ms since the epoch. */
  readonly time: number;
  /** The rounded mean of players while it was listed, and the most at any look. */
  readonly players: number;
  readonly peak: number;
  readonly uptime: number | null;
}

/** A piece of work that one replica of all does. */
export interface Lease {
  /** Takes the lease of this name for so long. Resolves with whether this replica has it, and no other one. */
  take(name: string, forMs: number): Promise<boolean>;
}

/** Random text that only the replicas of a registry know, and that stays with it. */
export interface Secret {
  /** The secret; undefined until it is known. */
  readonly text: string | undefined;
}

/** What readers have reported of entries (reports/). Nothing is hidden by it. */
export interface Reports {
  /** The voices that count now, by entry. Those of other replicas may be some seconds late. */
  all(): Promise<Voices>;
  /** Adds a voice about an entry. Resolves with all voices about it. */
  add(id: GameServerId, voice: Voice): Promise<readonly Voice[]>;
  /** Forgets what was reported of an entry. */
  dismiss(id: GameServerId): Promise<void>;
}

/** How a registry learns whether a game server could be reached. */
export interface ReachabilityNotes {
  /**
   * Stores the result of a probe with the entry: a visible change if it differs from the stored one. Does nothing when
   * the entry is not listed with this address.
   */
  note(
    id: GameServerId,
    target: Pick<GameServer, 'ip' | 'port'>,
    reachability: string,
    seen?: SeenPlayers,
  ): Promise<void>;
}

/** The fates of ids, for a person who asks why a game server is not listed. */
export interface Fates {
  /** The fate of the id, by all that any replica knows. */
  of(id: GameServerId): Promise<Fate>;

  /**
   * The entries of this client that expired latest and can still be revived, the latest first: at most
   * MOST_EXPIRED_OF_CLIENT. Where a network has many entries, some may be missing: an answer takes the same time
   * however many there are.
   */
  expiredOf(client: string): Promise<readonly ExpiredEntry[]>;
}

/** The most expired entries of a client that are found. */
export const MOST_EXPIRED_OF_CLIENT = 16;

/**
 * `listed`: until its deadline, ms since the epoch. `expired`: a ping can revive it, or it is parked. `removed`: for
 * good, and when, ms since the epoch. `unknown`: never listed, or so long ago that its tombstone is forgotten.
 */
export type Fate =
  | { readonly is: 'listed'; readonly expiresAt: number }
  | { readonly is: 'expired'; readonly entry: ExpiredEntry }
  | { readonly is: 'removed'; readonly at: number }
  | { readonly is: 'unknown' };

/** An entry that has expired or is parked, with what it was listed as. Times in ms since the epoch. */
export interface ExpiredEntry extends Pick<GameServer, 'host' | 'name' | 'ip' | 'port'> {
  readonly id: GameServerId;
  /** The client and the reachability of its Standing. */
  readonly client: string;
  readonly reachability: string;
  readonly registeredVersion: number;
  /** The deadline that it missed, or when it was parked. */
  readonly expiredAt: number;
  /** Until when its token can bring it back; undefined if it has expired. */
  readonly parkedUntil: number | undefined;
}
