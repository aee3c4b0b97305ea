/** What never becomes a request gets the same envelope as everything else, and the connection is closed. */

import { expect } from 'chai';
import { ERRORS, type ErrorCode } from '../../../../src/model/errors.ts';
import { ask, expectError } from '../../../support/ask.ts';
import { aBroadcast, type ListBody } from '../../../support/builders.ts';
import {
  jsonOf,
  openRawConnection,
  type RawAnswer,
  type RawConnection,
} from '../../../support/raw-connection.ts';
import { serverBehind } from '../../../support/server-behind.ts';
import { useService } from '../../../support/use-service.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n';
const POST = 'POST /broadcast HTTP/1.1\r\nHost: a\r\n';

const BROKEN: Readonly<Record<string, readonly [bytes: string, code: ErrorCode]>> = {
  'a line of garbage': ['hello\r\n\r\n', 'invalid_request'],
  'binary garbage': ['\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n', 'invalid_request'],
  'an unknown method': ['FETCH / HTTP/1.1\r\nHost: a\r\n\r\n', 'invalid_request'],
  'a method in small letters': ['get / HTTP/1.1\r\nHost: a\r\n\r\n', 'invalid_request'],
  'a version that does not exist': ['GET / HTTP/9.9\r\nHost: a\r\n\r\n', 'http_version_not_supported'],
  'HTTP/2.0 on the request line': ['GET / HTTP/2.0\r\nHost: a\r\n\r\n', 'http_version_not_supported'],
  'HTTP/1.2': ['GET / HTTP/1.2\r\nHost: a\r\n\r\n', 'http_version_not_supported'],
  'HTTP/0.9': ['GET / HTTP/0.9\r\nHost: a\r\n\r\n', 'http_version_not_supported'],
  'a request line without a version': ['GET /\r\n\r\n', 'http_version_not_supported'],
  'the preface of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'http_version_not_supported'],
  'lines that end in LF alone': ['GET / HTTP/1.1\nHost: a\n\n', 'invalid_request'],
  'a header that goes on in the next line': [`${GET}X: a\r\n b\r\n\r\n`, 'invalid_request'],
  'a space before the colon': ['GET / HTTP/1.1\r\nHost : a\r\n\r\n', 'invalid_request'],
  'two Hosts': [`${GET}hOsT: b\r\n\r\n`, 'invalid_request'],
  'the same Host twice': [`${GET}Host: a\r\n\r\n`, 'invalid_request'],
  'two Hosts in HTTP/1.0': ['GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n', 'invalid_request'],
  'a Host with a user': ['GET / HTTP/1.1\r\nHost: a@b\r\n\r\n', 'invalid_request'],
  'a Host with a space': ['GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 'invalid_request'],
  'a Host with half a bracket': ['GET / HTTP/1.1\r\nHost: [::1\r\n\r\n', 'invalid_request'],
  'a target that is half a URL': ['GET http://[/ HTTP/1.1\r\nHost: a\r\n\r\n', 'invalid_request'],
  'a target whose host has a broken escape': [
    'GET http://%zz/ HTTP/1.1\r\nHost: a\r\n\r\n',
    'invalid_request',
  ],
  'a Host with an escaped control character': ['GET / HTTP/1.1\r\nHost: a%00b\r\n\r\n', 'invalid_request'],
  'a target whose host has an escaped control character': [
    'GET http://a%00b/ HTTP/1.1\r\nHost: a\r\n\r\n',
    'invalid_request',
  ],
  'a target whose host has an escaped delimiter': [
    'GET http://a%2fb/ HTTP/1.1\r\nHost: a\r\n\r\n',
    'invalid_request',
  ],
  'a Host with a broken escape': ['GET / HTTP/1.1\r\nHost: a%2\r\n\r\n', 'invalid_request'],
  'a target without a host': ['GET http:///health HTTP/1.1\r\nHost: a\r\n\r\n', 'invalid_request'],
  'a target with a user': ['GET http://a@b/health HTTP/1.1\r\nHost: b\r\n\r\n', 'invalid_request'],
  'a target of another scheme': ['GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n', 'invalid_request'],
  'a target with a fragment': ['GET //a@[#/ HTTP/1.1\r\nHost: a\r\n\r\n', 'invalid_request'],
  'a target that is no ASCII': ['GET /\u00e9 HTTP/1.1\r\nHost: a\r\n\r\n', 'invalid_request'],
  'the same Content-Length twice': [
    `${POST}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
    'invalid_request',
  ],
  'a body in gzip and chunks': [`${POST}Transfer-Encoding: gzip, chunked\r\n\r\n`, 'invalid_request'],
  'chunks in HTTP/1.0': ['POST /broadcast HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n', 'invalid_request'],
  'a space in the target': ['GET /a b HTTP/1.1\r\nHost: a\r\n\r\n', 'invalid_request'],
  'a header without a colon': [`${GET}Nonsense\r\n\r\n`, 'invalid_request'],
  'a header name with a space': [`${GET}Some Name: x\r\n\r\n`, 'invalid_request'],
  'a header value with NUL': [`${GET}X: a\u0000b\r\n\r\n`, 'invalid_request'],
  'a Content-Length that is no number': [`${POST}Content-Length: ten\r\n\r\n`, 'invalid_request'],
  'a negative Content-Length': [`${POST}Content-Length: -1\r\n\r\n`, 'invalid_request'],
  'two Content-Lengths': [`${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 'invalid_request'],
  'a Content-Length and chunks': [
    `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'invalid_request',
  ],
  'a Transfer-Encoding that is no chunks': [`${POST}Transfer-Encoding: gzip\r\n\r\n`, 'invalid_request'],
  'a chunk of no size': [`${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 'invalid_request'],
  'a chunk longer than its size': [
    `${POST}Transfer-Encoding: chunked\r\n\r\n2\r\n{}{}\r\n`,
    'invalid_request',
  ],
  'a chunk extension without end': [
    `${POST}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}`,
    'body_too_large',
  ],
  'a header that is too long': [`${GET}X: ${'x'.repeat(9000)}\r\n\r\n`, 'headers_too_large'],
  'headers that are too many': [`${GET}${'X-Header: x\r\n'.repeat(1000)}\r\n`, 'headers_too_large'],
  'a target that is too long': [`GET /${'x'.repeat(9000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 'headers_too_large'],
  'a CONNECT': ['CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 'not_found'],
};

function expectRawError(answer: RawAnswer, code: ErrorCode): void {
  expectError({ ...answer, body: jsonOf(answer) }, code);
  expect(answer.headers['cache-control']).to.equal('no-store');
}

describe('raw HTTP', () => {
  const service = useService();

  for (const [what, [bytes, code]] of Object.entries(BROKEN))
    it(`answers ${ERRORS[code].status} ${code} to ${what}, and closes`, async () => {
      const connection = await openRawConnection(service);
      const answer = await connection.send(Buffer.from(bytes, 'latin1')).answer();
      expectRawError(answer, code);
      expect(answer.headers['connection']).to.equal('close');
      await connection.end();
    });

  it('asks for a Host header, except of HTTP/1.0', async () => {
    const connection = await openRawConnection(service);
    connection.send('GET / HTTP/1.1\r\n\r\n');
    expectRawError(await connection.answer(), 'invalid_request');
    connection.destroy();
    const old = await openRawConnection(service);
    expect((await old.send('GET / HTTP/1.0\r\n\r\n').answer()).status).to.equal(200);
    await old.end();
  });

  it('takes the absolute form of a target for its path, whatever the Host says', async () => {
    const connection = await openRawConnection(service);
    for (const target of [
      'http://example.com/health',
      'HTTPS://[::1]:80/health',
      'http://a/health?b=http://[/',
    ])
      for (const host of ['', 'a', 'b:80', '[::1]:80']) {
        connection.send(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
        expect(jsonOf(await connection.answer())).to.have.property('server_count');
      }
    connection.send(`GET http://a?b HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(jsonOf(await connection.answer())).to.have.property('servers');
    const body = JSON.stringify(aBroadcast());
    connection.send(
      `POST http://a/broadcast HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const { server_id: id } = jsonOf(await connection.answer());
    const removal = JSON.stringify({ server_id: id, server_ip: '203.0.113.7' });
    connection.send(
      `POST http://a/remove HTTP/1.1\r\nHost: a\r\nContent-Length: ${removal.length}\r\n\r\n${removal}`,
    );
    expect((await connection.answer()).status).to.equal(200);
    connection.destroy();
  });

  it('answers requests sent ahead one by one, in their order', async () => {
    const connection = await openRawConnection(service);
    connection.send(`${GET}\r\nGET /health HTTP/1.1\r\nHost: a\r\n\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(jsonOf(await connection.answer())).to.have.property('servers');
    expect(jsonOf(await connection.answer())).to.have.property('server_count');
    expect(jsonOf(await connection.answer())).to.have.property('code', 'not_found');
    connection.destroy();
  });

  it('answers garbage after a finished request, and closes', async () => {
    const connection = await openRawConnection(service);
    expect((await connection.send(`${GET}\r\n`).answer()).status).to.equal(200);
    expectRawError(await connection.send('garbage\r\n\r\n').answer(), 'invalid_request');
    await connection.end();
  });

  it('answers what came before garbage in the same packet first', async () => {
    const connection = await openRawConnection(service);
    const body = JSON.stringify(aBroadcast());
    const broadcast = `${POST}Content-Length: ${body.length}\r\n\r\n${body}`;
    connection.send(
      `${broadcast}${broadcast}${GET}\r\nGET /nowhere HTTP/1.1\r\nHost: a\r\n\r\ngarbage\r\n\r\n`,
    );
    const ids = [await connection.answer(), await connection.answer()].map(
      (each) => jsonOf(each)['server_id'],
    );
    const { servers } = jsonOf(await connection.answer()) as unknown as ListBody;
    expect(servers.map(({ id }) => id)).to.deep.equal(ids);
    expectRawError(await connection.answer(), 'not_found');
    expectRawError(await connection.answer(), 'invalid_request');
    await connection.end();
  });

  it('answers nothing more after an answer that closes', async () => {
    const connection = await openRawConnection(service);
    connection.send(`${GET}Connection: close\r\n\r\n${GET}\r\n`);
    expect((await connection.answer()).status).to.equal(200);
    await connection.end();
  });

  it('ignores an Upgrade it does not know, and closes', async () => {
    const connection = await openRawConnection(service);
    connection.send(`${GET}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    const { status, headers } = await connection.answer();
    expect([status, headers['connection']]).to.deep.equal([200, 'close']);
    await connection.end();
  });

  it('goes on for others whatever one of them does', async () => {
    for (const bytes of [GET, '', `${POST}Content-Length: 99\r\n\r\n{`]) {
      const connection = await openRawConnection(service);
      connection.send(bytes);
      connection.socket.resetAndDestroy();
    }
    expect((await ask(service, 'GET /')).status).to.equal(200);
  });
});

describe('a request that does not arrive', () => {
  const service = useService();

  const UNFINISHED = {
    'that says nothing': '',
    'that stops in its headers': GET,
    'that stops in its body': `${POST}Content-Length: 99\r\n\r\n{`,
  };
  const connections = new Map<string, RawConnection>();
  let limitsMs: number[];
  // Together, because the server looks for them once a second only.
  before(async () => {
    const server = await serverBehind(service);
    for (const [what, bytes] of Object.entries(UNFINISHED))
      connections.set(what, (await openRawConnection(service)).send(bytes));
    limitsMs = [server.headersTimeout, server.requestTimeout];
    // Not so short that a look at a connection whose first bytes are not read yet ends it.
    server.headersTimeout = 500;
    server.requestTimeout = 500;
  });

  it('is given 5 s for its headers and 10 s in all', () => {
    expect(limitsMs).to.deep.equal([5000, 10_000]);
  });

  for (const what of Object.keys(UNFINISHED))
    it(`${what} is answered and cut off when its time is over`, async () => {
      const connection = connections.get(what)!;
      const answer = await connection.answer();
      expectRawError(answer, 'request_timeout');
      expect(answer.headers['connection']).to.equal('close');
      await connection.end();
    });
});
