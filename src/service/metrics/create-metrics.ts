/**
 * The metrics of a replica, in the text format of Prometheus: all its parts together. Part of the composition root: the
 * code that is counted calls functions with numbers, and knows nothing of Prometheus.
 */

import { Registry as Metrics, type Metric } from 'prom-client';
import { tellBoth } from '../tell-both.ts';
import { createClientMetrics, type ClientMetrics } from './client-metrics.ts';
import type { Family, Sample } from './families.ts';
import { Instruments } from './instruments.ts';
import { createListMetrics, type ListMetrics } from './list-metrics.ts';
import { createBuildMetrics, processMetrics, type ProcessFacts } from './process-metrics.ts';
import { createProtocolMetrics, type ProtocolMetrics } from './protocol-metrics.ts';
import { createRedisMetrics, type RedisMetrics } from './redis-metrics.ts';
import {
  createDataFileMetrics,
  createRegistryMetrics,
  type CountedRegistry,
  type RegistryMetrics,
} from './registry-metrics.ts';
import { createRequestMetrics, type RequestMetrics } from './request-metrics.ts';

export interface ServiceMetrics extends ClientMetrics, ListMetrics {
  readonly requests: RequestMetrics;
  readonly events: RegistryMetrics['events'] & Partial<RedisMetrics['events']>;
  /** Undefined without Redis. */
  readonly redisConnection: RedisMetrics['connection'] | undefined;
  /** Undefined without a data file. */
  readonly dataFile: ReturnType<typeof createDataFileMetrics> | undefined;
  readonly protocols: ProtocolMetrics;
  readonly contentType: string;
  /** All metrics as text; `registry` has the present list. */
  readonly render: (registry: CountedRegistry) => Promise<string>;
  /** The metrics of this process as values. */
  readonly families: (registry: CountedRegistry) => Promise<readonly Family[]>;
}

/** The parts of a service that have metrics. */
export interface MetricsOptions extends Partial<ProcessFacts> {
  readonly hasRedis?: boolean;
  readonly hasDataFile?: boolean;
  /** Undefined without a limit. */
  readonly maxServers?: number | undefined;
  /** The protocols of other games that are spoken. */
  readonly protocols?: readonly string[];
  /** The metrics of all workers of the service, this one included; undefined where it is the only process. */
  readonly gather?: (() => Promise<readonly Family[]>) | undefined;
}

export function createMetrics(options: MetricsOptions = {}): ServiceMetrics {
  const { hasRedis = false, hasDataFile = false, maxServers = Infinity, gather } = options;
  const { version = '', nodeVersion = '', droppedLogLines = () => 0 } = options;
  const metrics = new Metrics();
  const instruments = new Instruments(metrics);
  const registry = createRegistryMetrics(instruments, maxServers);
  const redis = hasRedis ? createRedisMetrics(instruments) : undefined;
  const dataFile = hasDataFile ? createDataFileMetrics(instruments) : undefined;
  const requests = createRequestMetrics(instruments);
  const lists = createListMetrics(instruments);
  const clients = createClientMetrics(instruments);
  const protocols = createProtocolMetrics(instruments, options.protocols ?? []);
  createBuildMetrics(instruments, { version, nodeVersion, droppedLogLines });
  const all = Metrics.merge([metrics, processMetrics()]);
  return {
    ...clients,
    ...lists,
    requests,
    events: tellBoth(registry.events, redis?.events ?? {}),
    redisConnection: redis?.connection,
    dataFile,
    protocols,
    contentType: all.contentType,
    async render(counted) {
      if (gather !== undefined) return textOf(await gather());
      await registry.read(counted);
      return all.metrics();
    },
    async families(counted) {
      await registry.read(counted);
      return familiesOf(all);
    },
  };
}

async function familiesOf(metrics: Metrics): Promise<readonly Family[]> {
  const families = (await metrics.getMetricsAsJSON()) as unknown as readonly CollectedFamily[];
  return families.map(({ name, help, type, aggregator, values }) => ({
    name,
    help,
    type,
    aggregator,
    values: values.map(({ metricName, labels, sharedLabels, value }) => ({
      ...(metricName !== undefined && { metricName }),
      labels: { ...labels, ...sharedLabels },
      value,
    })),
  }));
}

/** A family in the form of prom-client. */
interface CollectedFamily extends Family {
  readonly values: readonly (Sample & { readonly sharedLabels?: Sample['labels'] })[];
}

function textOf(families: readonly Family[]): Promise<string> {
  const metrics = new Metrics();
  // All that the registry asks of a metric is a name and get().
  for (const family of families)
    metrics.registerMetric({ name: family.name, get: async () => family } as unknown as Metric);
  return metrics.metrics();
}
