/**
 * The metrics of a replica, in the text format of Prometheus: all its parts together. Part of the composition root: what
 * is counted tells numbers, and knows nothing of Prometheus.
 */

import { Registry as Metrics } from 'prom-client';
import type { Registry } from '../../registry/registry.ts';
import { createClientMetrics, type ClientMetrics } from './client-metrics.ts';
import { createInstruments } from './instruments.ts';
import { createProcessMetrics } from './process-metrics.ts';
import { createRegistryMetrics, type RegistryMetrics } from './registry-metrics.ts';
import { createRequestMetrics, type RequestMetrics } from './request-metrics.ts';

export interface ServiceMetrics extends ClientMetrics, Pick<RegistryMetrics, 'events'> {
  readonly requests: Pick<RequestMetrics, 'onAnswered' | 'onLimited'>;
  readonly contentType: string;
  /** All metrics as text; the registry tells the present list. */
  readonly render: (registry: Pick<Registry, 'list'>) => Promise<string>;
}

/** `droppedLogLines` gives the number of log lines dropped so far. */
export function createMetrics(droppedLogLines = () => 0): ServiceMetrics {
  const metrics = new Metrics();
  const instruments = createInstruments(metrics);
  const registryMetrics = createRegistryMetrics(instruments);
  const clientMetrics = createClientMetrics(instruments);
  const requests = createRequestMetrics(instruments);
  const processMetrics = createProcessMetrics(instruments, droppedLogLines);
  return {
    ...clientMetrics,
    requests,
    events: registryMetrics.events,
    contentType: metrics.contentType,
    async render(registry) {
      await registryMetrics.read(registry);
      requests.read();
      processMetrics.read();
      return (await metrics.metrics()) + requests.renderDurations();
    },
  };
}
