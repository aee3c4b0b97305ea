/**
 * The metrics of a replica: those of the process, and those of each registry that it serves. Part of the composition
 * root: the code that is counted calls functions with numbers, and knows nothing of Prometheus.
 */

import { Registry as Metrics, type Metric } from 'prom-client';
import { tellBoth } from '../tell-both.ts';
import { createClientMetrics, type ClientMetrics } from './client-metrics.ts';
import { together, type Family, type Sample } from './families.ts';
import { Instruments } from './instruments.ts';
import { createListMetrics, type ListMetrics } from './list-metrics.ts';
import { createPortMetrics, type PortMetrics } from './port-metrics.ts';
import { createBuildMetrics, processMetrics, type ProcessFacts } from './process-metrics.ts';
import { createProtocolMetrics, type ProtocolMetrics } from './protocol-metrics.ts';
import {
  createConnectionMetrics,
  createRedisMetrics,
  type ConnectionMetrics,
  type RedisMetrics,
} from './redis-metrics.ts';
import {
  createDataFileMetrics,
  createRegistryMetrics,
  type CountedRegistry,
  type RegistryMetrics,
} from './registry-metrics.ts';
import { createRequestMetrics, type RequestMetrics } from './request-metrics.ts';

/** The metrics of what all registries of a process share. */
export interface ProcessMetrics extends PortMetrics {
  /** Undefined without Redis. */
  readonly redisConnection: ConnectionMetrics | undefined;
  /** The requests that no registry has answered. */
  readonly requests: RequestMetrics;
  readonly families: () => Promise<readonly Family[]>;
}

/** The metrics of one registry. */
export interface ServiceMetrics extends ClientMetrics, ListMetrics {
  readonly ofProcess: ProcessMetrics;
  readonly requests: RequestMetrics;
  readonly events: RegistryMetrics['events'] & Partial<RedisMetrics>;
  /** Undefined without a data file. */
  readonly dataFile: ReturnType<typeof createDataFileMetrics> | undefined;
  readonly protocols: ProtocolMetrics;
  /** Its metrics as values, without those of the process; `registry` has the present list. */
  readonly families: (registry: CountedRegistry) => Promise<readonly Family[]>;
  /** All as text, where it is the only registry of the process. */
  readonly render: (registry: CountedRegistry) => Promise<string>;
}

export interface ProcessMetricsOptions extends Partial<ProcessFacts> {
  readonly hasRedis?: boolean;
}

/** The parts of a registry that have metrics. */
export interface MetricsOptions extends ProcessMetricsOptions {
  /** The name of the registry, which all its samples then have as a label. */
  readonly registry?: string | undefined;
  readonly hasDataFile?: boolean;
  /** The limit of game servers at each moment, undefined without one. */
  readonly maxServers?: () => number | undefined;
  /** The names of the origins of a mirror. */
  readonly origins?: readonly string[];
  /** The protocols of other games that are spoken. */
  readonly protocols?: readonly string[];
}

export function createProcessMetrics(options: ProcessMetricsOptions = {}): ProcessMetrics {
  const { hasRedis = false, version = '', nodeVersion = '', droppedLogLines = () => 0 } = options;
  const metrics = new Metrics();
  const instruments = new Instruments(metrics);
  const port = createPortMetrics(instruments);
  const redisConnection = hasRedis ? createConnectionMetrics(instruments) : undefined;
  const requests = createRequestMetrics(instruments);
  createBuildMetrics(instruments, { version, nodeVersion, droppedLogLines });
  const all = Metrics.merge([metrics, processMetrics()]);
  return { ...port, redisConnection, requests, families: () => familiesOf(all) };
}

/** `ofProcess`: the metrics of the process, if it has some already. */
export function createMetrics(
  options: MetricsOptions = {},
  ofProcess = createProcessMetrics(options),
): ServiceMetrics {
  const { hasRedis = false, hasDataFile = false, maxServers = () => undefined } = options;
  const metrics = new Metrics();
  const instruments = new Instruments(metrics);
  const registry = createRegistryMetrics(instruments, maxServers, options.origins);
  const redis = hasRedis ? createRedisMetrics(instruments) : undefined;
  const dataFile = hasDataFile ? createDataFileMetrics(instruments) : undefined;
  const requests = createRequestMetrics(instruments);
  const lists = createListMetrics(instruments);
  const clients = createClientMetrics(instruments);
  const protocols = createProtocolMetrics(instruments, options.protocols ?? []);
  const families = async (counted: CountedRegistry): Promise<readonly Family[]> => {
    await registry.read(counted);
    return familiesOf(metrics, options.registry);
  };
  return {
    ...clients,
    ...lists,
    ofProcess,
    requests,
    events: tellBoth(registry.events, redis ?? {}),
    dataFile,
    protocols,
    families,
    render: async (counted) => renderMetrics([await families(counted), await ofProcess.families()]),
  };
}

/** The content type of metrics as text. */
export const METRICS_TYPE = new Metrics().contentType;

/** The metrics as text, in the format of Prometheus. Those of several sources are added up. */
export function renderMetrics(sources: readonly (readonly Family[])[]): Promise<string> {
  const metrics = new Metrics();
  // All that the registry asks of a metric is a name and get().
  for (const family of together(sources))
    metrics.registerMetric({ name: family.name, get: async () => family } as unknown as Metric);
  return metrics.metrics();
}

async function familiesOf(metrics: Metrics, registry?: string): Promise<readonly Family[]> {
  const families = (await metrics.getMetricsAsJSON()) as unknown as readonly CollectedFamily[];
  return families.map(({ name, help, type, aggregator, values }) => ({
    name,
    help,
    type,
    aggregator,
    values: values.map(({ metricName, labels, sharedLabels, value }) => ({
      ...(metricName !== undefined && { metricName }),
      labels: { ...(registry !== undefined && { registry }), ...labels, ...sharedLabels },
      value,
    })),
  }));
}

/** A family in the form of prom-client. */
interface CollectedFamily extends Family {
  readonly values: readonly (Sample & { readonly sharedLabels?: Sample['labels'] })[];
}
