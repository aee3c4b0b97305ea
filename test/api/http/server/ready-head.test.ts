/** Answers that are sent again have their heads ready as text: nobody can tell. */

import { text } from 'node:stream/consumers';
import { connect } from 'node:net';
import { expect } from 'chai';
import { endOfHead, linesOf, renderHead } from '../../../../src/api/http/server/ready-head.ts';
import { aBroadcast } from '../../../support/builders.ts';
import { useService, type UsedService } from '../../../support/use-service.ts';

/** Ends the connection, if it is still open. */
const LAST = 'GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** All that comes back on a connection of its own, without what differs from one sending to the next. */
async function bytesOf({ url }: UsedService, requests: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), 'localhost');
  socket.write(requests + LAST);
  return (await text(socket))
    .replace(/HTTP\/1\.1 404[^]*$/, '')
    .replaceAll(/(X-Request-Id: )\S+/g, '$1…')
    .replaceAll(/(Date: )[^\r]+/g, '$1…')
    .replaceAll(/(RateLimit: )[^\r]+/g, '$1…');
}

const post = (path: string, body: object, headers = ''): string => {
  const json = JSON.stringify(body);
  return `POST ${path} HTTP/1.1\r\nHost: a\r\n${headers}Content-Length: ${json.length}\r\n\r\n${json}`;
};
const get = (method: string, headers = '', version = '1.1'): string =>
  `${method} / HTTP/${version}\r\nHost: a\r\n${headers}\r\n`;

for (const [what, environment] of [
  ['by default', {}],
  ['with limits and CORS', { GSLS_RATE_LIMIT: 'list=1000/m,ping=1000/m', GSLS_CORS_ORIGIN: '*' }],
] as const)
  describe(`an answer that is sent again, ${what}`, () => {
    const service = useService(environment);
    let ping: string;
    before(async () => {
      const server_id = await service.broadcast();
      ping = post('/ping', aBroadcast({ server_id }));
    });

    const requests: Record<string, () => string> = {
      'a ping': () => ping,
      'the list': () => get('GET'),
      'the compressed list': () => get('GET', 'Accept-Encoding: gzip\r\n'),
      'the head of the list': () => get('HEAD'),
      'a list that is known': () => get('GET', 'If-None-Match: *\r\n'),
      'the last answer of a connection': () => get('GET', 'Connection: close\r\n'),
      'an answer of HTTP/1.0': () => get('GET', '', '1.0'),
      'an answer of HTTP/1.0 that keeps its connection': () =>
        get('GET', 'Connection: keep-alive\r\n', '1.0'),
      'a refusal': () => post('/ping', {}),
      'a body that waits to be asked for': () => ping.replace('Host', 'Expect: 100-continue\r\nHost'),
    };
    for (const [name, request] of Object.entries(requests))
      it(`is to the byte what it was: ${name}`, async () => {
        const first = await bytesOf(service, request());
        expect(first).to.match(/^HTTP\/1\.1 /);
        for (let again = 0; again < 3; again += 1) expect(await bytesOf(service, request())).to.equal(first);
      });

    it('comes in its turn where requests are sent ahead', async () => {
      const one = await bytesOf(service, ping);
      const known = await bytesOf(service, get('GET', 'If-None-Match: *\r\n'));
      const all = await bytesOf(service, ping + get('GET', 'If-None-Match: *\r\n') + ping);
      expect(all).to.equal(one + known + one);
    });
  });

describe('a ready head', () => {
  it('has a line for each value', () => {
    expect(renderHead(204, ['Allow', 'GET', 'WWW-Authenticate', ['Bearer', 'Basic']])).to.equal(
      'HTTP/1.1 204 No Content\r\nAllow: GET\r\nWWW-Authenticate: Bearer\r\nWWW-Authenticate: Basic\r\n',
    );
  });

  it('takes nothing that is no header', () => {
    expect(() => linesOf(['A', 'b\r\nC: d'])).to.throw('Invalid character');
    expect(() => linesOf(['A\r\nC', 'b'])).to.throw('valid HTTP token');
  });

  it('names the date of this second', () => {
    const dates = [5, 75].map((seconds) => /Date: (.*)\r/.exec(endOfHead(seconds))![1]!);
    for (const date of dates) expect(Math.abs(Date.now() - Date.parse(date))).to.be.below(60_000);
    expect(endOfHead(5)).to.match(/Keep-Alive: timeout=5\r\n\r\n$/);
  });
});
