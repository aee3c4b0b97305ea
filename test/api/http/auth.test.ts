/** Authentication: with keys configured every request needs one, otherwise none does. */

import { expect } from 'chai';
import { createConfig } from '../../../src/service/config/config.ts';
import { soleDeployment } from '../../../src/service/deployment/deployment.ts';
import { startService, type Service } from '../../../src/service/service.ts';
import { ask, expectError, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { PATIENT } from '../../support/patient.ts';
import { silentLogger, thisProcess } from '../../support/start-test-service.ts';
import { useService } from '../../support/use-service.ts';

const KEYS = [
  'secret',
  'with space',
  'pa:ss:word',
  'k\u00e9y \u{1F511} \u4e2d',
  'Bearer token',
  'Basic',
  'x'.repeat(4000),
  '!"#$%&\'()*+,-./;<=>?@[\\]^_`{|}~',
];

/** As bytes on the wire: Node writes headers as latin1. */
const utf8 = (text: string) => Buffer.from(text).toString('latin1');
const base64 = (text: string) => Buffer.from(text).toString('base64');

const FORMS = {
  'as Bearer': (key: string) => `Bearer ${utf8(key)}`,
  'as bearer in small letters': (key: string) => `bearer ${utf8(key)}`,
  bare: (key: string) => utf8(key),
  'as the password of Basic': (key: string) => `Basic ${base64(`user:${key}`)}`,
  'as the password of Basic without a user': (key: string) => `Basic ${base64(`:${key}`)}`,
};

const WRONG = {
  'an empty value': '',
  'a scheme alone': 'Bearer',
  'a scheme and spaces': 'Bearer   ',
  'an empty password': `Basic ${base64('secret:')}`,
  'the key as the user': `Basic ${base64('secret:x')}`,
  'another key': 'Bearer other',
  'the beginning of a key': 'Bearer secre',
  'a key and more': 'Bearer secret1',
  'a key in other letters': 'Bearer SECRET',
  'two keys': 'Bearer secret, Bearer secret',
  'a key under an unknown scheme': 'Digest secret',
  'Basic that is no base64': 'Basic \u00ff\u00fe%%%',
  'a very long key': `Bearer ${'y'.repeat(7000)}`,
  'a key in another encoding': 'Bearer k\u00e9y',
};

function expectUnauthorized(answer: TestAnswer, { takesBasic = true } = {}): void {
  expectError(answer, 'unauthorized');
  const challenges = answer.rawHeaders.filter((_, i) => answer.rawHeaders[i - 1] === 'WWW-Authenticate');
  const basic = takesBasic ? ['Basic realm="gsls", charset="UTF-8"'] : [];
  expect(challenges).to.deep.equal(['Bearer realm="gsls"', ...basic]);
}

describe('authentication with keys', () => {
  let service: Service;
  const get = (authorization?: string) =>
    ask(service, 'GET /', authorization === undefined ? {} : { headers: { Authorization: authorization } });
  before(async () => {
    const config = createConfig({
      flags: { port: ['0'], host: ['127.0.0.1'], key: KEYS },
      environment: {},
      readFile: () => '',
    });
    service = await startService({
      deployment: soleDeployment(config),
      logger: silentLogger,
      processes: thisProcess,
      deadlines: PATIENT,
    });
  });
  after(() => service.close());

  for (const [form, authorizationOf] of Object.entries(FORMS))
    it(`accepts each of several keys, ${form}`, async () => {
      for (const key of KEYS) expect((await get(authorizationOf(key))).status, key).to.equal(200);
    });

  it('gives 401 to a request without the header', async () => expectUnauthorized(await get()));

  for (const [what, authorization] of Object.entries(WRONG))
    it(`gives 401 to ${what}`, async () => expectUnauthorized(await get(authorization)));

  it('requires the key for every path and method, known or unknown', async () => {
    for (const path of [
      '/',
      '/health',
      '/broadcast',
      '/ping',
      '/remove',
      '/nothing',
      '//',
      '/%00',
      '/ping?x=1',
      '*',
    ])
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])
        expectUnauthorized(await ask(service, `${method} ${path}`, { body: '' }), {
          // Any page can have a browser send it, with the key that the browser keeps.
          takesBasic: !`${method} ${path}`.startsWith('GET /ping'),
        });
    const head = await ask(service, 'HEAD /');
    expect([head.status, head.text]).to.deep.equal([401, '']);
  });

  it('keeps an unauthorized request from changing anything', async () => {
    const headers = { Authorization: 'Bearer secret' };
    const { body } = await ask(service, 'POST /broadcast', { body: aBroadcast(), headers });
    const id = body.server_id!;
    expectUnauthorized(await ask(service, 'POST /broadcast', { body: aBroadcast() }));
    expectUnauthorized(await ask(service, 'POST /ping', { body: aBroadcast({ server_id: id, players: 9 }) }));
    expectUnauthorized(
      await ask(service, 'POST /remove', { body: { server_id: id, server_ip: '203.0.113.7' } }),
    );
    const list = await ask(service, 'GET /', { headers });
    expect(list.body.servers?.map((each) => [each.id, each.players])).to.deep.equal([[id, 3]]);
  });

  it('checks the key before the request', async () => {
    const answer = await ask(service, 'POST /broadcast', { body: 'x'.repeat(20_000) });
    expectUnauthorized(answer);
  });

  it('does not repeat the key of the client in the 401', async () => {
    const { text, rawHeaders } = await get('Bearer my-other-password');
    expect(text + rawHeaders.join('\n')).to.not.include('my-other-password');
  });

  it('gives a preflight, which cannot carry a key, headers and nothing else', async () => {
    const headers = { Origin: 'https://example.com', 'Access-Control-Request-Method': 'GET' };
    const preflight = await ask(service, 'OPTIONS /', { headers });
    expect([preflight.status, preflight.text]).to.deep.equal([204, '']);
    expect(preflight.headers['access-control-allow-headers']).to.match(/Authorization/);
    for (const call of ['GET /', 'POST /', 'OPTIONS /broadcast', 'OPTIONS /nothing'])
      expectUnauthorized(await ask(service, call, { headers }));
  });

  it('lets a page of an allowed origin read the 401', async () => {
    const { headers } = await ask(service, 'GET /', { headers: { Origin: 'https://example.com' } });
    expect(headers['access-control-allow-origin']).to.equal('*');
  });
});

describe('authentication without keys', () => {
  const service = useService();

  it('accepts every request, whatever its Authorization header', async () => {
    for (const authorization of ['', 'Bearer x', 'Basic %%%', 'nonsense']) {
      const answer = await ask(service, 'GET /', { headers: { Authorization: authorization } });
      expect(answer.status).to.equal(200);
    }
    expect((await ask(service, 'GET /')).headers).to.not.have.property('www-authenticate');
  });
});
