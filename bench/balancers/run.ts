/**
 * `npm run bench -- balancers`: what a ping costs HAProxy and a replica when HAProxy passes TCP and names the client by
 * the PROXY protocol, when it speaks HTTP (deploy/haproxy.cfg), and without it.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import { PROXY, startTcpHaproxy } from '../../test/support/haproxy-tcp.ts';
import { has } from '../../test/support/needs.ts';
import { ask } from '../../test/support/ask.ts';
import { until } from '../../test/support/until.ts';
import { progress } from '../support/figures.ts';
import { Poster } from '../support/game-servers.ts';
import { runLoad } from '../support/load.ts';
import { medianOfEach } from '../support/median.ts';
import { readOptions } from '../support/options.ts';
import { HOST, startHaproxy, startService, type Service } from '../support/processes.ts';
import { unchangedPings, type Request } from '../support/requests.ts';
import { printResult, tableOf } from '../support/table.ts';
import { readPreciseCpuUs } from '../support/usage.ts';

const options = readOptions('balancers', {
  servers: [1000, 'game servers that are listed'],
  connections: [32, 'of the game servers'],
  seconds: [3, 'each measurement lasts'],
  rounds: [7, 'of each in turn, of which the median counts'],
  json: [false, 'for programs'],
});
if (!has('haproxy')) throw new Error('haproxy is not installed');

const folder = mkdtempSync(join(tmpdir(), 'gsls-bench-'));

async function startListed(flags: readonly string[]): Promise<{ service: Service; pings: Request[] }> {
  const service = await startService({
    flags: ['--log-level=error', '--ttl=86400', '--no-load-shedding', ...flags],
  });
  return { service, pings: unchangedPings(await new Poster(service.url).list(options.servers)) };
}

const http = await startListed(['--trust-proxy=loopback']);
const tcp = await startListed([`--trust-proxy=${PROXY}`, '--proxy-protocol']);
const httpHaproxy = await startHaproxy([http.service.port], join(folder, 'haproxy.log'));
const front = { host: HOST, port: await freePort() };
const replica = { host: HOST, port: tcp.service.port };
const tcpHaproxy = startTcpHaproxy(join(folder, 'haproxy.cfg'), front, [replica, replica]);
const isHealthy = async (): Promise<boolean> => (await ask(front, 'GET /health')).status === 200;
await until(() => isHealthy().catch(() => false), tcpHaproxy);

/** Where the pings go, and whose CPU they take. */
const CASES = [
  { name: 'without a balancer', port: http.service.port, balancer: undefined, ...http },
  { name: 'HTTP', port: httpHaproxy.port, balancer: httpHaproxy.pid, ...http },
  { name: 'TCP, --proxy-protocol', port: front.port, balancer: tcpHaproxy.pid, ...tcp },
];

const cpu = (pid: number | undefined): number => (pid === undefined ? 0 : readPreciseCpuUs(pid));

async function measure({ port, balancer, service, pings }: (typeof CASES)[number]) {
  const before = [cpu(balancer), cpu(service.pid)] as const;
  const { requests, seconds, p99Ms, errors } = await runLoad({
    url: `http://${HOST}:${port}`,
    requests: pings,
    seconds: options.seconds,
    connections: options.connections,
  });
  const balancerUs = (cpu(balancer) - before[0]) / requests;
  const replicaUs = (cpu(service.pid) - before[1]) / requests;
  return { perSecond: requests / seconds, balancerUs, replicaUs, p99Ms, errors };
}

const rounds: Awaited<ReturnType<typeof measure>>[][] = [];
for (let round = 1; round <= options.rounds; round += 1) {
  progress(`round ${round} of ${options.rounds}`);
  const results = [];
  for (const each of CASES) results.push(await measure(each));
  rounds.push(results);
}
const rows = CASES.map(({ name }, at) => ({ name, ...medianOfEach(rounds.map((round) => round[at]!)) }));

await httpHaproxy.stop();
await tcpHaproxy.stop('SIGTERM');
await Promise.all([http, tcp].map(({ service }) => service.stop()));
rmSync(folder, { recursive: true });

const costOf = ({ balancerUs, replicaUs }: (typeof rows)[number]): number => balancerUs + replicaUs;
printResult(options.json, rows, () =>
  [
    `pings that say nothing new, of ${options.servers} game servers in memory, over ${options.connections} connections`,
    '',
    ...tableOf(rows, [
      ['HAProxy', ({ name }) => name],
      ['pings/s', ({ perSecond }) => perSecond.toFixed(0)],
      ['HAProxy, µs a ping', ({ balancerUs }) => balancerUs.toFixed(1)],
      ['replica, µs a ping', ({ replicaUs }) => replicaUs.toFixed(1)],
      ['both, × HTTP', (row) => (costOf(row) / costOf(rows[1]!)).toFixed(2)],
      ['p99, ms', ({ p99Ms }) => p99Ms.toFixed(1)],
      ['errors', ({ errors }) => errors],
    ]),
    '',
  ].join('\n'),
);
