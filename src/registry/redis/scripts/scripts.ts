/**
 * The one typed door to the Lua scripts: calls in, outcomes of the domain out. The file of each script in lua/ begins
 * with what it does, takes and returns.
 */

import { NO_DETAILS } from '../../details.ts';
import type { GameServer, GameServerId, ListedGameServer } from '../../game-server.ts';
import { HISTORY_STEPS, type HistoryPoints, type HistoryStep } from '../../history-record.ts';
import { NO_QUOTAS } from '../../quotas.ts';
import { UNKNOWN_CALLER, type AnyCaller, type Caller, type Predecessor } from '../../registry.ts';
import { isFormerUnlistedId } from '../../unlisted-id.ts';
import { networkNumber } from '../client-network.ts';
import { placeOf } from '../place.ts';
import {
  parseChanges,
  timeOf,
  type ChangesPage,
  type ChangesReply,
  type FeedPosition,
  type LostState,
} from '../feed/feed.ts';
import { fullPing, parseShortPing, SAY_ALL, shortPing } from './ping-forms.ts';
import { RECOUNT_LIMIT } from './prelude.ts';
import {
  parseBroadcast,
  parseHistory,
  parsePing,
  parseRemove,
  type Pinged,
  type Removed,
  type Unknown,
  type Broadcasted,
  type HistoryReply,
} from './script-replies.ts';
import { createScriptRunner, unavailable, type ScriptContext } from './script-runner.ts';

export interface Scripts {
  /** `oldestRelease`: as KnownSettings has it. */
  broadcast(
    id: GameServerId,
    gameServer: GameServer,
    caller?: AnyCaller,
    more?: { readonly predecessor?: Predecessor | undefined; readonly oldestRelease?: string },
  ): Promise<Broadcasted>;
  /** `known`: the entry as this replica knows it, if it does; it may be outdated. */
  ping(
    id: GameServerId,
    gameServer: GameServer,
    caller?: AnyCaller,
    known?: ListedGameServer,
  ): Promise<Pinged | Unknown>;
  /** A ping that may come with another IP. */
  rebroadcast(id: GameServerId, gameServer: GameServer, caller: Caller): Promise<Pinged | Unknown>;
  /** `ip`: undefined for whatever it is. */
  remove(id: GameServerId, ip: string | undefined, caller: Pick<Caller, 'proof'>): Promise<Removed | Unknown>;
  /** `mustWrite`: fails if Redis takes no writes. */
  changes(position: FeedPosition, mustWrite?: boolean): Promise<ChangesPage>;
  /** Resolves with the ids that are listed again. `holds`: the registry is not whole before this replica calls declareWhole. */
  restore(lost: LostState, holds?: boolean): Promise<readonly GameServerId[]>;
  /**
   * This replica has told what it knew of before the loss. Resolves with whether the registry is whole: every other
   * replica has told all as well. `digestOffset`: what the digest of Redis lacks, by the copy of this replica.
   */
  declareWhole(epoch: string, loss: string, digestOffset: number): Promise<boolean>;
  /**
   * Puts damaged keys in order, and begins a new history. `suspects`: ids whose records are checked as well, with the
   * epoch in which one was surely damaged, or ''. Damaged ones are unlisted, for a replica to restore them.
   */
  mend(suspects: ReadonlyMap<GameServerId, string>): Promise<void>;
  /** Takes all game servers off, for good. Reports after each part how many so far. */
  reset(onProgress: (removed: number) => void): Promise<void>;
  /** How many game servers are listed. */
  count(): Promise<number>;
  noteReachability(
    id: GameServerId,
    target: Pick<GameServer, 'ip' | 'port'>,
    reachability: string,
  ): Promise<void>;
  /** Resolves with whether this replica has the turn for so long: not if another one has it. */
  takeTurn(turn: string, forMs: number): Promise<boolean>;
  /** Tells what this replica knows of the settings, and resolves with those of Redis. */
  exchangeSettings(known: KnownSettings): Promise<StoredSettings>;
  /**
   * What moderators have decided, as text, after the decision of this version. Resolves with whether it holds now; if
   * not, the replica has to take over what has been decided in between, or the registry is not whole.
   */
  moderate(version: number, moderation: string): Promise<boolean>;
  /** Corrects, for a part of all entries, for which network each counts. `rank`: where it begins, by the last call. */
  recount(position: RecountPosition): Promise<RecountPosition>;
  /** Tells points of the history, and resolves with the first page of those `after` a time, ms since the epoch; -1 for all. */
  exchangeHistory(step: HistoryStep, points: HistoryPoints, after: number): Promise<HistoryReply>;
}

