/** Each answered request has a line at level debug, and an id by which its lines and its answer are found. */

import { expect } from 'chai';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { openRawConnection } from '../../support/raw-connection.ts';
import { silentLogger, startTestService } from '../../support/start-test-service.ts';

type Fields = Readonly<Record<string, unknown>>;

describe('a request', () => {
  const lines: Fields[] = [];
  const logger = {
    ...silentLogger,
    debug: (fields: object, message: string) => lines.push({ ...fields, message }),
  };
  let service: Service;
  before(async () => {
    service = await startTestService({ GSLS_LOG_LEVEL: 'debug', GSLS_ALLOW_UNLISTED: 'true' }, logger);
  });
  after(() => service.close());
  beforeEach(() => lines.splice(0));

  const answered = (): Fields[] => lines.filter(({ message }) => message === 'a request was answered');
  const headers = { 'X-Request-Id': 'from-the-client' };

  for (const [path, call, line] of [
    ['fast', 'GET /health', { method: 'GET', route: '/health', status: 200 }],
    ['fast', 'GET /servers/unknown', { method: 'GET', route: '/servers/{id}', status: 404 }],
    ['Koa', 'GET /health?x', { method: 'GET', route: '/health', status: 200 }],
    ['Koa', 'DELETE /ping', { method: 'DELETE', route: '/ping', status: 405, code: 'method_not_allowed' }],
    ['Koa', 'GET /nothing', { method: 'GET', route: undefined, status: 404, code: 'not_found' }],
    ['Koa', 'OPTIONS /ping', { method: 'OPTIONS', route: '/ping', status: 204, bytes: 0 }],
  ] as const)
    it(`has a line with its route, its answer and its client on the ${path} path: ${call}`, async () => {
      const { bytes } = await ask(service, call, { headers });
      const [only, ...others] = answered();
      expect(others).to.deep.equal([]);
      expect(only).to.include({
        ...line,
        bytes: bytes.length,
        address: '127.0.0.1',
        requestId: 'from-the-client',
      });
      expect(only!.ms).to.be.within(0, 10_000);
    });

  it('has the bytes that were sent in its line: none for HEAD, the compressed ones for gzip', async () => {
    await ask(service, 'HEAD /');
    const { bytes } = await ask(service, 'GET /', { headers: { 'Accept-Encoding': 'gzip' } });
    expect(answered().map((line) => line.bytes)).to.deep.equal([0, bytes.length]);
  });

  it('leaves no join code, no query and no field in its line', async () => {
    await ask(service, 'GET /join/HUNTER22');
    await ask(service, 'GET /servers?search=HUNTER22');
    await ask(service, 'POST /broadcast', { body: aBroadcast({ server_name: 'HUNTER22' }) });
    expect(answered()).to.have.lengthOf(3);
    expect(JSON.stringify(answered())).to.not.include('HUNTER22');
  });

  it('has the id of the client in its answer and in all its lines', async () => {
    for (const id of [
      '7',
      'a'.repeat(128),
      '0b0e5d1c-6e3a-4c55-9d5e-1a2b3c4d5e6f',
      'Root=1-67891233-ab/c+d@e:f',
    ]) {
      lines.splice(0);
      const answer = await ask(service, 'GET /nothing', { headers: { 'X-Request-Id': id } });
      expect(answer.headers['x-request-id']).to.equal(id);
      expect(lines.map(({ message, requestId }) => [message, requestId])).to.deep.equal([
        ['a request was refused', id],
        ['a request was answered', id],
      ]);
    }
  });

  const TRACE = { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7' };
  const PARENT = `${TRACE.trace_id}-${TRACE.span_id}`;

  it('has the trace of its traceparent in all its lines', async () => {
    for (const traceparent of [
      `00-${PARENT}-01`,
      `00-${PARENT}-00`,
      `cc-${PARENT}-01`,
      `cc-${PARENT}-01-more`,
    ])
      for (const call of ['GET /nothing', 'GET /health']) {
        await ask(service, call, { headers: { traceparent } });
        for (const line of lines.splice(0)) expect(line, traceparent).to.include(TRACE);
      }
    const connection = await openRawConnection(service);
    await connection.send(`CONNECT a:1 HTTP/1.1\r\nHost: a\r\nTraceparent: 00-${PARENT}-01\r\n\r\n`).answer();
    await connection.end();
    expect(lines[0]).to.include({ message: 'a request was refused', ...TRACE });
  });

  it('has no trace in its lines where traceparent has not the form of W3C', async () => {
    const zeros = `00-${'0'.repeat(32)}-${TRACE.span_id}-01`;
    const noSpan = `00-${TRACE.trace_id}-${'0'.repeat(16)}-01`;
    const forms = [
      '',
      `ff-${PARENT}-01`,
      `00-${PARENT}-01-more`,
      `00-${PARENT}-01-`,
      `00-${PARENT}`,
      `0-${PARENT}-01`,
    ];
    const harmful = [`00-${PARENT}-01x`, `00-${PARENT.toUpperCase()}-01`, `00-${PARENT}-01 {"a":1}`];
    const parents = [...forms, ...harmful, zeros, noSpan, [`00-${PARENT}-01`, `00-${PARENT}-01`]];
    for (const traceparent of parents) await ask(service, 'GET /nothing', { headers: { traceparent } });
    expect(lines).to.have.lengthOf(2 * parents.length);
    for (const line of lines) expect(line).to.not.have.any.keys('trace_id', 'span_id');
  });

  it('gets an id of its own where the client sends none, or one that could do harm', async () => {
    const harmful = ['', 'a b', 'a,b', '"', '\u0080', '%0a', '<b>', 'x'.repeat(129), '{"a":1}'];
    const ids = new Set<unknown>();
    for (const id of [undefined, ...harmful]) {
      const answer = await ask(
        service,
        'GET /health',
        id === undefined ? {} : { headers: { 'X-Request-Id': id } },
      );
      ids.add(answer.headers['x-request-id']);
    }
    const twice = await ask(service, 'GET /health', { headers: { 'X-Request-Id': ['one', 'two'] } });
    ids.add(twice.headers['x-request-id']);
    expect(ids).to.have.lengthOf(harmful.length + 2);
    for (const id of ids) expect(id).to.match(/^[\da-f]{12}-[\da-z]+$/);
  });

  it('has its id in an answer without a body too', async () => {
    const {
      headers: { etag },
    } = await ask(service, 'GET /');
    for (const [call, more] of [
      ['GET /', { 'If-None-Match': etag }],
      ['HEAD /', {}],
      ['OPTIONS /ping', {}],
    ] as const) {
      const answer = await ask(service, call, { headers: { ...headers, ...more } });
      expect(answer.bytes).to.have.lengthOf(0);
      expect(answer.headers['x-request-id']).to.equal('from-the-client');
    }
  });

  it('that is refused on the bare socket has an id, that of the client if it was read', async () => {
    for (const [bytes, id] of [
      ['nonsense\r\n\r\n', /^[\da-f]{12}-[\da-z]+$/],
      ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\nX-Request-Id: from-the-client\r\n\r\n', /^from-the-client$/],
    ] as const) {
      lines.splice(0);
      const connection = await openRawConnection(service);
      const answer = await connection.send(bytes).answer();
      await connection.end();
      expect(answer.headers['x-request-id']).to.match(id);
      expect(lines).to.have.lengthOf(1);
      expect(lines[0]).to.include({
        message: 'a request was refused',
        requestId: answer.headers['x-request-id'],
      });
    }
  });

  it('has no line unless the level of the log is debug', async () => {
    const other = await startTestService({}, logger);
    try {
      await ask(other, 'GET /health');
      expect(answered()).to.deep.equal([]);
    } finally {
      await other.close();
    }
  });

  it('has its address in its line as --log-addresses says', async () => {
    const other = await startTestService({ GSLS_LOG_LEVEL: 'trace', GSLS_LOG_ADDRESSES: 'masked' }, logger);
    try {
      await ask(other, 'GET /health');
      expect(answered().map(({ address }) => address)).to.deep.equal(['127.0.0.0/24']);
    } finally {
      await other.close();
    }
  });
});
