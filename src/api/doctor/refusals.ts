/** Finds the refusals of writes that came from an address: by this replica, and by the rules of the API. */

import type { ErrorCode } from '../../model/errors.ts';
import type { Cause, Finding } from '../../model/findings.ts';
import type { DoctorQuestion } from './question.ts';

/** The last refusal of a broadcast, ping or remove with this code. */
export interface WriteRefusal {
  readonly code: ErrorCode;
  /** ms since the epoch. */
  readonly at: number;
  /** The details of the very case. */
  readonly about: string | undefined;
  readonly finding?: Finding | undefined;
  /** The address and the port that the game server announced; undefined if they were not read. */
  readonly ip?: string | undefined;
  readonly port?: number | undefined;
}

/** The refused writes of the network of an address, which is in canonical form (parseIp). */
export interface RefusedWrites {
  ofWrites(address: string): readonly WriteRefusal[];
}

/** An older one says little of now. */
const RECENT_MS = 10 * 60_000;

/** The refusals to this address that say something of now, the latest first. `now`: ms since the epoch. */
export function recentOf(refusals: RefusedWrites, address: string, now: number): readonly WriteRefusal[] {
  return refusals
    .ofWrites(address)
    .filter(({ at }) => now - at <= RECENT_MS)
    .toSorted((one, other) => other.at - one.at);
}

/** The game server in question. */
export interface AskedGameServer extends Pick<DoctorQuestion, 'ip' | 'port'> {
  /** Whether it has left and keeps its id: each of its pings is then refused as one of an unknown id. */
  readonly isParked: boolean;
}

/**
 * Whether the refusal may be that of the game server in question, and says more of it than is known. One that was
 * refused unread may be any at the address of the asker. `own`: that address.
 */
export function mayConcern(
  refusal: WriteRefusal,
  { ip, port, isParked }: AskedGameServer,
  own: string,
): boolean {
  if (isParked && refusal.code === 'unknown_server') return false;
  const isOther = port !== undefined && refusal.port !== undefined && refusal.port !== port;
  return !isOther && (ip === undefined || ip === own || ip === refusal.ip);
}

export function causeOfRefusal({ code, finding }: WriteRefusal): Cause {
  return finding ?? code;
}
