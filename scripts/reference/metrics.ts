/** The page of the metrics, from what a replica with Redis and a data file shows. */

import { createMetrics } from '../../src/service/metrics/create-metrics.ts';
import { emptyRegistry } from '../../test/support/metrics.ts';
import { page, plain, table } from './page.ts';

const INTRODUCTION = `\`GET /metrics\` shows these in the format of Prometheus, and those of the process and of Node beside them. [Observe](../observe.md#metrics) says where to ask. Metrics of Redis and of the data file are there where they are used.`;

export async function renderMetrics(): Promise<string> {
  const text = await createMetrics({ hasRedis: true, hasDataFile: true }).render(emptyRegistry);
  const described = text.matchAll(/^# HELP (gsls_\S+) (.*)\n# TYPE \S+ (\w+)$/gm);
  const rows = [...described].map(([, name, help, type]) => [`\`${name!}\``, type!, plain(help!)]);
  return page('Metrics', [INTRODUCTION, table(['Metric', 'Type', 'Meaning'], rows)]);
}
