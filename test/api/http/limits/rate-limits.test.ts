/** Rate limits over HTTP, on both paths, by a clock that the test moves. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Client } from '../../../../src/api/http/client.ts';
import { limitRates, type RateLimits } from '../../../../src/api/http/limits/rate-limits.ts';
import type { RequestKind } from '../../../../src/api/http/route.ts';
import type { IpAddress } from '../../../../src/model/net/ip.ts';
import { createLifetime } from '../../../../src/registry/lifetime.ts';
import { MemoryRegistry } from '../../../../src/registry/memory/memory-registry.ts';
import { RateWindows } from '../../../../src/api/http/limits/rate-windows.ts';
import { createListener } from '../../../support/create-listener.ts';
import { ask, expectError, type AskOptions, type TestAnswer } from '../../../support/ask.ts';
import { aBroadcast, anEndpointRequest } from '../../../support/builders.ts';
import { aRoute } from '../../../support/a-route.ts';
import { listen } from '../../../support/listen.ts';
import { silentLogger } from '../../../support/start-test-service.ts';
import { configOf } from '../../../service/config/config-of.ts';

const LIMITS = { broadcast: 2, ping: 5, remove: 1, list: 3, join: 1, doctor: 1, report: 1 };
const WINDOW_S = 60;

/** The same request on the fast path, and on the Koa path. */
const PATHS = { 'the fast path': '', 'the Koa path': '?koa' };

for (const [path, query] of Object.entries(PATHS))
  describe(`a rate limit on ${path}`, () => {
    let now: number;
    let server: Server;
    let registry: MemoryRegistry;

    function limitsOf(kinds: readonly RequestKind[]): RateLimits {
      return Object.fromEntries(
        kinds.map((kind) => {
          const windows = new RateWindows(WINDOW_S * 1000, () => now);
          const count = (client: string): ReturnType<RateWindows['count']> => windows.count(client);
          return [kind, { requests: LIMITS[kind], windowS: WINDOW_S, count }];
        }),
      );
    }

    async function start(kinds: readonly RequestKind[], key: readonly string[] = []): Promise<void> {
      now = 0;
      const lifetime = createLifetime(60_000);
      registry = new MemoryRegistry({ lifetime, uniqueAddress: false });
      const config = configOf({ flags: key.length === 0 ? {} : { key } });
      const options = { config, registry, lifetime, logger: silentLogger, rateLimits: limitsOf(kinds) };
      server = createServer(createListener(options));
      await listen(server, '127.0.0.1', 0);
    }
    afterEach(async () => {
      server.close();
      await registry.close();
    });

    function send(call: string, options?: AskOptions): Promise<TestAnswer> {
      const { port } = server.address() as AddressInfo;
      return ask({ host: '127.0.0.1', port }, call + query, options);
    }
    const broadcast = (): Promise<TestAnswer> => send('POST /broadcast', { body: aBroadcast() });

    it('refuses what is too much, with the time after which it passes', async () => {
      await start(['broadcast']);
      expect((await broadcast()).status).to.equal(200);
      now += 17_500;
      expect((await broadcast()).status).to.equal(200);
      const refused = await broadcast();
      expectError(refused, 'rate_limited');
      expect(refused.body.error).to.include('wait 43 s');
      expect(refused.headers).to.include({
        'retry-after': '43',
        ratelimit: '"broadcast";r=0;t=43',
        'ratelimit-policy': '"broadcast";q=2;w=60',
      });
      now += 42_499;
      expectError(await broadcast(), 'rate_limited');
      now += 501;
      expect((await broadcast()).status).to.equal(200);
    });

    it('lets a refused request change nothing', async () => {
      await start(['broadcast']);
      for (let n = 0; n < 5; n += 1) await broadcast();
      expect((await send('GET /')).body.count).to.equal(2);
    });

    it('tells in each answer how many requests are left, and until when', async () => {
      await start(['list', 'ping']);
      expect((await send('GET /')).headers).to.include({
        ratelimit: '"list";r=2;t=60',
        'ratelimit-policy': '"list";q=3;w=60',
      });
      now += 1000;
      const head = await send('HEAD /');
      expect(head.headers['ratelimit']).to.equal('"list";r=1;t=59');
      const unknown = await send('POST /ping', { body: aBroadcast({ server_id: 'unknown' }) });
      expectError(unknown, 'unknown_server');
      expect(unknown.headers['ratelimit']).to.equal('"ping";r=4;t=60');
      const invalid = await send('POST /ping', { body: {} });
      expectError(invalid, 'invalid_request');
      expect(invalid.body.details).to.have.length(7);
      expect(invalid.headers['ratelimit']).to.equal('"ping";r=3;t=60');
    });

    it('counts the kinds apart: a client over the limit of lists can broadcast, ping and remove', async () => {
      await start(['list', 'ping', 'remove', 'broadcast']);
      for (let n = 0; n < 3; n += 1) await send('GET /');
      expectError(await send('GET /'), 'rate_limited');
      const { server_id: id } = (await broadcast()).body;
      const body = aBroadcast({ server_id: id });
      for (let n = 0; n < 5; n += 1) expect((await send('POST /ping', { body })).status).to.equal(200);
      expectError(await send('POST /ping', { body }), 'rate_limited');
      expect((await send('POST /remove', { body })).status).to.equal(200);
      expectError(await send('POST /remove', { body }), 'rate_limited');
    });

    it('leaves all other requests alone', async () => {
      await start(['list']);
      for (let n = 0; n < 10; n += 1) {
        for (const call of ['GET /health', 'GET /metrics', 'OPTIONS /']) {
          const { status, headers } = await send(call);
          expect(status).to.be.below(300);
          expect(headers).to.not.have.any.keys('ratelimit', 'ratelimit-policy');
        }
        const { status, headers } = await broadcast();
        expect(status).to.equal(200);
        expect(headers).to.not.have.any.keys('ratelimit', 'ratelimit-policy');
      }
    });

    it('counts no request without the key: a stranger uses nothing of what its neighbours may send', async () => {
      await start(['list'], ['secret']);
      for (let n = 0; n < 10; n += 1) expectError(await send('GET /'), 'unauthorized');
      const { status, headers } = await send('GET /', { headers: { Authorization: 'Bearer secret' } });
      expect(status).to.equal(200);
      expect(headers['ratelimit']).to.equal('"list";r=2;t=60');
    });
  });

