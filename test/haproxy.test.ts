/** deploy/haproxy.cfg, as it is, before real replicas: what clients see while replicas die, stop and come. */

import { Agent, createServer, request, type IncomingMessage, type Server } from 'node:http';
import { expect } from 'chai';
import { aBroadcast, type ListBody } from './support/builders.ts';
import { startDnsServer, type DnsServer } from './support/dns-server.ts';
import { Load, type Reply } from './support/load.ts';
import {
  endProcesses,
  hasHaproxy,
  startHaproxy,
  startReplica,
  until,
  type RunningProcess,
} from './support/processes.ts';
import { freePort, hasRedisServer, startRedisServer, type RedisServer } from './support/redis-server.ts';

/** Characters that HAProxy would take for its own in a careless configuration. */
const KEY = '50% of a "key" \\ $HOME #1';

describe('haproxy.cfg', function () {
  // Every address in 127.0.0.0/8 is this machine: on Linux.
  if (process.platform !== 'linux' || !hasHaproxy() || !hasRedisServer()) return;
  this.timeout(60_000);

  let redis: RedisServer;
  let dns: DnsServer;
  let haproxy: RunningProcess;
  let port: number;
  let publicPort: number;
  const replicas = new Map<string, RunningProcess>();

  function send(method: string, path: string, fields?: object, agent?: Agent): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${KEY}` };
      const sent = request({ port: publicPort, method, path, headers, ...(agent && { agent }) });
      sent.on('error', reject);
      sent.on('response', (response) => {
        read(response).then((body) => resolve({ status: response.statusCode!, body }), reject);
      });
      sent.end(fields && JSON.stringify(fields));
    });
  }

  async function listedNames(): Promise<string[]> {
    const { body } = await send('GET', '/');
    return (body as unknown as ListBody).servers.map(({ name }) => name);
  }

  async function addReplica(host: string): Promise<void> {
    const replica = await startReplica({
      GSLS_HOST: host,
      GSLS_PORT: String(port),
      GSLS_REDIS: redis.url,
      GSLS_KEY: KEY,
      GSLS_LOG_LEVEL: 'debug',
    });
    replicas.set(host, replica);
    announce();
    await untilReached(replica);
  }

  /** What Docker's DNS does. */
  function announce(...others: readonly string[]): void {
    dns.setAddresses([...replicas.keys(), ...others]);
  }

  /** A replica logs what it refuses: that tells which one a request came to. */
  async function untilReached(replica: RunningProcess): Promise<void> {
    const path = `/is-anybody-there-${Math.random()}`;
    await until(async () => {
      await send('GET', path).catch(() => undefined);
      return replica.lines.some((line) => line.includes(path));
    }, haproxy);
  }

  async function stopReplica(host: string, signal: NodeJS.Signals): Promise<number | null> {
    const replica = replicas.get(host)!;
    const code = await replica.stop(signal);
    replicas.delete(host);
    return code;
  }

  /** Each acknowledged broadcast is listed, and none twice. */
  async function expectListedOnce({ acknowledged }: Load): Promise<void> {
    const names = (await listedNames()).filter((name) => name.startsWith('broadcast'));
    expect(new Set(names).size).to.equal(names.length);
    expect(names).to.include.members(acknowledged);
  }

  before(async () => {
    redis = await startRedisServer();
    dns = await startDnsServer();
    port = await freePort();
    publicPort = await freePort();
    haproxy = startHaproxy({
      LISTEN: `127.0.0.1:${publicPort}`,
      RESOLVER: dns.address,
      REPLICAS: `gsls.test:${port}`,
      GSLS_KEY: KEY,
    });
    await Promise.all(['127.0.0.11', '127.0.0.12', '127.0.0.13'].map(addReplica));
  });

  after(async () => {
    await endProcesses();
    await dns?.stop();
    await redis?.stop();
  });

  it('lets a broadcast, a ping, a list and an error through', async () => {
    const { status, body } = await send('POST', '/broadcast', aBroadcast());
    expect(status).to.equal(200);
    const pinged = await send('POST', '/ping', aBroadcast({ server_id: body['server_id'], players: 9 }));
    expect(pinged).to.deep.equal({ status: 200, body: { status: 'success' } });
    const listed = await send('GET', '/');
    expect(listed.body).to.have.nested.property('servers[0].players', 9);
    const unknown = await send('POST', '/ping', aBroadcast({ server_id: 'nobody' }));
    expect(unknown).to.deep.include({ status: 404 });
    expect(unknown.body).to.include({ code: 'unknown_server' });
  });

  it('checks the health with the key', () => {
    for (const { lines } of replicas.values())
      expect(lines.filter((line) => line.includes('unauthorized'))).to.deep.equal([]);
  });

  it('repeats a list whose replica hung up over it, but never a broadcast', async () => {
    const hungUpOn: string[] = [];
    const quitter = createServer(({ url, socket }, response) => {
      if (url === '/health') {
        response.end('{}');
        return;
      }
      hungUpOn.push(url!);
      socket.destroy();
    });
    await listen(quitter, '127.0.0.14', port);
    announce('127.0.0.14');
    try {
      await until(async () => {
        expect(await send('GET', '/')).to.include({ status: 200 });
        return hungUpOn.includes('/');
      }, haproxy);

      const before = (await listedNames()).length;
      const replies: Reply[] = [];
      // On a connection that was used before, HAProxy would hang up in turn.
      const agent = new Agent({ keepAlive: false });
      await until(async () => {
        replies.push(await send('POST', '/broadcast', aBroadcast(), agent));
        return hungUpOn.includes('/broadcast');
      }, haproxy);
      const refused = replies.filter(({ status }) => status !== 200);
      expect(refused.map(({ status, body }) => [status, body['code']])).to.deep.equal([
        [502, 'registry_unavailable'],
      ]);
      expect(hungUpOn.filter((url) => url === '/broadcast')).to.have.length(1);
      expect((await listedNames()).length - before).to.equal(replies.length - 1);
    } finally {
      announce();
      quitter.closeAllConnections();
      await new Promise((resolve) => quitter.close(resolve));
    }
  });

  it('hides a replica killed under load from all who list and ping, and lists no broadcast twice', async () => {
    const load = new Load(send);
    await load.answered(300);
    await stopReplica('127.0.0.11', 'SIGKILL');
    await load.answered(1500);
    await load.stop();
    expect(load.failures).to.deep.equal([]);
    await expectListedOnce(load);
    await addReplica('127.0.0.11');
  });

  it('hides a replica stopped under load from all who list and ping, and lists no broadcast twice', async () => {
    const load = new Load(send);
    await load.answered(300);
    expect(await stopReplica('127.0.0.12', 'SIGTERM')).to.equal(0);
    await load.answered(1500);
    await load.stop();
    // A broadcast fails when its connection still waits to be accepted as the replica closes its port.
    expect(load.failures).to.deep.equal([]);
    await expectListedOnce(load);
  });

  it('finds a new replica through DNS', async () => {
    const names = await listedNames();
    await addReplica('127.0.0.15');
    for (const host of ['127.0.0.11', '127.0.0.13']) await stopReplica(host, 'SIGTERM');
    expect(await listedNames()).to.deep.equal(names);
  });

  it('answers in JSON when no replica is left', async () => {
    await stopReplica('127.0.0.15', 'SIGTERM');
    const { status, body } = await send('GET', '/');
    expect(status).to.equal(503);
    expect(body).to.include({ status: 'error', code: 'registry_unavailable' });
  });
});

async function read(response: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
  return JSON.parse(text) as Record<string, unknown>;
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}
