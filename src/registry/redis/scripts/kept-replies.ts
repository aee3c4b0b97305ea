/** The replies about what a registry keeps beside its entries: settings, counts of networks, the history. */

import type { GameServerId } from '../../../model/game-server.ts';
import type { HistoryPoints } from '../../history-record.ts';
import { networkNumber } from '../client-network.ts';
import { RECOUNT_LIMIT } from './script-constants.ts';
import { namedIn, type NamedReply } from './script-contract.ts';

export interface StoredSettings {
  readonly secret: string;
  readonly version: number;
  readonly moderationBytes: number;
  /** '' if it was not wanted. */
  readonly moderation: string;
  /** The version of a decision, a colon, and that of the one before it: of this moderation, or of an earlier one. */
  readonly moderationAfter: string;
}

interface StoredReply extends NamedReply<'settings'> {
  readonly secret: string;
  readonly moderationBytes: number;
  readonly moderation: string;
  readonly moderationAfter: string;
}

export function readSettings(reply: unknown): StoredSettings {
  const stored = namedIn(reply) as StoredReply;
  return { ...stored, version: Number(stored.version) };
}

/** An entry, its client, and the number of the network for which it counts; '' for none. */
type Counted = readonly [id: GameServerId, client: string, network: string];

export interface RecountPosition {
  readonly rank: number;
  /** Entries that were found to count for another network than that of their client, or for none. */
  readonly miscounted: readonly Counted[];
}

/** `rank`: where the part began. */
export function readRecounted(reply: unknown, rank: number): RecountPosition {
  const [isLast, found] = reply as [number, string[]];
  const counted = found.flatMap((id, i): Counted[] =>
    i % 3 === 0 ? [[id, found[i + 1]!, found[i + 2]!]] : [],
  );
  return {
    rank: isLast === 1 ? 0 : rank + RECOUNT_LIMIT,
    miscounted: counted.filter(([, whose, network]) => network !== networkNumber(whose)),
  };
}

/** A part of the history by the minute or by the hour. */
export interface HistoryReply {
  /** By the clock of Redis, ms since the epoch. */
  readonly now: number;
  /** How many points Redis has. */
  readonly count: number;
  readonly points: HistoryPoints;
  /** After which time there are more points, if there are. */
  readonly nextAfter: number | undefined;
}

/** A part of the texts that are kept beside the entries. */
export interface KeptTextsReply {
  /** By the clock of Redis, ms since the epoch. */
  readonly now: number;
  /** The cursor of the next part; 0 after the last. */
  readonly cursor: string;
  readonly found: ReadonlyMap<GameServerId, string>;
  /** The texts of Redis that were read, or are not as they were known; '' for none. */
  readonly others: ReadonlyMap<GameServerId, string>;
}

/** Reads a reply of bytes. */
export function readKeptTexts(reply: unknown): KeptTextsReply {
  const [now, cursor, found, others] = reply as [Buffer, Buffer, Buffer[], Buffer[]];
  return { now: Number(now), cursor: String(cursor), found: pairsIn(found), others: pairsIn(others) };
}

function pairsIn(flat: readonly Buffer[]): ReadonlyMap<GameServerId, string> {
  const pairs = new Map<GameServerId, string>();
  for (let i = 0; i < flat.length; i += 2) pairs.set(String(flat[i]), flat[i + 1]!.toString('latin1'));
  return pairs;
}

/** The points are those that a script of GSLS wrote: the script has checked them. */
export function readHistory(reply: unknown): HistoryReply {
  const [now, count, nextAfter, points] = reply as [string, number, string, string[]];
  return {
    now: Number(now),
    count,
    points: points.map((text) => {
      const [time, servers, players, peak] = text.split(' ').map(Number) as [number, number, number, number];
      return { time, servers, players, peak };
    }),
    nextAfter: nextAfter === '' ? undefined : Number(nextAfter),
  };
}
