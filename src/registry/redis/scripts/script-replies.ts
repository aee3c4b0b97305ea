/** The replies to writes of an entry, as outcomes of the domain. The header of each script says what its codes mean. */

import { Details, NO_DETAILS } from '../../../model/fields/details.ts';
import {
  UNKNOWN_STANDING,
  type GameServer,
  type GameServerId,
  type ListedGameServer,
  type Standing,
} from '../../../model/game-server.ts';
import type { NativeOutcome } from '../../native-entries.ts';
import type {
  AnyCaller,
  BroadcastOutcome,
  PingOutcome,
  RebroadcastOutcome,
  RemoveOutcome,
} from '../../registry.ts';
import { entryOf, healthOf, parkedEntryOf, standingOf, type ToldRecord } from '../follower/changes-reply.ts';
import type { FollowedEntry, ParkedEntry, RegistryHealth } from '../follower/changes-batch.ts';
import { CODES } from './script-contract.ts';

/** An outcome, and the version of the change if there was one. */
export interface Versioned<Outcome> {
  readonly outcome: Outcome;
  readonly version?: number;
}

/** `damaged`: the id is listed, but its record is not what GSLS wrote. */
export type Damaged = 'damaged';

/** The write changed nothing, since only a whole registry can allow it. */
export type NotWhole = 'not_whole';

/** Redis does not have the id. */
export interface Unknown {
  readonly outcome: 'unknown';
  readonly health: RegistryHealth;
}

