/** The fast path and the Koa path: the same request gets the same answer on either. */

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { AnswersInFlight } from '../../../src/api/http/server/answers-in-flight.ts';
import { jsonAnswer } from '../../../src/api/http/answer.ts';
import { createKoaPath } from '../../../src/api/http/koa/koa-path.ts';
import { Guard } from '../../../src/api/http/guard.ts';
import { KeyRing, keysOfFlags } from '../../../src/api/http/key-ring.ts';
import { createCors } from '../../../src/api/http/cors.ts';
import { createSiteCheck } from '../../../src/api/http/checks/cross-site.ts';
import { openLists } from '../../../src/api/lists/open-lists.ts';
import { openWrites } from '../../../src/api/writes/open-writes.ts';
import { createServerTokens } from '../../../src/api/writes/server-token.ts';
import type { Endpoint } from '../../../src/api/http/route.ts';
import { createFastPath, createHandle } from '../../../src/api/http/handle.ts';
import { Routes } from '../../../src/api/http/routes.ts';
import { createSend } from '../../../src/api/http/server/send.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import { aContext } from '../../support/a-context.ts';
import { aRoute } from '../../support/a-route.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast, aGameServer, broadcastTo } from '../../support/builders.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { silentLogger } from '../../support/start-test-service.ts';
import { listenerOf } from '../../support/listener-of.ts';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Shows what it gets. */
const echo: Endpoint = async ({ query, parameter, fields }) =>
  jsonAnswer({ query, parameter: parameter ?? null, fields: fields ?? null }, { Link: '</>; rel="next"' });

