/** Finds the latest refusal of a write that came from an address: by this replica, and by the rules of the API. */

import type { ErrorCode } from '../../model/errors.ts';
import type { Cause, Finding } from '../../model/findings.ts';

/** The last refusal of a broadcast, ping or remove with this code. */
export interface WriteRefusal {
  readonly code: ErrorCode;
  /** ms since the epoch. */
  readonly at: number;
  /** The text of the answer. */
  readonly says: string;
  readonly finding?: Finding | undefined;
}

/** The refused writes of the network of an address, which is in canonical form (parseIp). */
export interface RefusedWrites {
  ofWrites(address: string): readonly WriteRefusal[];
}

/** An older one says little of now. */
const RECENT_MS = 10 * 60_000;

/** `since`: ms since the epoch. What was refused before says nothing of what happened later. */
export function latestOf(
  refusals: RefusedWrites,
  address: string,
  now: number,
  since = 0,
): WriteRefusal | undefined {
  const recent = refusals.ofWrites(address).filter(({ at }) => now - at <= RECENT_MS && at >= since);
  return recent.toSorted((one, other) => other.at - one.at)[0];
}

export function causeOfRefusal({ code, finding }: WriteRefusal): Cause {
  return finding ?? code;
}
