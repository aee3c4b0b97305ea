/**
 * The metrics of Redis as this replica sees it: the connection, the circuit breaker, how long scripts take, what fails,
 * and how the feed is followed. The numbers of each call or poll are summed up here, and handed over at a scrape.
 */

import type { Counter } from 'prom-client';
import type { RedisEvents } from '../../registry/redis/connection/connect.ts';
import { REDIS_ERROR_KINDS, redisErrorKind } from '../../registry/redis/scripts/error-kind.ts';
import type { RedisRegistryEvents } from '../../registry/redis/events.ts';
import { sureOffset } from '../../registry/redis/redis-clock.ts';
import { SCRIPTS, type ScriptName } from '../../registry/redis/scripts/script-contract.ts';
import type { Instruments } from './instruments.ts';

/** What is counted of one registry in Redis. */
export type RedisMetrics = Pick<
  RedisRegistryEvents,
  'onUnavailable' | 'onAvailable' | 'onCall' | 'onError' | 'onPoll' | 'onChanges' | 'onClock'
>;

/** What is counted of the connection, which all registries of a process share. */
export type ConnectionMetrics = Pick<RedisEvents, 'onUp' | 'onDown' | 'onFailure'>;

/** The buckets in seconds. A call is given up after 0.8 s. */
const CALL_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

export function createRedisMetrics(instruments: Instruments): RedisMetrics {
  const { redisBreakerOpen } = instruments.gauges('max', {
    redisBreakerOpen: '1 while the circuit breaker refuses writes, as Redis did not answer; else 0',
  });
  const { clockOffsetSeconds } = instruments.gauges('max', {
    clockOffsetSeconds:
      'how far the clock of this machine is ahead of that of Redis, as far as is sure; below 0 where it is behind',
  });
  const scripts = Object.keys(SCRIPTS) as ScriptName[];
  const { redisCallDurationSeconds } = instruments.histogramsBy('script', scripts, CALL_BUCKETS, {
    redisCallDurationSeconds:
      'how long this replica waits for the answer to a script; a call may carry many requests',
  });
  const redisErrors = declareErrors(instruments);
  const feed = { feedPolls: 0, feedReads: 0, feedChanges: 0 };
  instruments.readCounters(() => feed, {
    feedPolls: 'polls of the feed that confirmed the list of this replica',
    feedReads: 'reads of the list that polls of the feed confirmed',
    feedChanges: 'changed or removed entries that the feed told this replica',
  });

  return {
    onUnavailable: () => redisBreakerOpen.set(1),
    onAvailable: () => redisBreakerOpen.set(0),
    onCall: (script, durationMs) => redisCallDurationSeconds[script].observe(durationMs / 1000),
    onError: (kind) => redisErrors.inc({ kind }),
    onClock: (offset) => clockOffsetSeconds.set(sureOffset(offset) / 1000),
    onPoll(reads) {
      feed.feedPolls += 1;
      feed.feedReads += reads;
    },
    onChanges(count) {
      feed.feedChanges += count;
    },
  };
}

export function createConnectionMetrics(instruments: Instruments): ConnectionMetrics {
  const { redisUp } = instruments.gauges('min', {
    redisUp: '1 while this replica has a connection to Redis; else 0',
  });
  const redisErrors = declareErrors(instruments);
  return {
    onUp: () => redisUp.set(1),
    onDown: () => redisUp.set(0),
    onFailure: (error) => redisErrors.inc({ kind: redisErrorKind(error) }),
  };
}

function declareErrors(instruments: Instruments): Counter {
  return instruments.countersBy('kind', REDIS_ERROR_KINDS, {
    redisErrors: 'calls of Redis and attempts to connect that failed, by kind',
  }).redisErrors;
}
