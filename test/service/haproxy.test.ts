/** deploy/haproxy.cfg, unchanged, before real replicas: what clients see while replicas die, freeze, stop and start. */

import { readFileSync } from 'node:fs';
import {
  createServer,
  request,
  type Agent,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { expect } from 'chai';
import { ERRORS, type ErrorCode } from '../../src/errors.ts';
import { deriveGameServerId } from '../../src/registry/game-server.ts';
import { aBroadcast, aGameServer, type ListBody } from '../support/builders.ts';
import { startDnsServer, type DnsServer } from '../support/dns-server.ts';
import { Load, type Reply } from '../support/load.ts';
import {
  checkHaproxy,
  endProcesses,
  hasHaproxy,
  startHaproxy,
  startReplica,
  until,
  type RunningProcess,
} from '../support/processes.ts';
import { jsonOf, openRawConnection } from '../support/raw-connection.ts';
import { freePort, hasRedisServer, startRedisServer, type RedisServer } from '../support/redis-server.ts';

/** Characters with a meaning in HAProxy, which a careless configuration would not quote. */
const KEY = '50% of a "key" \\ $HOME #1';

/** The ports of everything that listens in these tests. */
const HOSTS = [11, 12, 13, 14, 15, 16].map((last) => `127.0.0.${last}`);

/** How HAProxy learns of the replicas. */
const WAYS: Readonly<Record<string, (dns: DnsServer, port: number) => Readonly<Record<string, string>>>> = {
  'with a DNS server': (dns, port) => ({ RESOLVER: dns.address, REPLICAS: `gsls.test:${port}` }),
  'with a list of replicas': (_dns, port) =>
    Object.fromEntries(HOSTS.map((host, index) => [`REPLICA_${index + 1}`, `${host}:${port}`])),
};

for (const [way, replicasOf] of Object.entries(WAYS))
  describe(`haproxy.cfg ${way}`, function () {
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
      await untilReached(await runReplica(host));
    }

    async function runReplica(host: string): Promise<RunningProcess> {
      const replica = await startReplica({
        GSLS_HOST: host,
        GSLS_PORT: String(port),
        GSLS_REDIS: redis.url,
        GSLS_KEY: KEY,
        // The game servers of the load are never pinged.
        GSLS_TTL: '3600',
        GSLS_LOG_LEVEL: 'debug',
      });
      replicas.set(host, replica);
      announce();
      return replica;
    }

    /** What Docker's DNS does. */
    function announce(...others: readonly string[]): void {
      dns.setAddresses([...replicas.keys(), ...others]);
    }

    /** A replica logs what it refuses: the log tells which replica got a request. */
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

    /** Every request was answered, each acknowledged broadcast is listed, and none is listed twice. */
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
      const first = await Promise.all(['127.0.0.11', '127.0.0.12', '127.0.0.13'].map(runReplica));
      haproxy = startHaproxy({
        LISTEN: `127.0.0.1:${publicPort}`,
        ...replicasOf(dns, port),
        GSLS_KEY: KEY,
      });
      await Promise.all(first.map(untilReached));
    });

    after(async () => {
      await endProcesses();
      await dns?.stop();
      await redis?.stop();
    });

    it('a broadcast, a ping, a list and an error pass', async () => {
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

    it('the health check has the key', () => {
      for (const { lines } of replicas.values())
        expect(lines.filter((line) => line.includes('unauthorized'))).to.deep.equal([]);
    });

    it('a request without an answer is repeated, a broadcast with the same Idempotency-Key', async () => {
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

      /** Sends requests until the replica that quits got one first, and gives the answer of the other replica. */
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

    it('each broadcast gets an Idempotency-Key of its own', async () => {
      const ids = await Promise.all(
        Array.from(
          { length: 50 },
          async () => (await send('POST', '/broadcast', aBroadcast())).body['server_id'],
        ),
      );
      expect(new Set(ids).size).to.equal(50);
    });

    it('a killed replica is hidden from every client', async () => {
      const load = new Load(send);
      await load.answered(300);
      await stopReplica('127.0.0.11', 'SIGKILL');
      await load.answered(1500);
      await load.stop();
      await expectNothingAmiss(load);
      await addReplica('127.0.0.11');
    });

    it('a replica that freezes and goes on is hidden from every client', async () => {
      const frozen = replicas.get('127.0.0.13')!;
      const load = new Load(send);
      await load.answered(300);
      const down = untilHaproxySays(/Server replicas\S+ is DOWN/);
      frozen.signal('SIGSTOP');
      await down;
      // Ends when every request that waited for the frozen replica has an answer of another one.
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

    it('restarts of all replicas, one after another, are hidden from every client', async () => {
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

    it('a new replica is found', async () => {
      const names = await listedNames();
      const others = [...replicas.keys()];
      await addReplica('127.0.0.15');
      await Promise.all(others.map((host) => stopReplica(host, 'SIGTERM')));
      expect(await listedNames()).to.deep.equal(names);
    });

    it('the metrics are not reachable from outside, as if the path did not exist', async () => {
      for (const path of ['/metrics', '/metrics?a=b', `http://localhost:${publicPort}/metrics`]) {
        const { status, body } = await send('GET', path);
        expect(status).to.equal(404);
        expect(body).to.include({ status: 'error', code: 'not_found' });
        const without = await send('GET', path, undefined, undefined, { Authorization: '' });
        expect(without.status).to.equal(401);
        expect(without.body).to.include({ code: 'unauthorized' });
      }
    });

    it('a replica that seems unhealthy is asked when there is no other', async () => {
      const unwell = createServer(({ url }, response) => {
        response.statusCode = url === '/health' ? 503 : 200;
        response.end('{"answered by":"the unwell"}');
      });
      await listen(unwell, '127.0.0.16', port);
      const noneSeemsWell = untilHaproxySays(/backend replicas has no server available/);
      await stopReplica('127.0.0.15', 'SIGTERM');
      announce('127.0.0.16');
      try {
        await noneSeemsWell;
        await until(async () => (await send('GET', '/')).status === 200, haproxy);
        expect(await send('GET', '/')).to.deep.equal({ status: 200, body: { 'answered by': 'the unwell' } });
      } finally {
        unwell.closeAllConnections();
        await new Promise((resolve) => unwell.close(resolve));
      }
    });

    it('the answer is JSON when no replica is left', async () => {
      const { status, body } = await send('GET', '/');
      expect(status).to.equal(503);
      expect(body).to.include({ status: 'error', code: 'registry_unavailable' });
    });
  });

describe('haproxy.cfg', function () {
  if (process.platform !== 'linux' || !hasHaproxy()) return;
  this.timeout(60_000);
  const configuration = readFileSync(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8');
  const servers: Server[] = [];
  afterEach(async () => {
    await endProcesses();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  const FORMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'a DNS server of its own': { RESOLVER: '127.0.0.1:53', REPLICAS: 'gsls.test:1' },
    'one replica': { REPLICA_1: '127.0.0.1:1' },
    'nine replicas and a key': {
      ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`REPLICA_${i + 1}`, `127.0.0.1:${i + 1}`])),
      GSLS_KEY: KEY,
    },
    'variables that are empty': { RESOLVER: '', REPLICA_1: '127.0.0.1:1', REPLICA_2: '', GSLS_KEY: '' },
    // Without any replica HAProxy rightly warns.
    ...(/^nameserver/m.test(readFileSync('/etc/resolv.conf', 'utf8')) && {
      'the DNS servers of the machine': {},
    }),
  };
  for (const [what, environment] of Object.entries(FORMS))
    it(`the configuration is valid, without a warning, with ${what}`, () => {
      expect(checkHaproxy(environment)).to.equal('Configuration file is valid\n');
    });

  /** HAProxy before one replica, which is not GSLS. Resolves with the port once it answers. */
  async function startBefore(
    listener: RequestListener,
  ): Promise<{ haproxy: RunningProcess; publicPort: number }> {
    const replica = createServer(listener);
    servers.push(replica);
    const [port, publicPort] = [await freePort(), await freePort()];
    await listen(replica, '127.0.0.1', port);
    const haproxy = startHaproxy({ LISTEN: `127.0.0.1:${publicPort}`, REPLICA_1: `127.0.0.1:${port}` });
    await until(() => isAnswered(publicPort), haproxy);
    return { haproxy, publicPort };
  }

  it('replicas that are not in the list are not reported at the start', async () => {
    const { haproxy } = await startBefore((_, response) => response.end('{}'));
    expect(haproxy.lines).to.deep.equal([]);
  });

  it('every answer of HAProxy itself has the form of an error of GSLS, with one of its codes', () => {
    const bodies = [
      ...configuration.matchAll(/http-error status (\d+) content-type application\/json string '(.*)'/g),
    ];
    expect(bodies.map(([, status]) => status)).to.deep.equal(['400', '408', '500', '502', '503', '504']);
    for (const [, , text] of bodies) {
      const body = JSON.parse(text!) as Record<string, string>;
      expect(Object.keys(body)).to.deep.equal(['status', 'error', 'code']);
      expect(body['status']).to.equal('error');
      expect(Object.keys(ERRORS)).to.include(body['code']);
    }
  });

  it('the answers 400, 408, 502 and 504 are JSON', async () => {
    const { publicPort } = await startBefore(({ url, socket }, response) => {
      if (url === '/health') response.end('{}');
      if (url === '/') socket.destroy();
      // Everything else waits without a limit.
    });
    const post = 'POST /ping HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n';
    const EXPECTED: readonly (readonly [head: string, body: string, status: number, code: ErrorCode])[] = [
      [`${post}Transfer-Encoding: chunked\r\n\r\n`, 'x\r\n', 400, 'invalid_request'],
      [`${post}Content-Length: 9\r\n\r\n`, '{', 408, 'request_timeout'],
      ['GET / HTTP/1.1\r\nHost: a\r\n\r\n', '', 502, 'registry_unavailable'],
      ['GET /ping HTTP/1.1\r\nHost: a\r\n\r\n', '', 504, 'registry_unavailable'],
    ];
    await Promise.all(
      EXPECTED.map(async ([head, body, status, code]) => {
        const connection = await openRawConnection({ url: `http://127.0.0.1:${publicPort}` });
        connection.send(head);
        if (body !== '') expect((await connection.answer()).status).to.equal(100);
        const answer = await connection.send(body).answer();
        expect([answer.status, jsonOf(answer)['code']]).to.deep.equal([status, code]);
        expect(answer.headers['content-type']).to.equal('application/json');
        expect(answer.headers['retry-after'] ?? '').to.match(status > 500 ? /^[1-3]$/ : /^$/);
        connection.socket.destroy();
      }),
    );
  });
});

/** Whether the port answers. */
function isAnswered(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    request({ port, path: '/' }, (response) => {
      response.resume();
      resolve(true);
    })
      .on('error', () => resolve(false))
      .end();
  });
}

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
