/** What it takes to open the registry that a configuration asks for, and what comes of it. */

import type { Deadlines } from '../runtime/deadlines.ts';
import type { Logger } from '../runtime/log/logger.ts';
import type { Pulse } from '../runtime/pulse.ts';
import type { Processes } from '../registry/data-file/file-lock.ts';
import type { HistoryRecord } from '../registry/history-record.ts';
import type { Lifetime } from '../registry/lifetime.ts';
import type { RegistryRules } from '../registry/registry-rules.ts';
import type { Backend, WriteOutage } from '../registry/backend.ts';
import type { Config } from './config/config.ts';
import type { ServiceMetrics } from './metrics/create-metrics.ts';
import type { RedisLink } from './open-redis.ts';
import type { SharedRedis } from './shared-rate-windows.ts';
import type { Closer } from './with-closers.ts';

export interface OpenRegistryOptions {
  readonly config: Config;
  readonly rules: RegistryRules;
  readonly lifetime: Lifetime;
  readonly logger: Logger;
  readonly metrics: Pick<ServiceMetrics, 'events' | 'dataFile'>;
  /** The connection to Redis; undefined for a registry in memory. */
  readonly link: RedisLink | undefined;
  readonly processes: Processes;
  /** The history that a registry in memory begins with. */
  readonly past?: HistoryRecord | undefined;
  readonly deadlines: Deadlines;
  readonly pulse: Pulse;
  /** How long the registry in Redis may be of no use to anybody before it rests; undefined if it never does. */
  readonly restsAfterMs?: number | undefined;
  /** Whether it waits for a list still, however long Redis is away. */
  readonly waitsForList?: (() => boolean) | undefined;
  /** Gets a closer for each thing that is opened, in that order. */
  readonly closeLater: (closer: Closer) => void;
}

export interface OpenedRegistry {
  readonly registry: Backend;
  /** Undefined for a registry in memory. */
  readonly redis: SharedRedis | undefined;
  /** Why writes are refused now; undefined while they are accepted. */
  readonly whyRefused: () => WriteOutage | undefined;
}
