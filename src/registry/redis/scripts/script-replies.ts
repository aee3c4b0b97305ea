/** What the scripts for writes, and that of the history, reply, as outcomes of the domain. Knows the forms that lua/ describes, not how they come. */

import { Details, NO_DETAILS } from '../../details.ts';
import {
  UNKNOWN_STANDING,
  type GameServer,
  type GameServerId,
  type ListedGameServer,
} from '../../game-server.ts';
import type { HistoryPoints } from '../../history-record.ts';
import type {
  AddressTaken,
  AnyCaller,
  BroadcastOutcome,
  PingOutcome,
  QuotaExceeded,
  RebroadcastOutcome,
  RemoveOutcome,
} from '../../registry.ts';
import {
  parseHealth,
  parseRecord,
  parseStanding,
  type RecordReply,
  type RegistryHealth,
  type StandingReply,
} from '../feed/feed.ts';

/** An outcome, and the version of the change if there was one. */
export interface Versioned<Outcome> {
  readonly outcome: Outcome;
  readonly version?: number;
}

/** `damaged`: the id is listed, but its record is not what GSLS wrote. */
export type Damaged = 'damaged';

/** Only a whole registry can allow it: nothing has happened. */
export type NotWhole = 'not_whole';

/** Redis does not have the id. */
export interface Unknown {
  readonly outcome: 'unknown';
  readonly health: RegistryHealth;
}

export interface Pinged {
  readonly outcome: Exclude<PingOutcome | RebroadcastOutcome, 'unknown'> | Damaged | NotWhole;
  /** The entry as it is from now on, if the ping changed it visibly. */
  readonly changed?: ListedGameServer;
  /** Whether the entry had expired. */
  readonly wasExpired?: boolean;
  /** The entry that had to go for its address. */
  readonly gone?: readonly GoneEntry[];
}

export interface Broadcasted {
  readonly outcome: BroadcastOutcome | NotWhole;
  /** The entry as it is from now on, if the broadcast was the first under its id, or has claimed it. */
  readonly changed?: ListedGameServer;
  /** The entries that had to go for it. */
  readonly gone?: readonly GoneEntry[];
}

export interface GoneEntry {
  readonly id: GameServerId;
  /** The version of its tombstone, if it was listed. */
  readonly version: number | undefined;
}

export type Removed = Versioned<Exclude<RemoveOutcome, 'unknown'> | Damaged>;

/** A reply of ping.lua or remove.lua that is no plain number: the id is known, with versions, or unknown. */
type ListReply = [
  kind: number,
  versionOrLoss: string,
  registeredVersionOrIsWhole: string | number,
  ...standing: StandingReply,
  details: string | null,
  wasExpired?: number,
  gone?: string | null,
  goneVersion?: string,
];

/** A reply of broadcast.lua that is no plain number. */
type BroadcastReply =
  | [kind: 1, record: RecordReply, ...gone: string[]]
  | [kind: 2, forMs: string]
  | QuotaReply
  | [kind: 4, versionOrChanged: string | 1, ...gone: string[]];
type QuotaReply = [kind: 3, of: number, limit: number, count: number];

export function parseBroadcast(
  reply: unknown,
  id: GameServerId,
  gameServer: GameServer,
  { address: client, proof }: AnyCaller,
): Broadcasted {
  if (reply === 0) return { outcome: 'unlisted' };
  if (reply === -1) return { outcome: 'outdated_id' };
  if (reply === -4) return { outcome: 'not_owner' };
  if (reply === -5) return { outcome: 'not_whole' };
  const listedAs = (version: string | number): Broadcasted => {
    if (version === 1) return { outcome: 'listed' };
    const versions = { version: Number(version), registeredVersion: Number(version) };
    const standing = { ...UNKNOWN_STANDING, isClaimed: proof === 'token', client };
    const changed = { details: NO_DETAILS, ...gameServer, ...standing, id, ...versions };
    return { outcome: 'listed', changed };
  };
  if (!Array.isArray(reply)) return listedAs(reply as string | 1);
  const more = reply as BroadcastReply;
  if (more[0] === 2) return { outcome: addressTaken(more[1]) };
  if (more[0] === 3) return { outcome: quotaExceeded(more) };
  const [, , ...gone] = more;
  const listed: Broadcasted =
    more[0] === 4 ? listedAs(more[1]) : { outcome: 'listed', changed: parseRecord(more[1]) };
  return { ...listed, gone: parseGone(gone) };
}

function parseGone(flat: readonly string[]): GoneEntry[] {
  return flat.flatMap((id, i) => {
    const version = flat[i + 1]!;
    return i % 2 === 1 ? [] : [{ id, version: version === '' ? undefined : Number(version) }];
  });
}

export function parsePing(reply: unknown, id: GameServerId, gameServer: GameServer): Pinged | Unknown {
  if (reply === 1) return { outcome: 'refreshed' };
  if (reply === -1) return { outcome: 'ip_mismatch' };
  if (reply === -2) return { outcome: 'damaged' };
  if (reply === -4) return { outcome: 'not_owner' };
  if (reply === -5) return { outcome: 'not_whole' };
  const [kind, version, registeredVersion, ...more] = reply as ListReply;
  const [claimed, client, reachability, details, wasExpired, gone, goneVersion] = more;
  if (kind === 0) return parseUnknown(reply as ListReply);
  if (kind === 2) return { outcome: addressTaken(version) };
  if (kind === 3) return { outcome: quotaExceeded(reply as QuotaReply) };
  return {
    outcome: 'refreshed',
    changed: {
      ...gameServer,
      details: Details.parse(details ?? ''),
      ...parseStanding([claimed, client, reachability], gameServer.ip),
      id,
      version: Number(version),
      registeredVersion: Number(registeredVersion),
    },
    wasExpired: wasExpired === 1,
    gone: gone ? parseGone([gone, goneVersion!]) : [],
  };
}

function quotaExceeded([, of, limit, count]: QuotaReply): QuotaExceeded {
  return { is: 'quota_exceeded', of: of === 1 ? 'all' : 'address', limit, count };
}

function addressTaken(forMs: string): AddressTaken {
  return { is: 'address_taken', forMs: Number(forMs) };
}

export function parseRemove(reply: unknown): Removed | Unknown {
  if (reply === 1) return { outcome: 'removed' };
  if (reply === -1) return { outcome: 'ip_mismatch' };
  if (reply === -2) return { outcome: 'damaged' };
  if (reply === -4) return { outcome: 'not_owner' };
  const [isKnown, version] = reply as ListReply;
  return isKnown === 0 ? parseUnknown(reply as ListReply) : { outcome: 'removed', version: Number(version) };
}

function parseUnknown([, loss, isWhole]: ListReply): Unknown {
  return { outcome: 'unknown', health: parseHealth(loss, Number(isWhole)) };
}

/** Of the history by the minute or by the hour. */
export interface HistoryReply {
  /** By the clock of Redis, ms since the epoch. */
  readonly now: number;
  /** How many points Redis has. */
  readonly count: number;
  readonly points: HistoryPoints;
  /** After which time the next page begins, if there is one. */
  readonly nextAfter: number | undefined;
}

/** The points are those that a script of GSLS wrote: the script has checked them. */
export function parseHistory(reply: unknown): HistoryReply {
  const [now, count, nextAfter, ...points] = reply as [string, number, string, ...string[]];
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
