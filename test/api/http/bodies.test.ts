/** Bodies: JSON whatever the Content-Type says, within a size limit, without decompression. */

import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { ask, expectError } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { jsonOf, openRawConnection, type RawAnswer } from '../../support/raw-connection.ts';
import { serverBehind } from '../../support/server-behind.ts';
import { useService } from '../../support/use-service.ts';

const LIMIT = 16_384;

/** A valid broadcast of exactly so many bytes. */
function broadcastOf(bytes: number): string {
  const padding = bytes - JSON.stringify(aBroadcast({ padding: '' })).length;
  return JSON.stringify(aBroadcast({ padding: 'x'.repeat(padding) }));
}

function expectRawError(answer: RawAnswer, code: 'body_too_large'): void {
  expectError({ ...answer, body: jsonOf(answer) }, code);
  expect(answer.headers['connection']).to.equal('close');
}

describe('a body', () => {
  const service = useService();
  const valid = JSON.stringify(aBroadcast());

  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON; charset=bogus',
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data; boundary=x',
    'nonsense',
    undefined,
  ])
    it(`is parsed as JSON with ${type === undefined ? 'no content type' : `the content type ${type}`}`, async () => {
      const headers = type === undefined ? {} : { 'Content-Type': type };
      for (const path of ['/broadcast', '/ping'])
        expect((await ask(service, `POST ${path}`, { body: '{}', headers })).body.details).to.be.an('array');
      expect(await ask(service, 'POST /broadcast', { body: valid, headers })).to.include({ status: 200 });
    });

  it('may begin with a byte order mark and have white space around it', async () => {
    for (const body of [`\ufeff${valid}`, `\r\n\t ${valid} \n`])
      expect(await ask(service, 'POST /broadcast', { body })).to.include({ status: 200 });
  });

  for (const text of [
    '{',
    '{"a":1,}',
    "{'a':1}",
    'players=3&max_players=16',
    'undefined',
    'NaN',
    '{}{}',
    ' ',
  ])
    it(`that is not JSON gets 400 invalid_json with a hint: ${JSON.stringify(text)}`, async () => {
      for (const path of ['/broadcast', '/ping', '/remove']) {
        const answer = await ask(service, `POST ${path}`, { body: text });
        expectError(answer, 'invalid_json');
        expect(answer.body.error).to.include('send a JSON object, whatever the Content-Type says');
      }
    });

  for (const text of ['[]', `[${valid}]`, '"text"', '5', '0', 'true', 'false', 'null', '""'])
    it(`that is JSON but not an object gets 400 with an example: ${text.slice(0, 20)}`, async () => {
      for (const call of ['POST /broadcast', 'POST /ping', 'GET /ping', 'POST /remove']) {
        const answer = await ask(service, call, { body: text });
        expectError(answer, 'invalid_request');
        expect(answer.body.error).to.match(/JSON object like \{"server_/);
      }
    });

  it('that is empty gets 400 with a message of its own', async () => {
    for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
      const answer = await ask(service, 'POST /broadcast', { body: '', headers });
      expectError(answer, 'invalid_request');
      expect(answer.body.error).to.include('the body is empty');
    }
  });

  for (const encoding of ['gzip', 'br', 'deflate', 'x-gzip', 'gzip, identity', 'bogus'])
    it(`with the Content-Encoding ${encoding} gets 415, compressed or not`, async () => {
      const headers = { 'Content-Encoding': encoding };
      for (const body of [valid, gzipSync(valid)])
        expectError(await ask(service, 'POST /broadcast', { body, headers }), 'unsupported_encoding');
    });

  it('with the Content-Encoding identity is accepted', async () => {
    const answer = await ask(service, 'POST /broadcast', {
      body: valid,
      headers: { 'Content-Encoding': 'Identity' },
    });
    expect(answer.status).to.equal(200);
  });

  it(`of ${LIMIT} bytes is accepted, and of one byte more gets 413, with or without Content-Length`, async () => {
    for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
      const largest = await ask(service, 'POST /broadcast', { body: broadcastOf(LIMIT), headers });
      expect(largest.status).to.equal(200);
      const tooLarge = await ask(service, 'POST /broadcast', { body: broadcastOf(LIMIT + 1), headers });
      expectError(tooLarge, 'body_too_large');
      expect(tooLarge.body.error).to.include(`${LIMIT} bytes`);
    }
  });

  it('with a Content-Length over the limit gets 413 before it is sent, and the connection is closed', async () => {
    const connection = await openRawConnection(service);
    connection.send('POST /broadcast HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n');
    expectRawError(await connection.answer(), 'body_too_large');
    await connection.end();
  });

  it('in chunks over the limit gets 413 before it ends, and the connection is closed', async () => {
    const connection = await openRawConnection(service);
    connection.send('POST /broadcast HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    connection.send(`${(LIMIT + 1).toString(16)}\r\n${'x'.repeat(LIMIT + 1)}\r\n`);
    expectRawError(await connection.answer(), 'body_too_large');
    await connection.end();
  });

  it('is requested with 100 Continue when the client waits for that', async () => {
    const connection = await openRawConnection(service);
    connection.send(
      `POST /broadcast HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ${valid.length}\r\n\r\n`,
    );
    expect((await connection.answer()).status).to.equal(100);
    expect((await connection.send(valid).answer()).status).to.equal(200);
    connection.destroy();
  });

  it('over the limit is not requested with 100 Continue', async () => {
    const connection = await openRawConnection(service);
    connection.send(
      `POST /broadcast HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ${LIMIT + 1}\r\n\r\n`,
    );
    expectRawError(await connection.answer(), 'body_too_large');
    await connection.end();
  });

  it('may come with an unknown expectation', async () => {
    const answer = await ask(service, 'POST /broadcast', { body: valid, headers: { Expect: 'a-miracle' } });
    expect(answer.status).to.equal(200);
  });

  it('that breaks off does not affect other requests', async () => {
    const connection = await openRawConnection(service);
    const begun = once(await serverBehind(service), 'request');
    connection.send(`POST /broadcast HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\n${valid}`);
    await begun;
    // After a pause of the process, the service looks for some turns whether the client has hung up.
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    connection.socket.end();
    const answer = await connection.answer();
    expectError({ ...answer, body: jsonOf(answer) }, 'invalid_request');
    await connection.end();
    expect(await ask(service, 'POST /broadcast', { body: valid })).to.include({ status: 200 });
  });
});

describe('the body limit', () => {
  const service = useService({ GSLS_MAX_BODY: '20000' });

  it('follows --max-body', async () => {
    expect(await ask(service, 'POST /broadcast', { body: broadcastOf(20_000) })).to.include({ status: 200 });
    const answer = await ask(service, 'POST /broadcast', { body: broadcastOf(20_001) });
    expectError(answer, 'body_too_large');
    expect(answer.body.error).to.include('20000 bytes');
  });
});
