/** What the scripts for writes reply, as outcomes of the domain. Knows the forms that lua/ describes, not how they come. */

import type { BroadcastOutcome, PingOutcome, RemoveOutcome } from '../registry.ts';
import { parseHealth, type ChangedGameServer, type RegistryHealth } from './feed.ts';

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
  readonly outcome: Exclude<PingOutcome, 'unknown'> | Damaged;
  /** The entry as it is from now on, if the ping changed it visibly. */
  readonly changed?: Pick<ChangedGameServer, 'version' | 'registeredVersion'>;
}

export type Removed = Versioned<Exclude<RemoveOutcome, 'unknown'> | Damaged>;

/** A reply of ping.lua or remove.lua that is no plain number: the id is known, with versions, or unknown. */
type ListReply = [isKnown: number, versionOrLoss: string, registeredVersionOrIsWhole?: string | number];

export function parseBroadcast(reply: unknown): Versioned<BroadcastOutcome> {
  if (reply === 0) return { outcome: 'unlisted' };
  return reply === 1 ? { outcome: 'listed' } : { outcome: 'listed', version: Number(reply) };
}

export function parsePing(reply: unknown): Pinged | Unknown {
  if (reply === 1) return { outcome: 'refreshed' };
  if (reply === -1) return { outcome: 'ip_mismatch' };
  if (reply === -2) return { outcome: 'damaged' };
  const [isKnown, version, registeredVersion] = reply as ListReply;
  if (isKnown === 0) return parseUnknown(reply as ListReply);
  const changed = { version: Number(version), registeredVersion: Number(registeredVersion) };
  return { outcome: 'refreshed', changed };
}

export function parseRemove(reply: unknown): Removed | Unknown {
  if (reply === 1) return { outcome: 'removed' };
  if (reply === -1) return { outcome: 'ip_mismatch' };
  if (reply === -2) return { outcome: 'damaged' };
  const [isKnown, version] = reply as ListReply;
  return isKnown === 0 ? parseUnknown(reply as ListReply) : { outcome: 'removed', version: Number(version) };
}

function parseUnknown([, loss, isWhole]: ListReply): Unknown {
  return { outcome: 'unknown', health: parseHealth(loss, Number(isWhole)) };
}
