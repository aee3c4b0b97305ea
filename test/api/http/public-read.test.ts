/** A public list with private writing: with --public-read the list and the health need no key, and all else does. */

import { expect } from 'chai';
import { ask, expectError } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { useService } from '../../support/use-service.ts';

const KEY = { Authorization: 'Bearer secret' };

describe('with --public-read', () => {
  const service = useService({
    GSLS_KEY: 'secret',
    GSLS_ADMIN_KEY: 'boss',
    GSLS_PUBLIC_READ: 'true',
    GSLS_ALLOW_UNLISTED: 'true',
  });
  before(async () => {
    const { status } = await ask(service, 'POST /broadcast', { headers: KEY, body: aBroadcast() });
    expect(status).to.equal(200);
  });

  for (const call of ['GET /', 'HEAD /', 'GET /?x=1', 'GET /health', 'HEAD /health', 'GET /health?x=1'])
    it(`${call} needs no key, and is the same with any key`, async () => {
      const anonymous = await ask(service, call);
      expect(anonymous.status).to.equal(200);
      for (const authorization of ['Bearer secret', 'Bearer wrong', 'Basic %%%', '', 'boss']) {
        const { status, headers, text } = await ask(service, call, {
          headers: { Authorization: authorization },
        });
        // The health tells the time.
        const body = call.includes('health') ? '' : text;
        expect([status, headers.etag, headers.vary, body]).to.deep.equal([
          200,
          anonymous.headers.etag,
          anonymous.headers.vary,
          call.includes('health') ? '' : anonymous.text,
        ]);
      }
    });

  it('queries need no key, on any reading path, and nothing but reading does', async () => {
    const reading: readonly (readonly [path: string, status: number])[] = [
      ['/servers', 200],
      ['/servers/nothing', 404],
      ['/servers/nothing/history', 404],
      ['/join/nothing', 404],
      ['/stats', 200],
      ['/changes', 200],
      ['/history', 200],
    ];
    for (const [path, status] of reading) {
      for (const headers of [{}, { Authorization: 'Bearer wrong' }])
        expect((await ask(service, `HEAD ${path}`, { headers })).status, path).to.equal(status);
      for (const method of ['POST', 'PUT', 'DELETE'])
        expectError(await ask(service, `${method} ${path}`, { body: '' }), 'unauthorized');
    }
  });

  it('the doctor needs no key', async () => {
    const { status } = await ask(service, 'POST /doctor', { body: { server_port: 7777 } });
    expect(status).to.equal(200);
    expectError(await ask(service, 'GET /doctor'), 'unauthorized');
  });

  it('everything else needs a key, for every method', async () => {
    for (const path of [
      '/metrics',
      '/broadcast',
      '/ping',
      '/remove',
      '/nothing',
      '//',
      '/Health',
      '/health/',
    ])
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
        for (const headers of [{}, { Authorization: 'Bearer wrong' }]) {
          const { status } = await ask(service, `${method} ${path}`, { headers, body: '' });
          expect(status, `${method} ${path}`).to.equal(401);
        }
    for (const call of ['GET /metrics', 'POST /broadcast', 'POST /ping', 'GET /ping', 'POST /remove']) {
      const headers = { Authorization: 'Bearer boss' };
      expectError(await ask(service, call, { headers, body: '' }), 'not_allowed');
    }
    for (const path of ['/', '/health'])
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
        expectError(await ask(service, `${method} ${path}`, { body: '' }), 'unauthorized');
  });

  it('writing works with the key alone', async () => {
    const body = aBroadcast({ server_name: 'other' });
    expectError(await ask(service, 'POST /broadcast', { body }), 'unauthorized');
    const query = new URLSearchParams(
      Object.entries(body).map(([k, v]) => [k, String(v)] as [string, string]),
    );
    const ping = `GET /ping?${query.toString()}`;
    expectError(await ask(service, ping), 'unauthorized');
    expectError(await ask(service, ping, { headers: KEY }), 'invalid_request');
    expect((await ask(service, 'GET /')).body.count).to.equal(1);
  });

  it('shared caches may keep the list, and answer from it for any client', async () => {
    const { headers } = await ask(service, 'GET /');
    expect(headers['cache-control']).to.equal('no-cache');
    expect(headers.vary).to.equal('Accept-Encoding');
    const conditional = { 'If-None-Match': headers.etag };
    expect((await ask(service, 'GET /', { headers: conditional })).status).to.equal(304);
  });

  it('pages of other origins may read the list, and ask in advance, as with a key', async () => {
    const origin = { Origin: 'https://example.com' };
    const list = await ask(service, 'GET /', { headers: origin });
    expect([list.status, list.headers['access-control-allow-origin']]).to.deep.equal([200, '*']);
    const preflight = { ...origin, 'Access-Control-Request-Method': 'GET' };
    expect((await ask(service, 'OPTIONS /', { headers: preflight })).status).to.equal(204);
  });
});

async function cacheControlOf(service: { readonly url: string }, path = '/'): Promise<readonly unknown[]> {
  const { headers } = await ask(service, `GET ${path}`, { headers: KEY });
  return [headers['cache-control'], headers['cdn-cache-control']];
}

describe('the Cache-Control of the list', () => {
  const privately = useService({ GSLS_KEY: 'secret', GSLS_LIST_MAX_AGE: '5000' });
  const publicly = useService({ GSLS_KEY: 'secret', GSLS_LIST_MAX_AGE: '5000', GSLS_PUBLIC_READ: 'on' });

  it('is private where readers need a key, and public where they do not', async () => {
    const { body } = await ask(publicly, 'POST /broadcast', { body: aBroadcast(), headers: KEY });
    const paths = [
      '',
      'servers',
      `servers/${body.server_id!}`,
      `servers/${body.server_id!}/badge.svg`,
      'stats',
    ];
    for (const path of [...paths, 'history']) {
      const forShared = 'max-age=5, stale-while-revalidate=5, stale-if-error=3600';
      expect(await cacheControlOf(publicly, `/${path}`)).to.deep.equal(['public, max-age=5', forShared]);
      if (!path.includes('/'))
        expect(await cacheControlOf(privately, `/${path}`)).to.deep.equal(['private, max-age=5', undefined]);
    }
  });

  it('is no-store for the health and for changes, which are never cached', async () => {
    for (const path of ['/health', '/changes'])
      expect(await cacheControlOf(publicly, path)).to.deep.equal(['no-store', undefined]);
  });
});
