/** deploy/haproxy.cfg with two mirrors behind one name, in place of replicas: readers notice the death of neither. */

import { Agent } from 'node:http';
import { expect } from 'chai';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { startFollowers } from '../../support/behind-balancer.ts';
import { aBroadcast } from '../../support/builders.ts';
import { startDnsServer, type DnsServer } from '../../support/dns-server.ts';
import { freePort } from '../../support/free-port.ts';
import { needs } from '../../support/needs.ts';
import { endProcesses, startHaproxy, startReplica, type RunningProcess } from '../../support/processes.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';

const HOSTS = ['127.0.0.11', '127.0.0.12'];
/** How many readers ask at a time, half of them on connections that stay open. */
const READERS = 8;

needs('Linux', 'haproxy').describe('haproxy.cfg with two mirrors behind one name', () => {
  let origin: Service;
  let dns: DnsServer;
  let haproxy: RunningProcess;
  let start: (host: string) => Promise<RunningProcess>;
  let mirrors: RunningProcess[];
  let front: { readonly host: string; readonly port: number };

  before(async () => {
    origin = await startTestService({ GSLS_FEED_INTERVAL: '100' });
    await ask(origin, 'POST /broadcast', { body: aBroadcast({ server_name: 'a' }) });
    const port = await freePort();
    start = (host) =>
      startReplica({
        GSLS_HOST: host,
        GSLS_PORT: String(port),
        GSLS_MIRRORS: `origin=${origin.url}`,
        // They have all clients beside them.
        GSLS_NO_LOAD_SHEDDING: 'true',
      });
    mirrors = await Promise.all(HOSTS.map(start));
    dns = await startDnsServer();
    dns.setAddresses(HOSTS);
    front = { host: '127.0.0.1', port: await freePort() };
    haproxy = startHaproxy({
      LISTEN: `${front.host}:${front.port}`,
      RESOLVER: dns.address,
      REPLICAS: `gsls.test:${port}`,
      GSLS_KEY: '',
    });
    await untilWell(2);
  });
  after(async () => {
    await endProcesses();
    await dns?.stop();
    await origin?.close();
  });

  /** Resolves once HAProxy takes so many of them for well. */
  const untilWell = (count: number): Promise<void> =>
    until(() => {
      const said = haproxy.lines.filter((line) => line.startsWith('Server replicas/'));
      const [, active] = /(\d) active/.exec(said.at(-1) ?? '') ?? [];
      return (active ?? String(said.filter((line) => line.includes('UP/READY')).length)) === String(count);
    }, haproxy);

  it('goes on to hand out the list and its changes while either is killed, without one failed request', async () => {
    const agent = new Agent({ keepAlive: true });
    const outcomes = new Map<string, number>();
    const stopping = new AbortController();
    const readers = Array.from({ length: READERS }, async (_, n) => {
      while (!stopping.signal.aborted) {
        const options = n % 2 === 0 ? { agent } : {};
        const outcome = await ask(front, 'GET /', options).then(
          ({ status, headers, body }) => `${status} ${headers['warning'] ?? 'current'} ${body.count}`,
          String,
        );
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    });
    const followers = startFollowers(front);
    for (const [at, host] of HOSTS.entries()) {
      await until(() => followers.every(({ servers }) => servers.size === 1));
      await mirrors[at]!.stop('SIGKILL');
      await untilWell(1);
      mirrors[at] = await start(host);
      await untilWell(2);
    }
    stopping.abort();
    await Promise.all(readers);
    expect([...outcomes.keys()]).to.deep.equal(['200 current 1']);
    await ask(origin, 'POST /broadcast', { body: aBroadcast({ server_port: 2 }) });
    await until(() => followers.every(({ servers }) => servers.size === 2));
    await Promise.all(followers.map((follower) => follower.stop()));
    expect(followers.flatMap(({ complaints }) => complaints)).to.deep.equal([]);
    agent.destroy();
  });
});
