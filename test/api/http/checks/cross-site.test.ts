/** What a web page of another site can have a browser send: it changes nothing, unless its origin is let. */

import { expect } from 'chai';
import type { OutgoingHttpHeaders } from 'node:http';
import { ask, expectError, type TestAnswer } from '../../../support/ask.ts';
import { aBroadcast } from '../../../support/builders.ts';
import { useService } from '../../../support/use-service.ts';

const OTHER = 'https://evil.example';
const GAME = 'https://game.example';
const OWN_HOST = 'list.example:8443';
const BASIC = `Basic ${Buffer.from('any:key').toString('base64')}`;
const BASIC_BOSS = `Basic ${Buffer.from('any:boss').toString('base64')}`;

/** What browsers say of where a request comes from, and whether it is another site. */
const FOREIGN: Readonly<Record<string, OutgoingHttpHeaders>> = {
  'from another site': { 'Sec-Fetch-Site': 'cross-site', Origin: OTHER },
  'from another site, as an image': { 'Sec-Fetch-Site': 'cross-site' },
  'from another host of the same site': { 'Sec-Fetch-Site': 'same-site', Origin: 'https://list.example' },
  'from a place that no browser names yet': { 'Sec-Fetch-Site': 'far-site' },
  'from another origin': { Origin: OTHER },
  'from another port': { Origin: 'https://list.example' },
  'from a page without an origin': { Origin: 'null' },
  'with an Origin that is none': { Origin: `${OTHER}, ${GAME}` },
  'behind a proxy that nobody trusts': { Origin: OTHER, 'X-Forwarded-Host': 'evil.example' },
};
const OWN: Readonly<Record<string, OutgoingHttpHeaders>> = {
  'from a program': {},
  'from its own page': { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://other.example' },
  'typed by a person': { 'Sec-Fetch-Site': 'none' },
  'from its own origin': { Origin: `https://${OWN_HOST}` },
  'from its own origin, with the usual port': { Origin: 'https://list.example', Host: 'list.example:443' },
};

const fields = (server_id?: string): Record<string, unknown> =>
  aBroadcast({ ...(server_id && { server_id }) });

function queryOf(all: Readonly<Record<string, unknown>>): string {
  return Object.entries(all)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
}

const challengesOf = ({ rawHeaders }: TestAnswer): readonly string[] =>
  rawHeaders.filter((_, at) => rawHeaders[at - 1] === 'WWW-Authenticate');

/** Every write, as a plain request and as one that takes the other path. */
const writes = (
  id: string,
): readonly (readonly [call: string, body?: object | undefined, more?: OutgoingHttpHeaders])[] => [
  ['POST /broadcast', fields()],
  ['POST /broadcast', fields(), { 'Transfer-Encoding': 'chunked' }],
  ['POST /ping', fields(id)],
  [`GET /ping?${queryOf(fields(id))}`],
  ['POST /remove', fields(id)],
  ['POST /remove', fields(id), { 'Transfer-Encoding': 'chunked' }],
  ['POST /admin/bans', { address: '198.51.100.0/24', reason: 'spam' }, { Authorization: BASIC_BOSS }],
  ['DELETE /admin/bans/none', undefined, { Authorization: BASIC_BOSS }],
  [`DELETE /admin/servers/${id}`, undefined, { Authorization: BASIC_BOSS }],
];

describe('a page of another site', () => {
  const service = useService({ GSLS_ADMIN_KEY: 'boss' });
  const send = (call: string, headers: OutgoingHttpHeaders, body?: object): Promise<TestAnswer> =>
    ask(service, call, { headers: { Host: OWN_HOST, ...headers }, ...(body && { body }) });

  for (const [what, headers] of Object.entries(FOREIGN))
    it(`changes nothing: a write ${what} is refused`, async () => {
      const id = await service.broadcast();
      const list = (await ask(service, 'GET /')).text;
      for (const [call, body, more] of writes(id))
        expectError(await send(call, { ...more, ...headers }, body), 'cross_site');
      expect((await ask(service, 'GET /')).text).to.equal(list);
      const bans = await send('GET /admin/bans', { Authorization: BASIC_BOSS });
      expect(bans.body.count).to.equal(0);
    });

  for (const [what, headers] of Object.entries(OWN))
    it(`is not what sends a write ${what}`, async () => {
      const id = await service.broadcast();
      expect((await send('POST /broadcast', headers, fields())).status).to.equal(200);
      expect((await send('POST /ping', headers, fields(id))).status).to.equal(200);
      expect((await send(`GET /ping?${queryOf(fields(id))}`, headers)).status).to.equal(200);
      expect((await send('POST /remove', headers, fields(id))).status).to.equal(200);
    });

  it('may read what everyone may', async () => {
    for (const headers of Object.values(FOREIGN))
      for (const path of ['/', '/servers', '/changes', '/health', '/browse'])
        expect((await send(`GET ${path}`, headers)).status).to.equal(200);
  });

  it('needs the key as everyone, and is told of a wrong method as everyone', async () => {
    const headers = FOREIGN['from another site']!;
    expectError(await send('POST /admin/bans', headers, {}), 'unauthorized');
    expectError(await send('PUT /broadcast', headers, {}), 'method_not_allowed');
    expectError(await send('POST /nothing', headers, {}), 'not_found');
  });
});

describe('a page of the own site, behind a proxy that changes the Host', () => {
  const service = useService({ GSLS_TRUST_PROXY: 'loopback', GSLS_CLIENT_ADDRESS_HEADER: 'X-Real-IP' });
  const send = (headers: OutgoingHttpHeaders): Promise<TestAnswer> =>
    ask(service, 'POST /broadcast', {
      body: fields(),
      headers: { Origin: `https://${OWN_HOST}`, 'X-Real-IP': '192.0.2.1', ...headers },
    });

  it('may write where the trusted proxy names the host', async () => {
    for (const headers of [
      { 'X-Forwarded-Host': OWN_HOST },
      { 'X-Forwarded-Host': `inner.example, ${OWN_HOST}` },
      { Forwarded: `for=192.0.2.1;host="${OWN_HOST}";proto=https` },
      { Forwarded: `for=192.0.2.9, for=192.0.2.1; Host="${OWN_HOST}"` },
    ])
      expect((await send(headers)).status).to.equal(200);
  });

  it('may not where it names none, or another one', async () => {
    for (const headers of [
      {},
      { 'X-Forwarded-Host': 'inner.example' },
      { Forwarded: 'for=192.0.2.1;host=a' },
    ])
      expectError(await send(headers), 'cross_site');
  });
});

for (const [what, origins] of Object.entries({
  'its origin': `https://a.example,${GAME}`,
  'any origin': '*',
}))
  describe(`a game in a browser, where --cors-write-origin lets ${what}`, () => {
    const service = useService({ GSLS_CORS_WRITE_ORIGIN: origins, GSLS_ADMIN_KEY: 'boss' });
    const from = { Origin: GAME, 'Sec-Fetch-Site': 'cross-site' };

    it('gets its preflight, writes, and reads its token', async () => {
      for (const path of ['/broadcast', '/ping', '/remove']) {
        const { status, headers } = await ask(service, `OPTIONS ${path}`, {
          headers: { Origin: GAME, 'Access-Control-Request-Method': 'POST' },
        });
        expect(status).to.equal(204);
        expect(headers['access-control-allow-origin']).to.equal(origins === '*' ? '*' : GAME);
        expect(headers['access-control-allow-methods']).to.include('POST');
        expect(headers['access-control-allow-headers']).to.equal(
          'Authorization, Content-Type, Idempotency-Key, Server-Token',
        );
      }
      const { status, headers, body } = await ask(service, 'POST /broadcast', {
        body: fields(),
        headers: from,
      });
      expect(status).to.equal(200);
      const exposed = String(headers['access-control-expose-headers']);
      expect(exposed).to.include('Server-Token').and.include('Server-Ping-Interval');
      const pinged = await ask(service, 'POST /ping', { body: fields(body.server_id), headers: from });
      expect([pinged.status, pinged.headers['access-control-allow-credentials']]).to.deep.equal([
        200,
        undefined,
      ]);
      const wrong = await ask(service, 'POST /ping', { body: {}, headers: from });
      expect(wrong.headers).to.have.property('access-control-allow-origin');
    });

    it('may not moderate', async () => {
      const headers = { ...from, Authorization: BASIC_BOSS };
      expectError(await ask(service, 'POST /admin/bans', { body: {}, headers }), 'cross_site');
      const preflight = { Origin: GAME, 'Access-Control-Request-Method': 'POST' };
      expect(
        (await ask(service, 'OPTIONS /admin/bans', { headers: preflight })).headers,
      ).to.not.have.property('access-control-allow-origin');
    });

    it(`lets ${origins === '*' ? 'every other page too' : 'no other page'}`, async () => {
      for (const headers of [
        { Origin: OTHER, 'Sec-Fetch-Site': 'cross-site' },
        { Origin: `${GAME}.evil.example` },
        { Origin: 'null' },
        { 'Sec-Fetch-Site': 'cross-site' },
      ]) {
        const answer = await ask(service, 'POST /broadcast', { body: fields(), headers });
        if (origins === '*') expect(answer.status).to.equal(200);
        else {
          expectError(answer, 'cross_site');
          expect(answer.headers).to.not.have.property('access-control-allow-origin');
        }
      }
    });
  });

describe('the key that a browser keeps', () => {
  const service = useService({ GSLS_KEY: 'key', GSLS_ADMIN_KEY: 'boss' });

  it('is not taken by GET /ping, and not asked for there', async () => {
    const { body } = await ask(service, 'POST /broadcast', {
      body: fields(),
      headers: { Authorization: BASIC },
    });
    const call = `GET /ping?${queryOf(fields(body.server_id))}`;
    for (const headers of [{}, { Authorization: BASIC }]) {
      const refused = await ask(service, call, { headers });
      expectError(refused, 'unauthorized');
      expect(challengesOf(refused)).to.deep.equal(['Bearer realm="gsls"']);
    }
    for (const Authorization of ['Bearer key', 'key'])
      expect((await ask(service, call, { headers: { Authorization } })).status).to.equal(200);
    const posted = { body: fields(body.server_id), headers: { Authorization: BASIC } };
    expect((await ask(service, 'POST /ping', posted)).status).to.equal(200);
  });

  it('is not that of moderators: each has a realm of its own', async () => {
    expect(challengesOf(await ask(service, 'GET /servers'))).to.deep.equal([
      'Bearer realm="gsls"',
      'Basic realm="gsls", charset="UTF-8"',
    ]);
    expect(challengesOf(await ask(service, 'GET /admin/bans'))).to.deep.equal([
      'Bearer realm="gsls admin"',
      'Basic realm="gsls admin", charset="UTF-8"',
    ]);
  });

  it('is not asked for by the icon that browsers look for', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await ask(service, `${method} /favicon.ico`);
      expect([status, headers['www-authenticate']]).to.deep.equal([404, undefined]);
    }
    expectError(await ask(service, 'GET /favicon.ico/x'), 'unauthorized');
  });
});