export interface KnownSettings {
  /** With the time when it was made; '' if it is not known. */
  readonly secret: string;
  /** For a registry that is whole and has none. */
  readonly newSecret: string;
  /** The oldest release of which replicas may be left, once that is known; else ''. */
  readonly oldestRelease: string;
  /** The version of the moderation that is known. */
  readonly version: number;
  /** As text, if it is to be told. */
  readonly moderation?: string;
  readonly wantsModeration?: boolean;
  /** The version of a moderation that could not be read: it is dropped, for another replica to tell it. */
  readonly damagedVersion?: number;
}

export interface StoredSettings {
  readonly secret: string;
  readonly oldestRelease: string;
  readonly version: number;
  readonly moderationBytes: number;
  /** '' if it was not wanted. */
  readonly moderation: string;
  /** The version of a decision, a colon, and that of the one before it: of this moderation, or of an earlier one. */
  readonly moderationAfter: string;
}

/** An entry, its client, and the number of the network for which it counts; '' for none. */
type Counted = readonly [id: GameServerId, client: string, network: string];

export interface RecountPosition {
  readonly rank: number;
  /** Entries that were found to count for another network than that of their client, or for none. */
  readonly miscounted: readonly Counted[];
}

/** Makes the scripts known to the client. No command is sent. */
export function createScripts(context: ScriptContext): Scripts {
  const { client, keys } = context;
  const { recordPrefix, turnPrefix, historyPrefix } = keys;
  const { isExempt } = context.quotas ?? NO_QUOTAS;
  const { replica, clock, define, defineWrite, defineGrouped } = createScriptRunner(context);
  const broadcast = defineGrouped('broadcast');
  const ping = defineGrouped('ping');
  const remove = defineWrite('remove');
  const changes = define('changes');
  const restore = define('restore');
  const declareWhole = define('declare-whole');
  const mend = define('mend');
  const reset = define('reset');
  const settings = define('settings');
  const moderate = defineWrite('moderate');
  const recount = define('recount');
  const noteReachability = defineWrite('note-reachability');
  const history = define('history');

  return {
    async broadcast(id, gameServer, caller: AnyCaller = UNKNOWN_CALLER, more = {}) {
      const { address, proof } = caller;
      const { predecessor, oldestRelease = '' } = more;
      const about = [flag(proof === 'token'), address, networkNumber(address), flag(isExempt(address))];
      const comesFor = [predecessor?.id ?? '', predecessor?.proof ?? ''];
      const form = !isFormerUnlistedId(id) ? '' : oldestRelease === '' ? 'former' : 'over';
      const goesTo = [form, placeOf(gameServer)];
      const reply = await broadcast([id, ...fieldsOf(gameServer), ...about, ...comesFor, ...goesTo]);
      return parseBroadcast(reply, id, gameServer, caller);
    },

    async ping(id, gameServer, caller: AnyCaller = UNKNOWN_CALLER, known) {
      const short = known && shortPing(gameServer, caller, known);
      if (short !== undefined) {
        const reply = await ping(short);
        if (reply !== SAY_ALL) return parseShortPing(reply, gameServer, known!);
      }
      return parsePing(await ping(fullPing(id, gameServer, caller)), id, gameServer);
    },

    async rebroadcast(id, gameServer, caller) {
      const rights = { mayMove: true, isExempt: isExempt(caller.address) };
      return parsePing(await ping(fullPing(id, gameServer, caller, rights)), id, gameServer);
    },

    async remove(id, ip, { proof }) {
      const args = [id, ip ?? '', proof === 'none' ? '' : proof];
      return parseRemove(await remove((isRepetition) => [...args, flag(isRepetition)], recordPrefix + id));
    },

    async changes(position, mustWrite = false) {
      const { epoch, cursor, base, logOffset = '' } = position;
      const args = [recordPrefix, epoch, String(cursor), String(base), flag(mustWrite), String(logOffset)];
      const reply = (await changes(() => args)) as ChangesReply;
      clock.told(timeOf(reply));
      return parseChanges(reply, position);
    },

    async restore({ version, tombstones, listed }, holds = false) {
      const args = [
        recordPrefix,
        String(version),
        replica,
        flag(holds),
        String(tombstones.length),
        String(listed.length),
        ...tombstones.flatMap(({ id, version: removedVersion, revivable, isClaimed }) => [
          id,
          String(removedVersion),
          revivable ? (isClaimed ? '2' : '1') : '',
        ]),
        ...listed.flatMap((entry) => [
          entry.id,
          String(entry.version),
          String(entry.registeredVersion),
          ...fieldsOf(entry),
          flag(entry.isClaimed),
          entry.client,
          entry.reachability,
          networkNumber(entry.client),
          placeOf(entry),
        ]),
      ];
      return (await restore(() => args)) as GameServerId[];
    },

    declareWhole: async (epoch, loss, digestOffset) =>
      (await declareWhole(() => [epoch, loss, String(digestOffset), replica])) === 1,

    async mend(suspects) {
      await mend(() => [recordPrefix, ...[...suspects].flat()]);
    },

    async reset(onProgress) {
      let removed = 0;
      for (;;) {
        const [gameServers, tombstones] = (await reset(() => [recordPrefix])) as [number, number];
        if (gameServers + tombstones === 0) return;
        removed += gameServers;
        onProgress(removed);
      }
    },

    count: () => client.zcard(keys.shared[0]!).catch(unavailable),

    async noteReachability(id, { ip, port }, reachability) {
      await noteReachability(() => [id, ip, String(port), reachability], recordPrefix + id);
    },

    async takeTurn(turn, forMs) {
      const key = turnPrefix + turn;
      const isTaken = (await client.set(key, replica, 'PX', forMs, 'NX').catch(unavailable)) === null;
      if (isTaken && (await client.get(key).catch(unavailable)) !== replica) return false;
      if (isTaken) await client.pexpire(key, forMs).catch(unavailable);
      return true;
    },

    async exchangeSettings({ secret, newSecret, oldestRelease, version, ...more }) {
      const { moderation = '', wantsModeration = false, damagedVersion = '' } = more;
      const about = [moderation, flag(wantsModeration), String(damagedVersion), oldestRelease];
      const args = [secret, newSecret, String(version), ...about];
      const reply = (await settings(() => args)) as [string, string, number, string | null, string, string];
      return {
        secret: reply[0],
        version: Number(reply[1]),
        moderationBytes: reply[2],
        moderation: reply[3] ?? '',
        moderationAfter: reply[4],
        oldestRelease: reply[5],
      };
    },

    moderate: async (version, moderation) => (await moderate(() => [String(version), moderation])) !== 0,

    async recount({ rank, miscounted }) {
      const args = miscounted.flatMap(([id, whose]) => [id, whose, networkNumber(whose)]);
      const reply = await recount(() => [recordPrefix, String(rank), ...args]);
      const [isLast, found] = reply as [number, string[]];
      const counted = found.flatMap((id, i): Counted[] =>
        i % 3 === 0 ? [[id, found[i + 1]!, found[i + 2]!]] : [],
      );
      return {
        rank: isLast === 1 ? 0 : rank + RECOUNT_LIMIT,
        miscounted: counted.filter(([, whose, network]) => network !== networkNumber(whose)),
      };
    },

    async exchangeHistory(step, points, after) {
      const { ms, most } = HISTORY_STEPS[step];
      const told = points.map(({ time, servers, players, peak }) => `${time} ${servers} ${players} ${peak}`);
      const args = [String(ms), String(most), String(after), ...told];
      return parseHistory(await history(() => args, historyPrefix + step));
    },
  };
}

/** In the order of ARGV. */
function fieldsOf({ ip, host, name, port, players, maxPlayers, details = NO_DETAILS }: GameServer): string[] {
  return [ip, host, name, String(port), String(players), String(maxPlayers), details.text];
}

function flag(isSet: boolean): string {
  return isSet ? '1' : '';
}
