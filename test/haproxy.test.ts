/** deploy/haproxy.cfg, as it is, before real replicas: what clients see while replicas die, freeze, stop and come. */

import { createServer, request, type Agent, type IncomingMessage, type Server } from 'node:http';
import { expect } from 'chai';
import { deriveGameServerId } from '../src/registry/game-server.ts';
import { aBroadcast, aGameServer, type ListBody } from './support/builders.ts';
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
  this.timeout(120_000);

  let redis: RedisServer;
  let dns: DnsServer;
  let haproxy: RunningProcess;
  let port: number;
  let publicPort: number;
  const replicas = new Map<string, RunningProcess>();

  function send(
    method: string,
    path: string,
    fields?: object,
    agent?: Agent,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${KEY}`, ...more };
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
      // Nobody pings what the load broadcasts.
      GSLS_TTL: '3600',
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

  /** Waits for a new line of HAProxy's log. */
  async function untilHaproxySays(what: RegExp): Promise<void> {
    const said = haproxy.lines.length;
    await until(() => haproxy.lines.slice(said).some((line) => what.test(line)), haproxy);
  }

  /** Everybody was answered, each acknowledged broadcast is listed, and none twice. */
  async function expectNothingAmiss({ failures, acknowledged }: Load): Promise<void> {
    expect(failures).to.deep.equal([]);
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

  it('repeats what a replica hung up over, a broadcast under the same Idempotency-Key', async () => {
    const hungUpOn: { readonly url: string; readonly key: string | undefined }[] = [];
    const quitter = createServer(({ url, headers, socket }, response) => {
      if (url === '/health') {
        response.end('{}');
        return;
      }
      hungUpOn.push({ url: url!, key: headers['idempotency-key'] as string | undefined });
      socket.destroy();
    });
    await listen(quitter, '127.0.0.14', port);
    announce('127.0.0.14');

    /** Asks until the quitter was asked first, and tells what another replica then answered. */
    async function afterHangUp(method: string, path: string, fields?: object, headers = {}) {
      for (;;) {
        const earlier = hungUpOn.length;
        const { status, body } = await send(method, path, fields, undefined, headers);
        expect(status).to.equal(200);
        const hangUp = hungUpOn.slice(earlier).find(({ url }) => url === path);
        if (hangUp !== undefined) return { body, key: hangUp.key };
      }
    }

    try {
      expect((await afterHangUp('GET', '/')).body).to.have.property('servers');
      const made = await afterHangUp('POST', '/broadcast', aBroadcast());
      expect(made.key).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(made.body['server_id']).to.equal(deriveGameServerId(made.key!, aGameServer()));
      const own = await afterHangUp('POST', '/broadcast', aBroadcast(), {
        'Idempotency-Key': 'of the client',
      });
      expect(own.key).to.equal('of the client');
      expect(own.body['server_id']).to.equal(deriveGameServerId('of the client', aGameServer()));
    } finally {
      announce();
      quitter.closeAllConnections();
      await new Promise((resolve) => quitter.close(resolve));
    }
  });

  it('makes another Idempotency-Key for each broadcast', async () => {
    const ids = await Promise.all(
      Array.from(
        { length: 50 },
        async () => (await send('POST', '/broadcast', aBroadcast())).body['server_id'],
      ),
    );
    expect(new Set(ids).size).to.equal(50);
  });

  it('hides it from everybody when a replica is killed', async () => {
    const load = new Load(send);
    await load.answered(300);
    await stopReplica('127.0.0.11', 'SIGKILL');
    await load.answered(1500);
    await load.stop();
    await expectNothingAmiss(load);
    await addReplica('127.0.0.11');
  });

  it('hides it from everybody when a replica freezes, and when it goes on', async () => {
    const frozen = replicas.get('127.0.0.13')!;
    const load = new Load(send);
    await load.answered(300);
    const down = untilHaproxySays(/Server replicas\S+ is DOWN/);
    frozen.signal('SIGSTOP');
    await down;
    // Ends when all who waited for the frozen one have an answer: from another.
    await load.stop();
    await expectNothingAmiss(load);

    const after = new Load(send);
    await after.answered(300);
    const up = untilHaproxySays(/Server replicas\S+ is UP/);
    frozen.signal('SIGCONT');
    await up;
    await after.answered(1500);
    await after.stop();
    await expectNothingAmiss(after);
    await expectNothingAmiss(load);
  });

  it('hides it from everybody when all replicas are restarted, one after another', async () => {
    const load = new Load(send);
    const hosts = [...replicas.keys()];
    for (const host of hosts) {
      await load.answered(300);
      expect(await stopReplica(host, 'SIGTERM')).to.equal(0);
      await addReplica(host);
    }
    await load.stop();
    await expectNothingAmiss(load);
  });

  it('finds a new replica through DNS', async () => {
    const names = await listedNames();
    const others = [...replicas.keys()];
    await addReplica('127.0.0.15');
    await Promise.all(others.map((host) => stopReplica(host, 'SIGTERM')));
    expect(await listedNames()).to.deep.equal(names);
  });

  it('asks a replica that seems unwell when there is no other', async () => {
    const unwell = createServer(({ url }, response) => {
      response.statusCode = url === '/health' ? 503 : 200;
      response.end('{"answered by":"the unwell"}');
    });
    await listen(unwell, '127.0.0.16', port);
    const noneSeemsWell = untilHaproxySays(/backend replicas has no server available/);
    dns.setAddresses(['127.0.0.16']);
    try {
      await noneSeemsWell;
      expect(await send('GET', '/')).to.deep.equal({ status: 200, body: { 'answered by': 'the unwell' } });
    } finally {
      announce();
      unwell.closeAllConnections();
      await new Promise((resolve) => unwell.close(resolve));
    }
    await untilReached(replicas.get('127.0.0.15')!);
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
