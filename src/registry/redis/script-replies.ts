/** What the scripts for writes reply, as outcomes of the domain. Knows the forms that lua/ describes, not how they come. */

import type { Standing } from '../game-server.ts';
import type {
  AddressTaken,
  BroadcastOutcome,
  PingOutcome,
  QuotaExceeded,
  RebroadcastOutcome,
  RemoveOutcome,
} from '../registry.ts';
import {
  parseHealth,
  parseRecord,
  parseStanding,
  type ChangedGameServer,
  type RecordReply,
  type RegistryHealth,
  type StandingReply,
} from './feed.ts';

/** An outcome, and the version of the change if there was one. */
export interface Versioned<Outcome> {
  readonly outcome: Outcome;
  readonly version?: number;
}

/** `damaged`: the id is listed, but its record is not what GSLS wrote. */
export type Damaged = 'damaged';

/** Redis does not have the id. */
export interface Unknown {
  readonly outcome: 'unknown';
  readonly health: RegistryHealth;
}

export interface Pinged {
  readonly outcome: Exclude<PingOutcome | RebroadcastOutcome, 'unknown'> | Damaged;
  /** The entry as it is from now on, if the ping changed it visibly. */
  readonly changed?: Pick<ChangedGameServer, 'version' | 'registeredVersion'> & Standing;
}

export interface Broadcasted {
  readonly outcome: BroadcastOutcome;
  /** The version of this broadcast and what is known of its client, if it was the first under its id. */
  readonly first?: { readonly version: number; readonly client: string };
  /** The entry as it is from now on, if it was listed before and this broadcast has claimed it. */
  readonly claimed?: ChangedGameServer;
}

export type Removed = Versioned<Exclude<RemoveOutcome, 'unknown'> | Damaged>;

/** A reply of ping.lua or remove.lua that is no plain number: the id is known, with versions, or unknown. */
type ListReply = [
  kind: number,
  versionOrLoss: string,
  registeredVersionOrIsWhole?: string | number,
  ...StandingReply,
];

/** A reply of broadcast.lua that is no plain number. */
type BroadcastReply = [kind: 1, record: RecordReply] | [kind: 2, forMs: string] | QuotaReply;
type QuotaReply = [kind: 3, of: number, limit: number, count: number];

/** `client`: that of the broadcast. */
export function parseBroadcast(reply: unknown, client: string): Broadcasted {
  if (reply === 0) return { outcome: 'unlisted' };
  if (reply === 1) return { outcome: 'listed' };
  if (!Array.isArray(reply)) return { outcome: 'listed', first: { version: Number(reply), client } };
  const refusal = reply as BroadcastReply;
  if (refusal[0] === 1) return { outcome: 'listed', claimed: parseRecord(refusal[1]) };
  if (refusal[0] === 2) return { outcome: addressTaken(refusal[1]) };
  return { outcome: quotaExceeded(refusal) };
}

/** `ip`: that of the ping. */
export function parsePing(reply: unknown, ip: string): Pinged | Unknown {
  if (reply === 1) return { outcome: 'refreshed' };
  if (reply === -1) return { outcome: 'ip_mismatch' };
  if (reply === -2) return { outcome: 'damaged' };
  if (reply === -4) return { outcome: 'not_owner' };
  const [kind, version, registeredVersion, ...standing] = reply as ListReply;
  if (kind === 0) return parseUnknown(reply as ListReply);
  if (kind === 2) return { outcome: addressTaken(version) };
  if (kind === 3) return { outcome: quotaExceeded(reply as QuotaReply) };
  return {
    outcome: 'refreshed',
    changed: {
      version: Number(version),
      registeredVersion: Number(registeredVersion),
      ...parseStanding(standing, ip),
    },
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
