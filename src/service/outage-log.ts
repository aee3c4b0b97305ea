/**
 * The lines of the log about outages of Redis: one when an outage begins, with the reason, and one when it ends. It is
 * an outage when callers notice it: lists are stale and writes are refused. A connection that is lost and made again in
 * time is none.
 */

import type { Logger } from '../runtime/log/logger.ts';
import { explain } from './redis-reasons.ts';

export interface OutageLogOptions {
  readonly logger: Logger;
  /** The address of Redis, in words for the log. */
  readonly redis: string;
  /** Finds out why there is no connection; undefined if there is one. Must not reject. */
  readonly whyDown: () => Promise<Error | undefined>;
}

export interface OutageLog {
  /** `error`: how the registry noticed it. It is the reason, unless the connection knows a better one. */
  readonly begins: (error: unknown) => void;
  readonly ends: () => void;
}

export function createOutageLog({ logger, redis, whyDown }: OutageLogOptions): OutageLog {
  let begunAt = 0;
  /** Keeps the lines in order, although finding the reason takes time. */
  let telling = Promise.resolve();
  const tell = (line: () => void | Promise<void>): void => {
    telling = telling.then(line);
  };
  return {
    begins(error) {
      begunAt = performance.now();
      tell(async () => {
        const reason = explain((await whyDown()) ?? error);
        logger.warn(
          { redis, reason },
          'Redis is away: lists are stale and writes are refused until it is back',
        );
      });
    },
    ends() {
      const outageMs = Math.round(performance.now() - begunAt);
      tell(() =>
        logger.info({ redis, outageMs }, 'Redis is back: lists are current and writes are accepted'),
      );
    },
  };
}
