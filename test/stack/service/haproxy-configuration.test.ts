/** deploy/haproxy.cfg itself: the forms it is used in, and what HAProxy answers of its own accord. */

import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { expect } from 'chai';
import { ERRORS, type ErrorCode } from '../../../src/model/errors.ts';
import { ask } from '../../support/ask.ts';
import { KEY } from '../../support/use-haproxy.ts';
import { freePort } from '../../support/free-port.ts';
import { listen } from '../../support/listen.ts';
import { needs } from '../../support/needs.ts';
import { checkHaproxy, endProcesses, startHaproxy, type RunningProcess } from '../../support/processes.ts';
import { jsonOf, openRawConnection } from '../../support/raw-connection.ts';
import { createVanishingClient } from '../../support/vanishing-client.ts';
import { until } from '../../support/until.ts';

needs('Linux', 'haproxy').describe('haproxy.cfg', function () {
  this.timeout(120_000);
  const configuration = readFileSync(new URL('../../../deploy/haproxy.cfg', import.meta.url), 'utf8');
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
    'a port for operators': { REPLICA_1: '127.0.0.1:1', OPS_LISTEN: '127.0.0.1:1' },
    'variables that are empty': {
      RESOLVER: '',
      REPLICA_1: '127.0.0.1:1',
      REPLICA_2: '',
      GSLS_KEY: '',
      OPS_LISTEN: '',
    },
  };
  for (const [what, environment] of Object.entries(FORMS))
    it(`is valid, without a warning, with ${what}`, () => {
      expect(checkHaproxy(environment)).to.equal('Configuration file is valid\n');
    });

  // Without DNS servers HAProxy warns.
  needs('nameserver').it('is valid, without a warning, with the DNS servers of the machine', () => {
    expect(checkHaproxy({})).to.equal('Configuration file is valid\n');
  });

  /** HAProxy in front of one server that only plays a replica. Resolves with the port once it answers. */
  async function startBefore(
    listener: RequestListener,
    environment: Readonly<Record<string, string>> = {},
    host = '127.0.0.1',
  ): Promise<{ haproxy: RunningProcess; publicPort: number }> {
    const replica = createServer(listener);
    servers.push(replica);
    const [port, publicPort] = [await freePort(), await freePort()];
    await listen(replica, '127.0.0.1', port);
    const haproxy = startHaproxy({
      ...environment,
      LISTEN: `${host}:${publicPort}`,
      REPLICA_1: `127.0.0.1:${port}`,
    });
    const isAnswered = (): Promise<boolean> =>
      ask({ host, port: publicPort }, 'GET /').then(
        () => true,
        () => false,
      );
    await until(isAnswered, haproxy);
    return { haproxy, publicPort };
  }

  needs('network namespaces', 'ip', 'curl').it(
    'ends a stream whose client vanished without a word',
    async () => {
      const client = createVanishingClient();
      try {
        let [isFollowing, isOver] = [false, false];
        const { haproxy, publicPort } = await startBefore(
          ({ url }, response) => {
            if (url !== '/changes') return response.end('{}');
            response.writeHead(200, { 'Content-Type': 'text/event-stream' });
            // As often as a quiet stream says that it is alive.
            const signs = setInterval(() => response.write('id: 1\n\n', () => (isFollowing = true)), 2000);
            return response.once('close', () => {
              clearInterval(signs);
              isOver = true;
            });
          },
          {},
          client.host,
        );
        client.follow(`http://${client.host}:${publicPort}/changes`);
        await until(() => isFollowing, haproxy);
        client.vanish();
        await until(() => isOver, haproxy);
      } finally {
        await client.close();
      }
    },
  );

  it('asks once more for a stream that is refused, and for nothing else', async () => {
    const asked: string[] = [];
    const { publicPort } = await startBefore(({ url }, response) => {
      asked.push(url!);
      if (url === '/changes') response.statusCode = 503;
      response.end('{}');
    });
    const front = { host: '127.0.0.1', port: publicPort };
    const timesAsked = async (headers: Readonly<Record<string, string>>): Promise<number> => {
      asked.length = 0;
      expect((await ask(front, 'GET /changes', { headers })).status).to.equal(503);
      return asked.filter((url) => url === '/changes').length;
    };
    expect(await timesAsked({ Accept: 'text/event-stream' })).to.equal(2);
    expect(await timesAsked({})).to.equal(1);
  });

  it('logs nothing at the start about replicas that are not in the list', async () => {
    const { haproxy } = await startBefore((_, response) => response.end('{}'));
    expect(haproxy.lines).to.deep.equal([]);
  });

  it('replaces what a client sends of X-Forwarded-For and Forwarded, on every request of a connection', async () => {
    const seen: string[][] = [];
    const { publicPort } = await startBefore(({ url, rawHeaders }, response) => {
      if (url === '/seen')
        seen.push(rawHeaders.filter((_, at) => /forwarded/i.test(rawHeaders[at - (at % 2)]!)));
      response.end('{}');
    });
    const forged =
      'X-Forwarded-For: 192.0.2.1\r\nX-FORWARDED-FOR: 192.0.2.2, 192.0.2.3\r\nForwarded: for=192.0.2.1\r\nX-Forwarded-For: "\r\n';
    const connection = await openRawConnection({ host: '127.0.0.1', port: publicPort });
    for (const headers of [forged, '', forged])
      expect(
        (await connection.send(`GET /seen HTTP/1.1\r\nHost: a\r\n${headers}\r\n`).answer()).status,
      ).to.equal(200);
    connection.socket.destroy();
    const own = ['127.0.0.1'];
    expect(seen.map((headers) => headers.slice(1))).to.deep.equal([own, own, own]);
    for (const [name] of seen) expect(name).to.match(/^x-forwarded-for$/i);
  });

  it('gives each request an X-Request-Id, the same for all attempts, and keeps one of the client', async () => {
    const seen: unknown[] = [];
    const { publicPort } = await startBefore(({ url, headers, socket }, response) => {
      if (url === '/seen') seen.push(headers['x-request-id']);
      if (url === '/seen' && seen.length % 2 === 1) socket.destroy();
      else response.end('{}');
    });
    const front = { host: '127.0.0.1', port: publicPort };
    for (const headers of [{}, {}, { 'X-Request-Id': 'of the client' }])
      expect((await ask(front, 'GET /seen', { headers })).status).to.equal(200);
    const [first, again, second, , ...own] = seen;
    expect(first).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(again).to.equal(first);
    expect(second).not.to.equal(first);
    expect(own).to.deep.equal(['of the client', 'of the client']);
  });

  it('shows its own metrics and whether a replica is well to operators, and nothing else', async () => {
    const ops = { host: '127.0.0.1', port: await freePort() };
    let status = 200;
    const { haproxy, publicPort } = await startBefore(
      ({ url }, response) => response.writeHead(url === '/health' ? status : 404).end('{}'),
      { OPS_LISTEN: `127.0.0.1:${ops.port}` },
    );
    await until(async () => (await ask(ops, 'GET /readyz')).status === 200, haproxy);
    const metrics = await ask(ops, 'GET /metrics?no-maint=');
    expect(metrics.text).to.match(
      /^haproxy_server_status\{proxy="replicas",server="replica1",state="UP"\} 1$/m,
    );
    for (const path of ['/', '/health', '/admin', '/metrics/'])
      expect(await ask(ops, `GET ${path}`), path).to.include({ status: 404 });
    expect((await ask({ ...ops, port: publicPort }, 'GET /metrics')).text).to.equal('{}');
    status = 500;
    await until(async () => (await ask(ops, 'GET /readyz')).status === 503, haproxy);
  });

  it('passes no request that is for operators or moderators to that path of a replica', async () => {
    const seen: string[] = [];
    const { publicPort } = await startBefore(({ url }, response) => {
      if (url !== '/health' && url !== '/') seen.push(url!);
      response.writeHead(404).end('{"code":"not_found"}');
    });
    const front = { host: '127.0.0.1', port: publicPort };
    const admin = [
      '/admin',
      '/admin/bans',
      '/admin/bans/a?author=b',
      '/desk',
      '/racer/desk/start.js',
      `http://127.0.0.1:${publicPort}/admin/bans`,
    ];
    const paths = [...admin, '/metrics', '/livez', '/readyz', '/debug/config'];
    for (const path of paths)
      for (const method of ['GET', 'POST', 'DELETE'])
        expect(await ask(front, `${method} ${path}`, method === 'POST' ? { body: {} } : {})).to.include({
          status: 404,
        });
    expect(seen.map((url) => url.replace(/^http:..[^/]+/, '').split('?')[0])).to.deep.equal(
      Array.from({ length: 3 * paths.length }, () => '/not-public'),
    );
  });

  it('has the error envelope and a known code in all its own answers', () => {
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

  it('answers 400, 408 and 503 in JSON, and neither 502 nor 504, whose bodies a CDN replaces', async () => {
    const { publicPort } = await startBefore(({ url, socket }, response) => {
      if (url === '/health') response.end('{}');
      if (url === '/') socket.destroy();
      // All other requests get no answer.
    });
    const post = 'POST /ping HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n';
    const EXPECTED: readonly (readonly [head: string, body: string, status: number, code: ErrorCode])[] = [
      [`${post}Transfer-Encoding: chunked\r\n\r\n`, 'x\r\n', 400, 'invalid_request'],
      [`${post}Content-Length: 9\r\n\r\n`, '{', 408, 'request_timeout'],
      ['GET / HTTP/1.1\r\nHost: a\r\n\r\n', '', 503, 'registry_unavailable'],
      ['GET /ping HTTP/1.1\r\nHost: a\r\n\r\n', '', 503, 'registry_unavailable'],
    ];
    await Promise.all(
      EXPECTED.map(async ([head, body, status, code]) => {
        const connection = await openRawConnection({ host: '127.0.0.1', port: publicPort });
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
