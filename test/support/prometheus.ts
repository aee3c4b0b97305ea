/**
 * A real Prometheus on a free port of 127.0.0.1, ended with the tests: it scrapes, evaluates rules and answers queries.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { has } from './needs.ts';
import { startProgram } from './processes.ts';
import { until } from './until.ts';

export interface PrometheusOptions {
  /** Addresses by the name of their job. */
  readonly jobs: Readonly<Record<string, readonly string[]>>;
  /**
   * From one scrape to the next, and from one evaluation of the rules to the next. A scrape that takes longer fails.
   */
  readonly intervalMs: number;
  /** The text of the rules, if it has any. */
  readonly rules?: string;
}

/**
 * One result of a query. `values`: seconds since the epoch, and the value as text; one of them unless it is a range.
 */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [at: number, value: string])[];
}

export interface Alert {
  readonly state: 'pending' | 'firing';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface Prometheus {
  /** What the query gives now. Rejects with what Prometheus says about a wrong one. */
  query(expression: string): Promise<Series[]>;
  /** Those that fire, or will unless their reason ends before. */
  alerts(): Promise<Alert[]>;
  /** The rules as it has understood them. */
  rules(): Promise<readonly { readonly name: string; readonly query: string; readonly type: string }[]>;
  stop(): Promise<void>;
}

/** Resolves once it has scraped all targets with success. */
export async function startPrometheus({
  jobs,
  intervalMs,
  rules = 'groups: []',
}: PrometheusOptions): Promise<Prometheus> {
  if (!has('prometheus')) throw new Error('this needs prometheus');
  const directory = await mkdtemp(join(tmpdir(), 'gsls-prometheus-'));
  const interval = `${intervalMs}ms`;
  await writeFile(join(directory, 'rules.yml'), rules);
  // JSON is YAML.
  await writeFile(
    join(directory, 'prometheus.yml'),
    JSON.stringify({
      global: { scrape_interval: interval, scrape_timeout: interval, evaluation_interval: interval },
      rule_files: ['rules.yml'],
      scrape_configs: Object.entries(jobs).map(([name, targets]) => ({
        job_name: name,
        static_configs: [{ targets }],
      })),
    }),
  );
  const address = `127.0.0.1:${await freePort()}`;
  const program = startProgram(
    'prometheus',
    [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=${address}`,
      '--log.level=warn',
    ],
    {},
  );

  async function ask<T>(path: string): Promise<T> {
    const answer = await fetch(`http://${address}/api/v1/${path}`);
    const { data, error } = (await answer.json()) as { readonly data: T; readonly error?: string };
    if (error !== undefined) throw new Error(`${path}: ${error}`);
    return data;
  }

  const prometheus: Prometheus = {
    async query(expression) {
      type Result = Partial<Series> & { readonly value?: Series['values'][number] };
      const { resultType, result } = await ask<{ readonly resultType: string; readonly result: Result[] }>(
        `query?query=${encodeURIComponent(expression)}`,
      );
      if (resultType === 'scalar') return [];
      return result.map(({ metric = {}, values, value }) => ({ metric, values: values ?? [value!] }));
    },
    alerts: async () => (await ask<{ readonly alerts: Alert[] }>('alerts')).alerts,
    async rules() {
      type Group = {
        readonly rules: { readonly name: string; readonly query: string; readonly type: string }[];
      };
      const { groups } = await ask<{ readonly groups: Group[] }>('rules');
      return groups.flatMap((group) => group.rules);
    },
    async stop() {
      await program.stop('SIGKILL');
      await rm(directory, { recursive: true, force: true });
    },
  };
  const targets = Object.values(jobs).flat().length;
  const scraped = async (): Promise<boolean> => (await prometheus.query('up == 1')).length === targets;
  // Before it is ready it refuses connections, then queries.
  await until(() => scraped().catch(() => false), program);
  return prometheus;
}
