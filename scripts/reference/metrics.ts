/** The page of the metrics, from what a replica with Redis and a data file shows, and the primary of workers. */

import { createMetrics } from '../../src/service/metrics/create-metrics.ts';
import { primaryFamilies } from '../../src/workers/primary-families.ts';
import { emptyRegistry } from '../../test/support/metrics.ts';
import { page, plain, table } from './page.ts';

const INTRODUCTION = `\`GET /metrics\` shows these in the format of Prometheus, and those of the process and of Node beside them. [Observe](../observe.md#metrics) says where to ask, and what several workers show together. Metrics of Redis, of the data file and of workers are there where they are used.`;

const TOGETHER: Readonly<Record<string, string>> = { sum: 'sum', max: 'highest', min: 'lowest' };

export async function renderMetrics(): Promise<string> {
  const ofReplica = await createMetrics({ hasRedis: true, hasDataFile: true }).families(emptyRegistry);
  const ofPrimary = primaryFamilies({
    listening: 0,
    deaths: 0,
    startedAt: 0,
    cpu: { user: 0, system: 0 },
    memoryBytes: 0,
  });
  const rows = [...ofReplica, ...ofPrimary]
    .filter(({ name }) => name.startsWith('gsls_'))
    .map(({ name, type, aggregator, help }) => [`\`${name}\``, type, TOGETHER[aggregator]!, plain(help)]);
  return page('Metrics', [INTRODUCTION, table(['Metric', 'Type', 'Of several workers', 'Meaning'], rows)]);
}
