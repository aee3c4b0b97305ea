/**
 * The one typed door to the Lua scripts: calls in, outcomes of the domain out. The file of each script in lua/ begins
 * with what it does, takes and returns; create-scripts.ts carries the calls out.
 */

import type { GameServer, GameServerId, ListedGameServer, SeenPlayers } from '../../../model/game-server.ts';
import type { HistoryPoints, HistoryStep } from '../../history-record.ts';
import type { EntryLifetime } from '../../native-entries.ts';
import type { AnyCaller, Caller, Predecessor } from '../../registry.ts';
import type { ChangesBatch, FollowerPosition, LostState } from '../follower/changes-batch.ts';
import type { HistoryReply, KeptTextsReply, RecountPosition, StoredSettings } from './kept-replies.ts';
import type { Broadcasted, Objection, Pinged, Published, Removed, Unknown } from './script-replies.ts';

/**
 * `since` of a write: the beat of the pulse before the request that it is made for, by performance.now(); by default
 * that before the call.
 */
export interface Scripts {
  broadcast(
    id: GameServerId,
    gameServer: GameServer,
    caller?: AnyCaller,
    predecessor?: Predecessor,
    since?: number,
  ): Promise<Broadcasted>;
  /** `known`: the entry as this replica knows it, if it does; it may be outdated. */
  ping(
    id: GameServerId,
    gameServer: GameServer,
    caller?: AnyCaller,
    known?: ListedGameServer,
    since?: number,
  ): Promise<Pinged | Unknown>;
  /** A ping that may come with another IP. */
  rebroadcast(
    id: GameServerId,
    gameServer: GameServer,
    caller: Caller,
    since?: number,
  ): Promise<Pinged | Unknown>;
  /** Removes an entry for good, or parks it. `ip`: undefined if it need not be known. */
  remove(
    id: GameServerId,
    ip: string | undefined,
    caller: Pick<Caller, 'proof'>,
    since?: number,
    parks?: boolean,
  ): Promise<Removed | Unknown>;
  /**
   * Lists or renews the game server as its protocol describes it with these links. `document`: '' if Redis is
   * believed to have it.
   */
  publish(id: GameServerId, state: PublishedState, since?: number): Promise<Published | Objection>;
  /** Takes a link off the entry of another protocol. */
  withdraw(id: GameServerId, link: string, since?: number): Promise<Removed | Unknown>;
  /** Reads the changes after a position. `mustWrite`: fails if Redis takes no writes. */
  changes(position: FollowerPosition, mustWrite?: boolean): Promise<ChangesBatch>;
  /** Resolves with the ids that are listed again. `holds`: the registry is not whole until declareWhole() is called. */
  restore(lost: LostState, holds?: boolean): Promise<readonly GameServerId[]>;
  /**
   * This replica has told what it knew of before the loss. Resolves with whether the registry is whole: every other
   * replica has told all as well. `digestOffset`: what the digest of Redis lacks, by the copy of this replica.
   */
  declareWhole(epoch: string, loss: string, digestOffset: number): Promise<boolean>;
  /**
   * Puts damaged keys in order, and begins a new epoch. `suspects`: ids whose records are checked as well, with the
   * epoch in which one was surely damaged, or ''. Damaged ones are unlisted, for a replica to restore them.
   */
  mend(suspects: ReadonlyMap<GameServerId, string>): Promise<void>;
  /** Removes all game servers for good. Reports after each part how many so far. */
  reset(onProgress: (removed: number) => void): Promise<void>;
  /** How many game servers are listed. */
  count(): Promise<number>;
  noteReachability(
    id: GameServerId,
    target: Pick<GameServer, 'ip' | 'port'>,
    reachability: string,
    seen?: SeenPlayers,
  ): Promise<void>;
  /** Resolves with whether this replica has the lease for this time: not if another one has it. */
  takeLease(name: string, forMs: number): Promise<boolean>;
  /** Sends Redis the settings that this replica knows, and resolves with those of Redis. */
  exchangeSettings(known: KnownSettings): Promise<StoredSettings>;
  /**
   * What moderators have decided, as text, after the decision of this version. Resolves with whether it holds now; if
   * not, the replica has to take over what has been decided in between, or the registry is not whole.
   */
  moderate(version: number, moderation: string): Promise<boolean>;
  /** Corrects, for a part of all entries, for which network each counts. `rank`: where it begins, by the last call. */
  recount(position: RecountPosition): Promise<RecountPosition>;
  /**
   * Tells points of the history, and resolves with the first batch of those `after` a time, ms since the epoch; -1 for
   * all.
   */
  exchangeHistory(step: HistoryStep, points: HistoryPoints, after: number): Promise<HistoryReply>;
  /**
   * Stores texts of bytes that are kept beside the entries, unless Redis has others than the replica knows, and reads
   * the part of all that a cursor is at; '' for none. The first one is 0.
   */
  exchangeTexts(of: KeptTexts, writes: readonly KeptTextWrite[], cursor: string): Promise<KeptTextsReply>;
  /** The commands that scripts call and the user may not run; none where Redis cannot tell. */
  missingRights(): Promise<readonly string[]>;
}

/** A native entry as it is to be listed. */
export interface PublishedState {
  readonly gameServer: GameServer & Pick<ListedGameServer, 'details'>;
  readonly client: string;
  readonly lifetime: EntryLifetime;
  readonly link: string;
  readonly links: readonly string[];
  readonly document: string;
}

/** What is kept beside the entries: the histories of game servers, and the reports about them. */
export type KeptTexts = 'histories' | 'reports';

/** `known`: the text that Redis has, as far as the replica knows. `next`: '' to delete it. Or it is only read. */
export type KeptTextWrite = { readonly id: GameServerId } & (
  | { readonly known: string | undefined; readonly next: string; readonly reads?: undefined }
  | { readonly reads: true }
);

export interface KnownSettings {
  /** The secret with the time when it was made; '' if it is not known. */
  readonly secret: string;
  /** The secret for a registry that is whole and has none. */
  readonly newSecret: string;
  /** The version of the moderation that is known. */
  readonly version: number;
  /** The decisions as text, if Redis is to have them. */
  readonly moderation?: string;
  readonly wantsModeration?: boolean;
  /** The version of a moderation that could not be read: it is dropped, for another replica to tell it. */
  readonly damagedVersion?: number;
}
