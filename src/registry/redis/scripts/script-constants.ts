/**
 * The constants of the scripts, so that every number has one source. Their values are written into the scripts: a local
 * for each, looked up by each function that uses it, would cost Redis time with every call. Replicas with other
 * settings have other scripts; Redis keeps them apart.
 */

import { DOCUMENT_UNIT_BYTES, MOST_DOCUMENT_BYTES, MOST_LINKS } from '../../native-entries.ts';
import { LATEST_VERSION_BY_CLOCK, UNLISTED_MARK, VERSION_LIMIT } from '../../../model/game-server.ts';
import { FARTHEST_POINT_MS } from '../../history-record.ts';
import {
  FEWEST_FOR_A_HOLD,
  FEWEST_TOMBSTONES,
  LONGEST_HOLD_MS,
  LONGEST_TTL_MS,
  MOST_TOMBSTONES,
  RESUMABLE_US,
  ROUNDING_OF_VOTES,
  type Lifetime,
} from '../../lifetime.ts';
import { NO_QUOTAS, type Quotas } from '../../registry-rules.ts';
import { DIGEST_MODULUS } from '../follower/changes-batch.ts';
import { FIRST_RECORD } from '../keys.ts';
import { LIFETIME_UNIT } from '../lifetime-number.ts';
import { CODES } from './script-contract.ts';

export interface ScriptSettings {
  readonly lifetime: Lifetime;
  readonly uniqueAddress: boolean;
  /** Default: no. */
  readonly verifySource?: boolean;
  /** Defaults to NO_QUOTAS. */
  readonly quotas?: Quotas;
  /** Default: no limit. */
  readonly maxDocumentBytesPerAddress?: number;
  readonly holdMassExpiry: boolean;
  /** Whether the keys can move from one node of a Cluster to another. */
  readonly isCluster: boolean;
}

/**
 * A record removes itself from Redis after this time without a renewal, in case the scripts forgot it. The time is far
 * longer than any outage should be: a key that expires during an outage is a game server lost.
 */
const LEAK_GUARD_MS = 24 * 60 * 60 * 1000;
/** The fewest TTLs of a leak guard: the pings in half of them surely renew the record once (PINGS_TO_ONE_CHECK). */
const TTLS_A_LEAK_GUARD = 1000;

/** The most records in a batch of the feed: 6 ms of Redis at a million listed, so that no new replica stalls it. */
const BATCH_LIMIT = 500;

/** How many entries of each set one call of recount.lua checks: 0.3 ms of Redis. */
export const RECOUNT_LIMIT = 64;

/** The most points of the history in one reply: 2 ms of Redis. */
const HISTORY_BATCH_LIMIT = 500;

/** About how many kept texts are in one reply: a millisecond of Redis. */
const KEPT_TEXT_BATCH = 200;

/**
 * The longest player log, in bytes: some 16,000 changes. At the rate that Redis bears, a replica has read the older
 * half before it is dropped; a slower replica reads records.
 */
const PLAYER_LOG_LIMIT = 1024 * 1024;

/** How long records may be missing while their slot moves to another node of a Cluster. */
const LONGEST_MOVE_MS = 1000;

/** A replica that restores sends a batch more often than this; one that is silent for longer has ended or is paused. */
const LONGEST_RESTORER_SILENCE_MS = 1000;

/** The constants by the names that the files in lua/ use. All are numbers or booleans: no text gets into a script. */
function constantsOf(settings: ScriptSettings): Readonly<Record<string, number | boolean>> {
  const { lifetime, uniqueAddress, holdMassExpiry, isCluster } = settings;
  const { verifySource = false, quotas = NO_QUOTAS, maxDocumentBytesPerAddress = Infinity } = settings;
  return {
    TTL_MS: lifetime.ttlMs,
    REVIVE_WINDOW_MS: lifetime.reviveWindowMs,
    KEEP_ID_MS: lifetime.keepIdMs,
    MAX_SWEEP_GAP_MS: lifetime.maxSweepGapMs,
    SILENT_BELOW_MS: lifetime.silentBelowMs,
    /** 0 for none. */
    LONGEST_HOLD_MS: holdMassExpiry ? lifetime.longestHoldMs : 0,
    LONGEST_HOLD_OF_ALL_MS: LONGEST_HOLD_MS,
    LIFETIME_UNIT,
    MOST_LINKS,
    FEWEST_FOR_A_HOLD,
    ROUNDING_OF_VOTES,
    LONGEST_TTL_MS,
    LEAK_GUARD_MS: Math.max(LEAK_GUARD_MS, TTLS_A_LEAK_GUARD * lifetime.ttlMs + lifetime.reviveWindowMs),
    IS_ADDRESS_UNIQUE: uniqueAddress,
    IS_SOURCE_VERIFIED: verifySource,
    UNLISTED_MARK_BYTE: UNLISTED_MARK.charCodeAt(0),
    /** 0 for no limit. */
    MOST_SERVERS: finite(quotas.maxServers),
    MOST_SERVERS_PER_ADDRESS: finite(quotas.maxServersPerAddress),
    MOST_DOCUMENT_BYTES_PER_ADDRESS: finite(maxDocumentBytesPerAddress),
    DOCUMENT_UNIT_BYTES,
    MOST_DOCUMENT_UNITS: MOST_DOCUMENT_BYTES / DOCUMENT_UNIT_BYTES,
    BATCH_LIMIT,
    RECOUNT_LIMIT,
    HISTORY_BATCH_LIMIT,
    KEPT_TEXT_BATCH,
    FARTHEST_POINT_MS,
    PLAYER_LOG_LIMIT,
    LONGEST_MOVE_MS: isCluster ? LONGEST_MOVE_MS : 0,
    LONGEST_RESTORER_SILENCE_MS,
    FEWEST_TOMBSTONES,
    MOST_TOMBSTONES,
    RESUMABLE_US,
    DIGEST_MODULUS,
    LATEST_VERSION_BY_CLOCK,
    VERSION_LIMIT,
    FIRST_RECORD,
    ...CODES,
  };
}

function finite(limit: number): number {
  return Number.isFinite(limit) ? limit : 0;
}

/** The literal of each constant in Lua, by its name. */
export type Constants = ReadonlyMap<string, string>;

export function createConstants(settings: ScriptSettings): Constants {
  return new Map(Object.entries(constantsOf(settings)).map(([name, value]) => [name, literal(value)]));
}

/** Writes a literal that Lua reads as the same value: both languages have doubles, and JavaScript writes all digits. */
function literal(value: number | boolean): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${value} in a script`);
  return Number(value) < 0 ? `(${value})` : String(value);
}