export interface Pinged {
  readonly outcome: Exclude<PingOutcome | RebroadcastOutcome, 'unknown'> | Damaged | NotWhole;
  /** The entry as it is from now on, if the ping changed it visibly. */
  readonly changed?: FollowedEntry;
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

export interface Removed extends Versioned<Exclude<RemoveOutcome, 'unknown'> | Damaged> {
  /** The entry, if it is not removed but parked. */
  readonly parked?: ParkedEntry;
}

/** A code, a version, or a code before more. */
type Reply = number | string | readonly unknown[];

type Refusal = NativeOutcome | BroadcastOutcome | RebroadcastOutcome | RemoveOutcome | Damaged | NotWhole;

const REFUSALS: Readonly<Record<number, Refusal>> = {
  [CODES.OTHER_IP]: 'ip_mismatch',
  [CODES.DAMAGED]: 'damaged',
  [CODES.NOT_ENTITLED]: 'not_owner',
  [CODES.NOT_WHOLE]: 'not_whole',
  [CODES.UNLISTED]: 'unlisted',
};

/** Why a write has changed nothing; undefined if it has, or the id is unknown. */
function refusalIn(reply: Reply): Refusal | undefined {
  if (typeof reply === 'number') return REFUSALS[reply];
  const [code, ...more] = reply;
  if (code === CODES.ADDRESS_TAKEN) return { is: 'address_taken', forMs: Number(more[0]) };
  if (code === CODES.TOO_MANY_BYTES) return { is: 'too_many_bytes', limit: Number(more[0]) };
  if (code !== CODES.QUOTA_EXCEEDED) return undefined;
  const [which, limit, count] = more as [number, number, number];
  return { is: 'quota_exceeded', of: which === 1 ? 'all' : 'address', limit, count };
}

/** The reply itself, and the entries that had to go for it. */
function splitGone(reply: Reply): { readonly reply: Reply; readonly gone?: readonly GoneEntry[] } {
  if (!Array.isArray(reply) || reply[0] !== CODES.WITH_GONE) return { reply };
  const [, itself, flat] = reply as [number, Reply, string[]];
  const gone = flat.flatMap((id, i) => {
    const version = flat[i + 1]!;
    return i % 2 === 1 ? [] : [{ id, version: version === '' ? undefined : Number(version) }];
  });
  return { reply: itself, gone };
}

export function readBroadcasted(
  whole: unknown,
  id: GameServerId,
  gameServer: GameServer,
  { address: client, proof }: AnyCaller,
): Broadcasted {
  const { reply, ...gone } = splitGone(whole as Reply);
  const refusal = refusalIn(reply) as Broadcasted['outcome'] | undefined;
  if (refusal !== undefined) return { outcome: refusal };
  if (reply === CODES.DONE) return { outcome: 'listed', ...gone };
  if (Array.isArray(reply)) return { outcome: 'listed', changed: entryOf(reply[1] as ToldRecord), ...gone };
  const versions = { version: Number(reply), registeredVersion: Number(reply) };
  const standing = { ...UNKNOWN_STANDING, isClaimed: proof === 'token', client };
  const changed = { details: NO_DETAILS, ...gameServer, ...standing, id, ...versions };
  return { outcome: 'listed', changed, ...gone };
}

type Changed = readonly [
  code: number,
  version: string,
  registeredVersion: string,
  known: readonly [claimed: Told, client: Told, reachability: Told, details: Told, seen: Told],
];
type Told = string | null;

export function readPinged(whole: unknown, id: GameServerId, gameServer: GameServer): Pinged | Unknown {
  const { reply, ...gone } = splitGone(whole as Reply);
  const unknown = unknownIn(reply);
  if (unknown !== undefined) return unknown;
  const refusal = refusalIn(reply) as Pinged['outcome'] | undefined;
  if (refusal !== undefined) return { outcome: refusal };
  if (reply === CODES.DONE) return { outcome: 'refreshed' };
  const [code, version, registeredVersion, known] = reply as unknown as Changed;
  const [claimed, client, reachability, details, seen] = known;
  return {
    outcome: 'refreshed',
    changed: {
      ...gameServer,
      details: Details.parse(details ?? ''),
      ...standingOf({ claimed, client, reachability, seen }, gameServer.ip),
      id,
      version: Number(version),
      registeredVersion: Number(registeredVersion),
    },
    wasExpired: code === CODES.REVIVED,
    ...gone,
  };
}

export function readRemoved(whole: unknown): Removed | Unknown {
  const reply = whole as Reply;
  const unknown = unknownIn(reply);
  if (unknown !== undefined) return unknown;
  const refusal = refusalIn(reply) as Removed['outcome'] | undefined;
  if (refusal !== undefined) return { outcome: refusal };
  if (!Array.isArray(reply)) return { outcome: 'removed' };
  const [code, version, until, record] = reply as [number, string, string, ToldRecord];
  const parked = code === CODES.PARKED && { parked: parkedEntryOf(record, until) };
  return { outcome: 'removed', version: Number(version), ...parked };
}

export interface Published {
  readonly outcome: NativeOutcome | NotWhole;
  /** The entry as it is from now on, if it changed visibly. */
  readonly changed?: ListedGameServer;
  /** Whether it had expired. */
  readonly wasExpired?: boolean;
  readonly gone?: readonly GoneEntry[];
}

/** Redis asks for the entry as it is with these links, or for its document. */
export type Objection =
  { readonly asksFor: 'links'; readonly links: readonly string[] } | { readonly asksFor: 'document' };

export function readPublished(
  whole: unknown,
  id: GameServerId,
  gameServer: GameServer & Pick<ListedGameServer, 'details'>,
  standing: Standing,
): Published | Objection {
  const { reply, ...gone } = splitGone(whole as Reply);
  if (reply === CODES.SAY_ALL) return { asksFor: 'document' };
  if (reply === CODES.DONE) return { outcome: 'refreshed' };
  const refusal = refusalIn(reply) as Published['outcome'] | undefined;
  if (refusal !== undefined) return { outcome: refusal };
  const [code, ...more] = reply as readonly [number, ...string[]];
  if (code === CODES.OTHER_LINKS) return { asksFor: 'links', links: more[0]!.split(',') };
  const versions = { version: Number(more[0]), registeredVersion: Number(more[1]) };
  return {
    outcome: code === CODES.CHANGED ? 'refreshed' : 'listed',
    changed: { ...gameServer, ...standing, id, ...versions },
    wasExpired: code === CODES.REVIVED,
    ...gone,
  };
}

function unknownIn(reply: Reply): Unknown | undefined {
  if (!Array.isArray(reply) || reply[0] !== CODES.UNKNOWN) return undefined;
  const [, loss, isWhole] = reply as [number, string, number];
  return { outcome: 'unknown', health: healthOf(loss, isWhole) };
}
