/**
 * What operators are told of a Redis that takes no writes: the lines of the log, one when it begins, with the reason,
 * and one when it ends; and in between the reason for whoever asks. It is an outage when callers notice it: lists are
 * stale and writes are refused. A connection that is lost and made again in time is none. A refusal is less: Redis
 * answers, lists are current, and writes alone are refused.
 */

import type { WriteOutage } from '../registry/backend.ts';
import { redisErrorKind, whatRedisSays } from '../registry/redis/scripts/error-kind.ts';
import { isReply } from '../registry/redis/scripts/retry.ts';
import type { Logger } from '../runtime/log/logger.ts';
import { explain, rootOf } from './redis-reasons.ts';

export interface OutageLogOptions {
  readonly logger: Logger;
  /** The address of Redis, in words for the log. */
  readonly redis: string;
  /** Finds out why there is no connection; undefined if there is one. Must not reject. */
  readonly whyDown: () => Promise<Error | undefined>;
  /** Reads how much memory Redis uses and may use, as fields of a line. Must not reject. */
  readonly readMemory: () => Promise<object>;
}

export interface OutageLog {
  /** `error`: how the registry noticed it. It is the reason, unless the connection knows a better one. */
  readonly begins: (error: unknown) => void;
  readonly ends: () => void;
  readonly refusalBegins: (error: unknown) => void;
  readonly refusalEnds: () => void;
  /** Why writes are refused now; undefined while they are accepted. */
  readonly whyRefused: () => WriteOutage | undefined;
}

export function createOutageLog({ logger, redis, whyDown, readMemory }: OutageLogOptions): OutageLog {
  let outage: WriteOutage | undefined;
  let refusal: WriteOutage | undefined;
  let [begunAt, refusedAt] = [0, 0];
  /** Keeps the lines in order, although finding the reason takes time. */
  let telling = Promise.resolve();
  const tell = (line: () => void | Promise<void>): void => {
    telling = telling.then(line);
  };
  return {
    begins(error) {
      begunAt = performance.now();
      refusal = undefined;
      outage = refusalOf('Redis is away', error);
      tell(async () => {
        // What Redis says itself is the reason; the connection may just be made anew because of it.
        const why = isReply(rootOf(error)) ? error : ((await whyDown()) ?? error);
        outage &&= refusalOf('Redis is away', why);
        logger.warn(
          { redis, reason: explain(why) },
          'Redis is away: lists are stale and writes are refused until it is back',
        );
      });
    },
    ends() {
      const outageMs = msSince(begunAt);
      const isRefused = refusal !== undefined;
      outage = undefined;
      tell(() => {
        if (isRefused)
          logger.info({ redis, outageMs }, 'Redis is back: lists are current, and writes are refused');
        else logger.info({ redis, outageMs }, 'Redis is back: lists are current and writes are accepted');
      });
    },
    refusalBegins(error) {
      refusedAt = performance.now();
      const { says, reason } = (refusal = refusalOf('Redis refuses writes', error));
      tell(async () => {
        const memory = reason === 'out_of_memory' ? await readMemory() : {};
        logger.warn({ redis, reason: explain(error), ...memory }, `Redis refuses writes: ${says}`);
      });
    },
    refusalEnds() {
      const refusalMs = msSince(refusedAt);
      refusal = undefined;
      tell(() => logger.info({ redis, refusalMs }, 'Redis accepts writes again'));
    },
    whyRefused: () => outage ?? refusal,
  };
}

function refusalOf(what: string, error: unknown): WriteOutage {
  const root = rootOf(error);
  const says = whatRedisSays(root);
  return { reason: redisErrorKind(root), says, message: `${what}: ${says}` };
}

function msSince(at: number): number {
  return Math.round(performance.now() - at);
}