function listen(listener: RequestListener): Promise<Server> {
  const server = createServer({ requireHostHeader: false }, listener);
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** Everything of the answer that has to be the same on either path. */
async function answerOf(server: Server, { method, path, headers = {}, body }: Asked) {
  const { address: host, port } = server.address() as AddressInfo;
  const answer = await ask({ host, port }, `${method} ${path}`, {
    headers: { 'X-Request-Id': 'the-same', ...headers },
    ...(body !== undefined && { body }),
  });
  const { date: _, ...others } = answer.headers;
  return { status: answer.status, headers: others, text: answer.bytes.toString('latin1') };
}

for (const [keys, origins] of [
  [[], ['*']],
  [['secret'], ['https://example.com']],
] as const) {
  describe(`the fast path and the Koa path, ${keys.length > 0 ? 'with a key and one origin' : 'without a key, for any origin'}`, () => {
    const clock = { now: () => 1_800_000_000_000, every: () => () => undefined };
    let registry: MemoryRegistry;
    let fast: Server;
    let koa: Server;
    let id: string;
    let passedOn: number;

    before(async () => {
      registry = new MemoryRegistry({ lifetime, uniqueAddress: false, clock });
      id = await broadcastTo(registry, aGameServer());
      const context = aContext(registry, keys.length === 0 ? {} : { key: keys }, clock.now);
      const tokens = createServerTokens({ registryName: '', secrets: () => ['secret'] });
      const options = {
        routes: new Routes([
          ...openLists({ ...context, options: context.options.lists, onRendered: () => undefined }).routes,
          ...['/servers', '/servers/{id}'].map((path) =>
            aRoute({ path, endpoint: echo, kind: 'list', input: 'query' }),
          ),
          ...openWrites({
            ...context,
            options: context.options.writes,
            tokens,
            onProbe: () => undefined,
            onImpossibleLatency: () => undefined,
          }).routes,
        ]),
        guard: new Guard({
          ring: new KeyRing(keysOfFlags({ authKeys: keys, adminKeys: [] })),
          registry: '',
          publicRead: false,
        }),
        checkSite: createSiteCheck([]),
        cors: createCors({ reading: origins, writing: [] }),
        maxBodyBytes: 1024,
        longestRetryAfterS: 1,
        logError: () => undefined,
        send: createSend(new AnswersInFlight({ maxWaitingBytes: 1, onCutOff: () => undefined })),
      };
      const handle = createHandle(options);
      const koaPath = createKoaPath({ ...options, handle, logger: silentLogger });
      koa = await listen(listenerOf(koaPath));
      fast = await listen(
        listenerOf(
          createFastPath(options, handle, (exchange) => {
            passedOn += 1;
            koaPath(exchange);
          }),
        ),
      );
    });
    after(async () => {
      fast.close();
      koa.close();
      await registry.close();
    });
    beforeEach(() => {
      passedOn = 0;
    });

    const authorization: Record<string, string> = keys.length > 0 ? { Authorization: 'Bearer secret' } : {};
    const ping = (fields: Record<string, unknown> = {}): string =>
      JSON.stringify(aBroadcast({ server_id: id, ...fields }));

    async function expectSame(asked: Asked, path: 'fast' | 'koa'): ReturnType<typeof answerOf> {
      const [one, two] = [await answerOf(fast, asked), await answerOf(koa, asked)];
      expect(one).to.deep.equal(two);
      expect(passedOn).to.equal(path === 'fast' ? 0 : 1);
      return one;
    }

    it('give the same list, plain, compressed, known already or refused', async () => {
      const plain = await expectSame({ method: 'GET', path: '/', headers: authorization }, 'fast');
      expect(plain.status).to.equal(200);
      const asks: Record<string, string>[] = [
        { 'Accept-Encoding': 'gzip, deflate, br' },
        { 'Accept-Encoding': 'br' },
        { 'Accept-Encoding': 'identity;q=0' },
        { 'If-None-Match': plain.headers.etag! },
        { Origin: 'https://example.com' },
        { Origin: 'https://elsewhere.example' },
      ];
      for (const headers of asks) {
        passedOn = 0;
        await expectSame({ method: 'GET', path: '/', headers: { ...authorization, ...headers } }, 'fast');
      }
    });

    it('give the same answer to a ping, whatever its outcome', async () => {
      const bodies = [
        ping(),
        ping({ players: 9 }),
        ping({ server_ip: '198.51.100.1' }),
        ping({ server_id: 'unknown' }),
        ping({ players: '5', server_port: 0 }),
        `\ufeff${ping()}`,
        '[]',
        '5',
        '{"a":',
        '"\\ud800"',
        ' ',
        '{"__proto__":{"server_id":1}}',
      ];
      for (const body of bodies) {
        passedOn = 0;
        await expectSame({ method: 'POST', path: '/ping', headers: authorization, body }, 'fast');
      }
      const notUtf8 = Buffer.from(ping({ server_name: 'caf\u00e9' }), 'latin1');
      passedOn = 0;
      const answer = await expectSame(
        { method: 'POST', path: '/ping', headers: authorization, body: notUtf8 },
        'fast',
      );
      expect(answer.status).to.equal(400);
    });

    it('give the same answer to a broadcast with a new, used or invalid Idempotency-Key', async () => {
      const body = JSON.stringify(aBroadcast());
      const listed = await expectSame(
        { method: 'POST', path: '/broadcast', headers: { ...authorization, 'Idempotency-Key': 'a' }, body },
        'fast',
      );
      const { server_id: listedId } = JSON.parse(listed.text) as { server_id: string };
      await registry.remove(listedId, '203.0.113.7');
      for (const key of ['a', '"a"', '', 'x'.repeat(256)]) {
        passedOn = 0;
        const headers = { ...authorization, 'Idempotency-Key': key };
        await expectSame({ method: 'POST', path: '/broadcast', headers, body }, 'fast');
      }
    });

    it('give the same answer to a remove and a health check', async () => {
      const body = JSON.stringify({ server_id: id, server_ip: '198.51.100.1' });
      await expectSame({ method: 'POST', path: '/remove', headers: authorization, body }, 'fast');
      await expectSame(
        { method: 'GET', path: '/health', headers: { ...authorization, Origin: 'https://example.com' } },
        'fast',
      );
    });

    it('give the same refusal to a wrong key', async () => {
      const headers = { Authorization: 'Bearer wrong' };
      await expectSame({ method: 'POST', path: '/ping', headers, body: ping() }, 'fast');
      passedOn = 0;
      await expectSame({ method: 'GET', path: '/', headers }, 'fast');
    });

    it('give an endpoint that reads the query the same one, as it stands there', async () => {
      const queries = ['', '?', '?map=de_*', '?a=%2C&a=b,c&%', '?a=?b=/c', '?meta.a=\'"<>{}|^`\\', '?x=%00%'];
      for (const query of queries)
        for (const method of ['GET', 'HEAD']) {
          passedOn = 0;
          const asked = { method, path: `/servers${query}`, headers: authorization };
          const { status, text } = await expectSame(asked, method === 'GET' ? 'fast' : 'koa');
          expect(status).to.equal(200);
          if (method === 'GET')
            expect(JSON.parse(text)).to.deep.equal({ query: query.slice(1), parameter: null, fields: null });
        }
    });

    it('give an endpoint the open part of its path, decoded, and the braces of the table are plain text', async () => {
      const parts = {
        a: 'a',
        '{id}': '{id}',
        '%7Bid%7D': '{id}',
        '%2F': '/',
        'a%20b+c': 'a b+c',
        '%E2%82%AC': '€',
        '..': '..',
        ':id': ':id',
        '*': '*',
      };
      for (const [part, parameter] of Object.entries(parts))
        for (const query of ['', 'q=%2F']) {
          passedOn = 0;
          const path = `/servers/${part}${query && `?${query}`}`;
          const { status, text } = await expectSame({ method: 'GET', path, headers: authorization }, 'fast');
          expect(status).to.equal(200);
          expect(JSON.parse(Buffer.from(text, 'latin1').toString())).to.deep.equal({
            query,
            parameter,
            fields: null,
          });
        }
    });

    it('give the same refusal to an open part with a broken escape, to its methods and its keys', async () => {
      const path = '/servers/x%zz';
      for (const broken of [path, '/servers/%', '/servers/%C3?x=1']) {
        passedOn = 0;
        const asked = { method: 'GET', path: broken, headers: authorization };
        expect((await expectSame(asked, 'fast')).status).to.equal(400);
      }
      passedOn = 0;
      const put = await expectSame({ method: 'PUT', path, headers: authorization }, 'koa');
      expect([put.status, put.headers['allow']]).to.deep.equal([405, 'GET, HEAD, OPTIONS']);
      for (const open of [path, '/servers/{id}', '/servers?x=1']) {
        passedOn = 0;
        const asked = { method: 'GET', path: open, headers: { Authorization: 'Bearer wrong' } };
        expect((await expectSame(asked, 'fast')).status).to.equal(
          open === path && !keys.length ? 400 : keys.length > 0 ? 401 : 200,
        );
      }
    });

    it('let pages of other origins read what has an open part, and its Link, errors included', async () => {
      const headers = { ...authorization, Origin: 'https://example.com' };
      for (const path of ['/servers', '/servers?x=1', '/servers/a', '/servers/{id}', '/servers/%']) {
        passedOn = 0;
        const answer = await expectSame({ method: 'GET', path, headers }, 'fast');
        expect(answer.headers['access-control-allow-origin']).to.equal(origins[0]);
        expect(answer.headers['access-control-expose-headers']).to.include('Link');
        passedOn = 0;
        const asking = { Origin: 'https://example.com', 'Access-Control-Request-Method': 'GET' };
        const preflight = await expectSame({ method: 'OPTIONS', path, headers: asking }, 'koa');
        expect(preflight.headers['access-control-allow-methods']).to.equal('GET, HEAD, OPTIONS');
      }
    });

    it('split the work: every request that is not plain takes the Koa path', async () => {
      const unusual: Asked[] = [
        { method: 'GET', path: `/ping?server_id=${id}` },
        { method: 'GET', path: '/?x=1' },
        { method: 'HEAD', path: '/' },
        { method: 'OPTIONS', path: '/' },
        { method: 'DELETE', path: '/ping' },
        { method: 'GET', path: '/nowhere' },
        { method: 'GET', path: '/ping' },
        { method: 'POST', path: '/ping', body: 'x'.repeat(1025) },
        { method: 'POST', path: '/ping', headers: { 'Content-Encoding': 'gzip' }, body: 'x' },
        {
          method: 'POST',
          path: '/ping',
          headers: { 'Transfer-Encoding': 'chunked', ...authorization },
          body: '',
        },
        { method: 'GET', path: '/constructor' },
        { method: 'GET', path: '/servers/' },
        { method: 'GET', path: '/servers/a/b' },
        { method: 'GET', path: '/servers/a/' },
        { method: 'GET', path: '//servers/a' },
        { method: 'GET', path: '/Servers' },
        { method: 'GET', path: '/%73ervers' },
        { method: 'GET', path: 'http://example.com/servers?x=1' },
        { method: 'GET', path: '/servers?a#b' },
        { method: 'POST', path: '/servers?a=b', body: '{}' },
        { method: 'GET', path: '/servers', body: '{}' },
        { method: 'OPTIONS', path: '/servers/a' },
        { method: 'HEAD', path: '/servers/a?x=1' },
      ];
      for (const asked of unusual) {
        passedOn = 0;
        await expectSame({ ...asked, headers: { ...authorization, ...asked.headers } }, 'koa');
      }
    });
  });
}