describe('the client of a rate limit', () => {
  const doubted: string[] = [];
  async function clientsCountedFor(...clients: readonly (IpAddress | Client)[]): Promise<string[]> {
    const counted: string[] = [];
    const count = (client: string): { requests: number; endsInMs: number } => {
      counted.push(client);
      return { requests: 1, endsInMs: 1 };
    };
    const limits = { list: { requests: 1, windowS: 1, count } };
    const [limited] = limitRates([aRoute({ path: '/', kind: 'list' })], limits, {
      onDoubt: () => doubted.push('a client'),
    });
    for (const each of clients) {
      const client = typeof each === 'string' ? { address: each } : each;
      await limited!.endpoint(anEndpointRequest({ client }));
    }
    return counted;
  }

  it('is an IPv4 address', async () => {
    expect(await clientsCountedFor('203.0.113.7', '203.0.113.8')).to.deep.equal([
      '203.0.113.7',
      '203.0.113.8',
    ]);
  });

  it('is the /64 network of an IPv6 address', async () => {
    const counted = await clientsCountedFor('2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1');
    expect(counted[0]).to.equal(counted[1]);
    expect(counted[2]).to.not.equal(counted[0]);
  });

  it('has one count for the list and all its readers, and none where lists are not limited', async () => {
    let requests = 0;
    const count = (): { requests: number; endsInMs: number } => ({ requests: (requests += 1), endsInMs: 1 });
    const routes = ['/', '/servers', '/servers/{id}'].map((path) => aRoute({ path, kind: 'list' }));
    const asked = anEndpointRequest();
    const limited = limitRates(routes, { list: { requests: 2, windowS: 1, count } });
    await limited[0]!.endpoint(asked);
    await limited[1]!.endpoint(asked);
    const refused = await limited[2]!.endpoint(asked).catch((error: { code: string }) => error.code);
    expect([refused, requests]).to.deep.equal(['rate_limited', 3]);
    const limit = { requests: 1, windowS: 1, count };
    await limitRates(routes, { ping: limit, broadcast: limit })[1]!.endpoint(asked);
    expect(requests).to.equal(3);
  });

  it('is doubted, and warned of, where its address may be that of a proxy', async () => {
    await clientsCountedFor('203.0.113.7');
    expect(doubted).to.deep.equal([]);
    await clientsCountedFor({ address: '203.0.113.7', doubt: 'untrusted_proxy' });
    expect(doubted).to.have.length(1);
  });
});
