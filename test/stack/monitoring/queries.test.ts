/**
 * Every query of the alerts and of the dashboard, asked of a real Prometheus that scrapes three replicas on one Redis,
 * a service with workers, a registry in memory and a mirror while they have something to do.
 */

import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { DEADLINES } from '../../../src/runtime/deadlines.ts';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { panelsOf } from '../../support/dashboard-file.ts';
import { readDocument } from '../../support/markdown.ts';
import { needs } from '../../support/needs.ts';
import { startPrometheus, type Prometheus } from '../../support/prometheus.ts';
import { startRedisServer, type RedisServer } from '../../support/redis-server.ts';
import { RULES_FILE } from '../../support/rules-file.ts';
import { startListeningCli, type ListeningCli } from '../../support/start-cli.ts';
import { silentLogger, startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';
import { useDirectory } from '../../support/use-directory.ts';

const SCRAPE_INTERVAL_MS = 250;
/** Long enough for the slowest of all metrics to have two values. */
const DATA_WITHIN_MS = 60_000;

/** Queries that name one of these are empty as long as all is well; with Redis the last two always are. */
const EMPTY_WHEN_WELL = [
  'count by (alertname) (ALERTS',
  'gsls_cut_off_total',
  'gsls_connections_closed_total',
  'gsls_streams_cut_off_total',
  'gsls_work_refused_total',
  'gsls_probes_total',
  'gsls_reloads_total',
  'gsls_data_file_writable',
  'gsls_origin_stale_seconds',
];

interface Target {
  readonly panel: string;
  readonly query: string;
  /** The labels that the legend names, but for that of a registry, which one of several has. */
  readonly labels: readonly string[];
}

/** The queries of the dashboard as Grafana sends them. */
function dashboardQueries(): Target[] {
  return panelsOf(readDocument('deploy/grafana/gsls.json')).flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      panel: title,
      query: expr
        .replaceAll('$job', 'gsls')
        .replaceAll('$instance', '.*')
        .replaceAll('$registry', '.*')
        .replaceAll('$__rate_interval', '5s'),
      labels: [...legendFormat.matchAll(/\{\{(?!registry)(\w+)\}\}/g)].map(([, label]) => label!),
    })),
  );
}

