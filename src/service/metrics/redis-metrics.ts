/**
 * What the metrics say of Redis as this replica sees it: the connection, the circuit breaker, how long scripts take,
 * what fails, and how the feed is followed. What comes with each call or poll is summed up here, and handed over at a
 * scrape.
 */

import type { RedisEvents } from '../../registry/redis/connection/connect.ts';
import { REDIS_ERROR_KINDS, redisErrorKind } from '../../registry/redis/scripts/error-kind.ts';
import type { RedisRegistryEvents } from '../../registry/redis/events.ts';
import { SCRIPTS, type ScriptName } from '../../registry/redis/scripts/script-contract.ts';
import type { Instruments } from './instruments.ts';

type CountedEvents = Pick<
  RedisRegistryEvents,
  'onUnavailable' | 'onAvailable' | 'onCall' | 'onError' | 'onPoll' | 'onChanges'
>;

export interface RedisMetrics {
  readonly events: CountedEvents;
  readonly connection: Pick<RedisEvents, 'onUp' | 'onDown' | 'onFailure'>;
}

/** In seconds. A call is given up after 0.8 s. */
const CALL_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

export function createRedisMetrics(instruments: Instruments): RedisMetrics {
  const { gauge, counterBy, readCounter, histogramBy } = instruments;
  const up = gauge('gsls_redis_up', '1 while this replica has a connection to Redis; else 0', 'min');
  const breakerOpen = gauge(
    'gsls_redis_breaker_open',
    '1 while the circuit breaker refuses writes, as Redis did not answer; else 0',
  );
  const calls = histogramBy(
    'gsls_redis_call_duration_seconds',
    'how long this replica waits for the answer to a script; a call may carry many requests',
    'script',
    Object.keys(SCRIPTS) as ScriptName[],
    CALL_BUCKETS,
  );
  const errors = counterBy(
    'gsls_redis_errors_total',
    'calls of Redis and attempts to connect that failed, by kind',
    'kind',
    REDIS_ERROR_KINDS,
  );
  const feed = { polls: 0, reads: 0, changes: 0 };
  readCounter(
    'gsls_feed_polls_total',
    'polls of the feed that confirmed the list of this replica',
    () => feed.polls,
  );
  readCounter(
    'gsls_feed_reads_total',
    'reads of the list that polls of the feed confirmed',
    () => feed.reads,
  );
  readCounter(
    'gsls_feed_changes_total',
    'changed or removed entries that the feed told this replica',
    () => feed.changes,
  );

  return {
    events: {
      onUnavailable: () => breakerOpen.set(1),
      onAvailable: () => breakerOpen.set(0),
      onCall: (script, durationMs) => calls[script].observe(durationMs / 1000),
      onError: (kind) => errors.inc({ kind }),
      onPoll(reads) {
        feed.polls += 1;
        feed.reads += reads;
      },
      onChanges(count) {
        feed.changes += count;
      },
    },
    connection: {
      onUp: () => up.set(1),
      onDown: () => up.set(0),
      onFailure: (error) => errors.inc({ kind: redisErrorKind(error) }),
    },
  };
}
