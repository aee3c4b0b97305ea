/** Pages of other origins may read the list and the health, and nothing else. */

import { expect } from 'chai';
import { ask } from '../../support/ask.ts';
import { useService } from '../../support/use-service.ts';

const HERE = 'https://example.com';
const ELSEWHERE = 'https://elsewhere.example';
const ALLOW = 'access-control-allow-origin';

type Asked = { readonly url: string };

const from = async (service: Asked, call: string, origin: string, headers = {}) =>
  (await ask(service, call, { headers: { Origin: origin, ...headers } })).headers;

const preflight = (service: Asked, path: string, origin = HERE, method = 'GET') =>
  ask(service, `OPTIONS ${path}`, { headers: { Origin: origin, 'Access-Control-Request-Method': method } });

describe('CORS for any origin', () => {
  const service = useService();

  it('lets every page read the list and the health', async () => {
    for (const call of ['GET /', 'HEAD /', 'GET /health']) {
      const headers = await from(service, call, HERE);
      expect(headers[ALLOW]).to.equal('*');
      expect(headers['access-control-expose-headers']).to.match(/Retry-After/);
      expect(headers).to.not.have.property('access-control-allow-credentials');
    }
  });

  it('sends its headers without an Origin too, because a cache may reuse the answer', async () => {
    expect((await ask(service, 'GET /health')).headers[ALLOW]).to.equal('*');
  });

  it('lets no page write', async () => {
    for (const path of ['/broadcast', '/ping', '/remove', '/nothing']) {
      expect(await from(service, `POST ${path}`, HERE)).to.not.have.property(ALLOW);
      expect((await preflight(service, path, HERE, 'POST')).headers).to.not.have.property(ALLOW);
    }
  });

  it('answers a preflight with headers only, valid for a day', async () => {
    for (const path of ['/', '/health']) {
      const { status, headers, text } = await preflight(service, path);
      expect([status, text]).to.deep.equal([204, '']);
      expect(headers).to.include({
        [ALLOW]: '*',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-allow-headers': 'Authorization, If-None-Match, Last-Event-ID',
        'access-control-max-age': '86400',
      });
    }
  });

  it('does not treat every OPTIONS as a preflight', async () => {
    const { status, headers } = await ask(service, 'OPTIONS /', { headers: { Origin: HERE } });
    expect(status).to.equal(204);
    expect(headers).to.not.have.property('access-control-max-age');
    expect(headers['allow']).to.equal('GET, HEAD, OPTIONS');
  });

  it('lets a page read an error', async () => {
    expect((await from(service, 'DELETE /', HERE))[ALLOW]).to.equal('*');
  });
});

for (const [what, origins] of Object.entries({
  'one origin': HERE,
  'several origins': `https://first.example,${HERE}`,
})) {
  describe(`CORS for ${what}`, () => {
    const service = useService({ GSLS_CORS_ORIGIN: origins });

    it('names the origin to its own pages, and nothing to other pages', async () => {
      expect((await from(service, 'GET /health', HERE))[ALLOW]).to.equal(HERE);
      for (const other of [
        ELSEWHERE,
        'null',
        `${HERE}.evil.example`,
        `${HERE}:8080`,
        'http://example.com',
        '',
      ])
        expect(await from(service, 'GET /health', other)).to.not.have.property(ALLOW);
    });

    it('sends Vary: Origin for every origin', async () => {
      for (const origin of [HERE, ELSEWHERE])
        expect((await from(service, 'GET /health', origin))['vary']).to.match(/\bOrigin\b/);
      expect((await ask(service, 'GET /health')).headers['vary']).to.match(/\bOrigin\b/);
    });

    it('answers only the preflights of its own pages', async () => {
      expect((await preflight(service, '/health')).headers).to.include({
        [ALLOW]: HERE,
        'access-control-max-age': '86400',
      });
      const { headers } = await preflight(service, '/health', ELSEWHERE);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
    });
  });
}

describe('CORS for no origin', () => {
  const service = useService({ GSLS_CORS_ORIGIN: 'none' });

  it('sends no CORS headers at all', async () => {
    const answers = [await from(service, 'GET /health', HERE), (await preflight(service, '/health')).headers];
    for (const headers of answers) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
      expect(headers).to.not.have.property('vary');
    }
  });
});