needs('prometheus', 'redis-server').describe('the queries of the alerts and of the dashboard', function () {
  this.timeout(2 * DATA_WITHIN_MS);
  const directory = useDirectory();
  let redis: RedisServer;
  let prometheus: Prometheus;
  const replicas: Service[] = [];
  let workers: ListeningCli;
  let mirror: Service;

  before(async () => {
    redis = await startRedisServer();
    const onRedis = { GSLS_REDIS: redis.url, GSLS_MAX_SERVERS: '100000' };
    for (const options of [onRedis, onRedis, onRedis, { GSLS_DATA_FILE: directory() }])
      replicas.push(await startTestService(options, silentLogger, DEADLINES));
    const addresses = replicas.map(({ url }) => new URL(url).host);
    workers = await startListeningCli(['--workers', '2'], { GSLS_REDIS: redis.url });
    mirror = await startTestService({ GSLS_MIRRORS: `memory=${replicas[3]!.url}` }, silentLogger, DEADLINES);
    prometheus = await startPrometheus({
      jobs: {
        gsls: addresses.slice(0, 3),
        memory: addresses.slice(3),
        workers: [new URL(workers.url).host],
        mirror: [new URL(mirror.url).host],
      },
      intervalMs: SCRAPE_INTERVAL_MS,
      rules: readFileSync(RULES_FILE, 'utf8'),
    });
    await failOnce();
  });
  after(async () => {
    await prometheus?.stop();
    await workers?.stop();
    await mirror?.close();
    await Promise.all(replicas.map((replica) => replica.close()));
    await redis?.stop();
  });

  /** Lets broadcasts meet a Redis that hangs, so that there are answers with 503. */
  async function failOnce(): Promise<void> {
    redis.freeze();
    const failing = replicas
      .slice(0, 3)
      .map((replica) => ask(replica, 'POST /broadcast', { body: aBroadcast() }));
    expect((await Promise.all(failing)).map(({ status }) => status)).to.deep.equal([503, 503, 503]);
    redis.thaw();
    await until(
      async () => (await ask(replicas[0]!, 'POST /broadcast', { body: aBroadcast() })).status === 200,
    );
  }

  /** One client of each kind at each replica. */
  async function play(): Promise<void> {
    await Promise.all(
      replicas.map(async (replica) => {
        const { body } = await ask(replica, 'POST /broadcast', { body: aBroadcast() });
        await ask(replica, 'POST /ping', { body: { ...aBroadcast(), server_id: body.server_id } });
        await ask(replica, 'GET /');
        await ask(replica, 'GET /', { headers: { 'Accept-Encoding': 'gzip' } });
        await ask(replica, 'GET /servers?sort=name');
        await ask(replica, 'GET /nothing');
        await ask(replica, 'POST /remove', { body: { server_id: body.server_id } });
      }),
    );
  }

  /** The queries that give nothing, however long there is something to do. `mayBeEmpty`: for those it does not wait. */
  async function withoutData(
    queries: readonly string[],
    mayBeEmpty: (query: string) => boolean,
  ): Promise<string[]> {
    const missing = new Set(queries);
    const limit = Date.now() + DATA_WITHIN_MS;
    while (Date.now() < limit && ![...missing].every(mayBeEmpty)) {
      await play();
      for (const query of missing) if ((await prometheus.query(query)).length > 0) missing.delete(query);
    }
    return [...missing];
  }

  it('of the dashboard give data, apart from those that are empty when all is well', async () => {
    const queries = dashboardQueries().map(({ query }) => query);
    const missing = await withoutData(queries, isEmptyWhenWell);
    expect(missing.filter((query) => !isEmptyWhenWell(query))).to.deep.equal([]);
    const named = EMPTY_WHEN_WELL.filter((name) => missing.some((query) => query.includes(name)));
    expect(named).to.deep.equal(EMPTY_WHEN_WELL);
  });

  it('of the dashboard give the labels that their legends name', async () => {
    for (const { panel, query, labels } of dashboardQueries())
      for (const { metric } of await prometheus.query(query))
        if (labels.length > 0) expect(metric, `${panel}: ${query}`).to.include.keys(...labels);
  });

  it('of the alerts are understood, and give data but for their limits', async () => {
    const rules = await prometheus.rules();
    expect(rules.length).to.be.above(0);
    // `a > 0.05` becomes `a`.
    const unlimited = rules.map(({ query }) => query.replaceAll(/ (?:==|[<>]=?) [\d.]+/g, ''));
    expect(await withoutData(unlimited, () => false)).to.deep.equal([]);
  });

  it('name metrics and labels that replicas have', async () => {
    const texts = await Promise.all(
      [...replicas, workers, mirror].map(async ({ url }) => (await fetch(`${url}/metrics`)).text()),
    );
    const lines = texts.join('\n').split('\n');
    const rules = await prometheus.rules();
    const records = rules.filter(({ type }) => type === 'recording').map(({ name }) => name);
    const queries = [...rules, ...dashboardQueries()].map(({ query }) => query);
    const unknown = queries.flatMap(selectorsOf).filter(({ name, matchers }) => {
      if (records.includes(name) || name === 'ALERTS' || name === 'up') return false;
      const series = lines.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
      return !series.some((line) =>
        matchers.every(({ label, values }) => values.some((value) => line.includes(`${label}="${value}"`))),
      );
    });
    expect(unknown.map((selector) => JSON.stringify(selector))).to.deep.equal([]);
  });
});

function isEmptyWhenWell(query: string): boolean {
  return EMPTY_WHEN_WELL.some((name) => query.includes(name));
}

interface Selector {
  readonly name: string;
  /** Labels that must have one of these values; those of Prometheus itself are left out. */
  readonly matchers: readonly { readonly label: string; readonly values: readonly string[] }[];
}

/** The metrics that a query names, as far as they can be ours. */
function selectorsOf(query: string): Selector[] {
  const selectors = query.matchAll(/\b(up|ALERTS|(?:gsls[_:]|process_|nodejs_)[\w:]+)\b(\{[^}]*\})?/g);
  return [...selectors].map(([, name, matchers = '']) => ({
    name: name!,
    matchers: [...matchers.matchAll(/(\w+)=~?"([^"]*)"/g)]
      .filter(([, label]) => !['job', 'instance', 'registry'].includes(label!))
      .map(([, label, values]) => ({ label: label!, values: values!.split('|') })),
  }));
}
