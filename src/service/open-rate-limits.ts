/**
 * Opens the rate limits that the configuration asks for: those of broadcasts shared through Redis, where there is one,
 * and all others in the memory of this replica, unless it is a worker among others. Part of the composition root.
 */

import type { Config } from './config/config.ts';
import type { RateLimitOption } from './config/limit-options.ts';
import { DEADLINES, type Deadlines } from '../runtime/deadlines.ts';
import type { Logger } from '../runtime/log/logger.ts';
import type { RateLimit, RateLimits } from '../api/http/limits/rate-limits.ts';
import type { RequestKind } from '../api/http/route.ts';
import type { Lifetime } from '../registry/lifetime.ts';
import { createKeys } from '../registry/redis/keys.ts';
import { RateWindows } from '../api/http/limits/rate-windows.ts';
import type { AmongWorkers } from './serving/shared-parts.ts';
import type { SharedRedis } from './shared-rate-windows.ts';

export interface OpenRateLimitsOptions {
  readonly config: Config;
  readonly lifetime: Lifetime;
  readonly logger: Logger;
  /** Undefined for a registry in memory. */
  readonly redis: SharedRedis | undefined;
  /** Among workers the limits of all kinds are shared: a client does not choose which one it asks. */
  readonly amongWorkers?: AmongWorkers | undefined;
  readonly deadlines?: Deadlines;
}

/** A game server whose pings are lost or late should not meet a limit for it. */
const FEWEST_PINGS_PER_INTERVAL = 3;

/** The limit of guesses at join codes: of 10,000 unlisted entries a client that guesses finds one in seven years. */
const DEFAULT_JOIN_LIMIT: RateLimitOption = { kind: 'join', requests: 30, windowS: 60 };

/** The limit of the doctor, which goes through all entries. */
const DEFAULT_DOCTOR_LIMIT: RateLimitOption = { kind: 'doctor', requests: 30, windowS: 60 };

/** The limit of reports: a reader has one voice about each game server anyway. */
const DEFAULT_REPORT_LIMIT: RateLimitOption = { kind: 'report', requests: 10, windowS: 60 };

export async function openRateLimits({
  config,
  lifetime,
  logger,
  redis,
  amongWorkers,
  deadlines = DEADLINES,
}: OpenRateLimitsOptions): Promise<RateLimits> {
  const limits: Partial<Record<RequestKind, RateLimit>> = {};
  for (const { kind, requests, windowS } of limitsOf(config)) {
    const own = new RateWindows(windowS * 1000);
    const windows =
      redis === undefined || (kind !== 'broadcast' && amongWorkers === undefined)
        ? own
        : new (await import('./shared-rate-windows.ts')).SharedRateWindows({
            ...redis,
            keyPrefix: createKeys(config.registry).ratePrefix + kind,
            requests,
            windowS,
            copy: own,
            deadlines,
          });
    const perPingInterval = (requests / (windowS * 1000)) * lifetime.pingIntervalMs;
    if (kind === 'ping' && perPingInterval < FEWEST_PINGS_PER_INTERVAL)
      logger.warn(
        { perPingInterval },
        'the rate limit of pings is too low: it leaves one game server at an address less than three pings in its ping interval',
      );
    limits[kind] = { requests, windowS, count: (client) => windows.count(client) };
  }
  return limits;
}

/** The limits of the operator. Guesses at join codes, questions to the doctor and reports are limited in any case. */
function limitsOf({ rateLimit, allowUnlisted, reportReasons }: Config): readonly RateLimitOption[] {
  const usual = [
    DEFAULT_DOCTOR_LIMIT,
    ...(allowUnlisted ? [DEFAULT_JOIN_LIMIT] : []),
    ...(reportReasons.length > 0 ? [DEFAULT_REPORT_LIMIT] : []),
  ];
  return [...rateLimit, ...usual.filter(({ kind }) => !rateLimit.some((own) => own.kind === kind))];
}

/** Warns once, at the first limited request of a client whose address many others may share. */
export function createDoubtLog(logger: Logger): () => void {
  let isLogged = false;
  return () => {
    if (isLogged) return;
    isLogged = true;
    logger.warn(
      {},
      'rate limits are on, and requests come through a proxy that is not trusted: all clients behind it share one limit; name the proxy with --trust-proxy if it is yours',
    );
  };
}
