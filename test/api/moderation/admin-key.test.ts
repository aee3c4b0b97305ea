/** The admin key: it opens the routes of the admin and no other, and no other key opens those. */

import { expect } from 'chai';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AnswersInFlight } from '../../../src/api/http/server/answers-in-flight.ts';
import { createKoaPath } from '../../../src/api/http/koa/koa-path.ts';
import { Guard } from '../../../src/api/http/guard.ts';
import { KeyRing, keysOfFlags } from '../../../src/api/http/key-ring.ts';
import { createCors } from '../../../src/api/http/cors.ts';
import { createSiteCheck } from '../../../src/api/http/checks/cross-site.ts';
import { createFastPath, createHandle } from '../../../src/api/http/handle.ts';
import { Routes } from '../../../src/api/http/routes.ts';
import { createSend } from '../../../src/api/http/server/send.ts';
import { aRoute } from '../../support/a-route.ts';
import { ask, expectError } from '../../support/ask.ts';
import { silentLogger } from '../../support/start-test-service.ts';
import { listenerOf } from '../../support/listener-of.ts';

const OPEN = [
  aRoute({ path: '/' }),
  aRoute({ path: '/health' }),
  aRoute({ path: '/metrics', access: 'operate', cors: 'nothing' }),
  ...(['/broadcast', '/ping', '/remove'] as const).map((path) =>
    aRoute({ method: 'POST', path, access: 'announce', input: 'fields', cors: 'writing' }),
  ),
];
const OF_ADMIN = (['GET', 'POST'] as const).map((method) =>
  aRoute({ method, path: '/admin/bans', access: 'moderate', input: 'fields', cors: 'nothing' }),
);

const bodyOf = (call: string) => (call.startsWith('POST') ? { body: {} } : {});

const keyed = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } });

describe('the admin key', () => {
  const servers: Server[] = [];

  /** A service with a route for the admin, on the fast path and on the Koa path alone. */
  async function start(keys: {
    authKeys?: string[];
    adminKeys?: string[];
    publicRead?: boolean;
  }): Promise<{ urls: string[]; ring: KeyRing }> {
    const { authKeys = [], adminKeys = [], publicRead = false } = keys;
    const ring = new KeyRing(keysOfFlags({ authKeys, adminKeys }));
    const options = {
      routes: new Routes(keys.adminKeys === undefined ? OPEN : [...OPEN, ...OF_ADMIN]),
      guard: new Guard({ ring, registry: '', publicRead }),
      checkSite: createSiteCheck([]),
      cors: createCors({ reading: ['*'], writing: [] }),
      maxBodyBytes: 1024,
      longestRetryAfterS: 1,
      logError: () => undefined,
      send: createSend(new AnswersInFlight({ maxWaitingBytes: 1, onCutOff: () => undefined })),
    };
    const handle = createHandle(options);
    const koaPath = createKoaPath({ ...options, handle, logger: silentLogger });
    const urls = [createFastPath(options, handle, koaPath), koaPath].map(async (path) => {
      const server = createServer(listenerOf(path));
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    return { urls: await Promise.all(urls), ring };
  }
  afterEach(() => servers.splice(0).forEach((server) => server.close()));

  it('opens the routes of the admin alone, which no other key opens', async () => {
    const { urls } = await start({ authKeys: ['secret'], adminKeys: ['boss', 'deputy'] });
    for (const url of urls) {
      for (const call of ['GET /admin/bans', 'POST /admin/bans', 'GET /admin/bans?x=1']) {
        for (const key of ['boss', 'deputy'])
          expect((await ask({ url }, call, { ...keyed(key), ...bodyOf(call) })).status).to.equal(200);
        for (const key of ['bos', 'boss1', '']) {
          const refused = await ask({ url }, call, keyed(key));
          expectError(refused, 'unauthorized');
          expect(refused.body.error).to.equal('the admin key is needed in the Authorization header');
        }
        expectError(await ask({ url }, call), 'unauthorized');
        const refused = await ask({ url }, call, keyed('secret'));
        expectError(refused, 'not_allowed');
        expect(refused.body.error).to.match(/with the scope moderate$/);
      }
      for (const call of ['GET /', 'POST /broadcast', 'GET /metrics'])
        expectError(await ask({ url }, call, keyed('boss')), 'not_allowed');
      for (const call of ['GET /nothing', 'GET /admin', 'GET /admin/bans/'])
        expectError(await ask({ url }, call, keyed('boss')), 'not_found');
    }
  });

  it('is needed for every method of such a route, and no page of another origin is told about it', async () => {
    const { urls } = await start({ authKeys: ['secret'], adminKeys: ['boss'] });
    for (const url of urls) {
      for (const method of ['PUT', 'DELETE', 'OPTIONS', 'HEAD'])
        expect((await ask({ url }, `${method} /admin/bans`, keyed('secret'))).status).to.equal(403);
      const preflight = { Origin: 'https://example.com', 'Access-Control-Request-Method': 'POST' };
      const refused = await ask({ url }, 'OPTIONS /admin/bans', { headers: preflight });
      expectError(refused, 'unauthorized');
      expect(refused.headers).to.not.have.property('access-control-allow-origin');
    }
  });

  it('is needed where other requests need no key, or reading is public', async () => {
    for (const keys of [
      { adminKeys: ['boss'] },
      { authKeys: ['secret'], adminKeys: ['boss'], publicRead: true },
    ])
      for (const url of (await start(keys)).urls) {
        expect((await ask({ url }, 'GET /')).status).to.equal(200);
        expectError(await ask({ url }, 'GET /admin/bans'), 'unauthorized');
        expect((await ask({ url }, 'GET /admin/bans', keyed('boss'))).status).to.equal(200);
      }
  });

  it('that is not set leaves the routes of the admin out: there is nothing at their paths', async () => {
    for (const url of (await start({})).urls) expectError(await ask({ url }, 'GET /admin/bans'), 'not_found');
    for (const url of (await start({ authKeys: ['secret'] })).urls) {
      expectError(await ask({ url }, 'GET /admin/bans'), 'unauthorized');
      expectError(await ask({ url }, 'GET /admin/bans', keyed('secret')), 'not_found');
    }
  });

  it('opens nothing while there is none, even if its routes were there', () => {
    const guard = new Guard({ ring: new KeyRing([]), registry: '', publicRead: true });
    for (const authorization of [undefined, '', 'Bearer x'])
      expect(() => guard.check('moderate', authorization)).to.throw('the admin key is needed');
  });

  it('has no place in the hint of a mistaken path', async () => {
    for (const keys of [{}, { adminKeys: ['boss'] }])
      for (const url of (await start(keys)).urls) {
        const { body } = await ask({ url }, 'GET /nothing');
        expect(body.error).to.equal(
          'there is nothing at this path: try /, /health, /metrics, /broadcast, /ping, /remove',
        );
      }
  });

  it('can be replaced while requests come in, as ordinary keys can', async () => {
    const { urls, ring } = await start({ authKeys: ['secret'], adminKeys: ['boss'] });
    ring.replace(keysOfFlags({ authKeys: ['new'], adminKeys: ['chief'] }));
    for (const url of urls) {
      const statusOf = async (call: string, key: string) => (await ask({ url }, call, keyed(key))).status;
      expect([await statusOf('GET /', 'secret'), await statusOf('GET /', 'new')]).to.deep.equal([401, 200]);
      expect([
        await statusOf('GET /admin/bans', 'boss'),
        await statusOf('GET /admin/bans', 'chief'),
      ]).to.deep.equal([401, 200]);
    }
  });
});
