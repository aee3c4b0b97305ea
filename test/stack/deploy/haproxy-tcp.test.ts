/** The HAProxy of docs/deploy.md that passes TCP, before a replica of two workers and one in this process. */

import { expect } from 'chai';
import { ask, type Address, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { freePort } from '../../support/free-port.ts';
import { PROXY, startTcpHaproxy } from '../../support/haproxy-tcp.ts';
import { startNearReplica, type NearReplica } from '../../support/near-replica.ts';
import { needs } from '../../support/needs.ts';
import { endProcesses, startReplica, type RunningProcess } from '../../support/processes.ts';
import { useRedis } from '../../support/redis-server.ts';
import { until } from '../../support/until.ts';
import { useDirectory } from '../../support/use-directory.ts';

/** How long a client waits for an answer before it asks again over another connection. */
const PATIENCE_MS = 2000;

needs('Linux', 'haproxy', 'redis-server').describe('HAProxy in TCP mode before --proxy-protocol', () => {
  const redis = useRedis();
  const newPath = useDirectory();
  let front: Address;
  let workers: Address;
  let haproxy: RunningProcess;
  let replica: RunningProcess;
  let near: NearReplica;

  before(async () => {
    const port = await freePort();
    const environmentOf = (host: string) => ({
      GSLS_HOST: host,
      GSLS_PORT: String(port),
      GSLS_REDIS: redis.url,
      GSLS_PROXY_PROTOCOL: 'true',
      GSLS_TRUST_PROXY: PROXY,
      GSLS_VERIFY_SOURCE: 'true',
      GSLS_NO_LOAD_SHEDDING: 'true',
      GSLS_LOG_LEVEL: 'debug',
    });
    workers = { host: '127.0.0.11', port };
    near = await startNearReplica(environmentOf('127.0.0.12'));
    replica = await startReplica({ ...environmentOf(workers.host), GSLS_WORKERS: '2' });
    front = { host: '127.0.0.1', port: await freePort() };
    haproxy = startTcpHaproxy(newPath(), front, [workers, { host: '127.0.0.12', port }]);
    await until(
      () =>
        askFront('GET /health').then(
          ({ status }) => status === 200,
          () => false,
        ),
      haproxy,
    );
  });
  after(async () => {
    await endProcesses();
    await near?.close();
  });

  const askFront = (call: string, options = {}): Promise<TestAnswer> =>
    ask(front, call, { giveUpAfterMs: PATIENCE_MS, ...options });

  /** How many requests each of both has answered for a client. */
  const answered = (): number[] =>
    [replica.lines, near.lines].map(
      (lines) =>
        lines.filter((line) => /request was answered/.test(line) && line.includes('"127.0.0.1"')).length,
    );

  it('tells both replicas the address of the client', async () => {
    await until(async () => {
      const { body } = await askFront('POST /broadcast', { body: aBroadcast({ server_ip: 'auto' }) });
      const { servers } = (await askFront('GET /')).body;
      expect(servers!.find(({ id }) => id === body.server_id)).to.include({ ip: '127.0.0.1' });
      return answered().every((count) => count > 0);
    }, haproxy);
  });

  it('lets a game server be listed at no other address, whatever its headers say', async () => {
    for (const headers of [{}, { 'X-Forwarded-For': '203.0.113.7' }, { Forwarded: 'for=203.0.113.7' }])
      for (const [ip, status] of [
        ['127.0.0.1', 200],
        [PROXY, 403],
        ['203.0.113.7', 403],
      ] as const) {
        const body = aBroadcast({ server_ip: ip });
        expect((await askFront('POST /broadcast', { body, headers })).status, ip).to.equal(status);
      }
  });

  it('needs no header of a client that asks a replica itself', async () => {
    expect((await ask(workers, 'GET /health')).status).to.equal(200);
  });

  it('checks the health of replicas in a way that none of them refuses', () => {
    const lines = [...replica.lines, ...near.lines];
    expect(
      lines.filter((line) => /"code":"invalid_request"|without a PROXY header/.test(line)),
    ).to.deep.equal([]);
    const checks = lines.filter((line) => line.includes('"/health"') && line.includes(`"${PROXY}"`));
    expect(checks).to.not.deep.equal([]);
  });

  it('leads clients to the other replica when one is frozen, thaws, and is killed', async () => {
    const { body } = await askFront('POST /broadcast', { body: aBroadcast({ server_ip: '127.0.0.1' }) });
    const ping = aBroadcast({ server_id: body.server_id, server_ip: '127.0.0.1' });
    const pinged = () =>
      askFront('POST /ping', { body: ping }).then(
        ({ status }) => status === 200,
        () => false,
      );
    const isAllWell = async (): Promise<boolean> =>
      (await Promise.all([1, 2, 3, 4].map(pinged))).every(Boolean);
    const says = async (what: RegExp): Promise<void> =>
      until(() => haproxy.lines.some((line) => what.test(line)), haproxy);
    replica.signal('SIGSTOP');
    await says(/gsls\/replica1 is DOWN/);
    await until(isAllWell, haproxy);
    replica.signal('SIGCONT');
    await says(/gsls\/replica1 is UP/);
    await until(isAllWell, haproxy);
    await replica.stop('SIGKILL');
    await until(isAllWell, haproxy);
    const { servers } = (await askFront('GET /')).body;
    expect(servers!.map(({ id }) => id)).to.include(body.server_id);
  });
});
