/**
 * The windows of one rate limit, shared by all replicas through Redis. A copy in memory takes over while Redis does not
 * answer, and keeps a client that is over its limit from causing work for Redis.
 */

import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Deadlines } from '../runtime/deadlines.ts';
import type { RateWindow } from '../api/http/limits/rate-limits.ts';
import { withinDeadline } from '../registry/redis/connection/deadline.ts';
import type { RedisClient } from '../registry/redis/connection/create-client.ts';
import type { RateWindows } from '../api/http/limits/rate-windows.ts';

/** The Redis of the registry. */
export interface SharedRedis {
  readonly client: RedisClient;
  /** Whether Redis answers, as far as is known. */
  readonly isAvailable: () => boolean;
}

export interface SharedRateWindowsOptions extends SharedRedis {
  /** The beginning of each key. */
  readonly keyPrefix: string;
  /** The most requests of a client in a window. */
  readonly requests: number;
  readonly windowS: number;
  readonly copy: RateWindows;
  readonly deadlines: Pick<Deadlines, 'sharedCountMs'>;
}

export class SharedRateWindows {
  readonly #options: SharedRateWindowsOptions;
  readonly #limiter: RateLimiterRedis;

  constructor(options: SharedRateWindowsOptions) {
    const { client, keyPrefix, requests: points, windowS: duration } = options;
    this.#options = options;
    this.#limiter = new RateLimiterRedis({
      storeClient: client,
      keyPrefix,
      points,
      duration,
      rejectIfRedisNotReady: true,
    });
  }

  /** Counts a request of the client. Never rejects. */
  async count(client: string): Promise<RateWindow> {
    const { copy, requests, isAvailable, deadlines } = this.#options;
    const own = copy.count(client);
    if (own.requests > requests || !isAvailable()) return own;
    const { sharedCountMs } = deadlines;
    const shared = await withinDeadline(sharedCountMs, this.#countInRedis(client)).catch(() => undefined);
    if (shared === undefined) return own;
    copy.set(client, shared);
    return shared;
  }

  async #countInRedis(client: string): Promise<RateWindow> {
    // consume() would reject where the limit is exceeded; it counts just the same.
    const { consumedPoints, msBeforeNext } = await this.#limiter.penalty(client);
    return { requests: consumedPoints, endsInMs: msBeforeNext };
  }
}
