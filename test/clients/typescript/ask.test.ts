/** One request and its whole answer, against peers that answer as no service does. */

import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import { expect } from 'chai';
import {
  createAsk,
  type ServiceAnswer,
  type AskOptions,
  type ServiceRequest,
} from '../../../clients/typescript/src/ask.ts';
import { listen } from '../../support/listen.ts';

const QUESTION = { method: 'GET', path: '/servers' } as const;

function ask(
  url: string,
  question: Partial<ServiceRequest> = {},
  options: Partial<AskOptions> = {},
): Promise<ServiceAnswer> {
  return createAsk({ url, fetch, ...options })({ ...QUESTION, ...question });
}

describe('a request of a client', () => {
  const servers: NetServer[] = [];
  const sockets = new Set<Socket>();

  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  });

  async function urlOf(server: NetServer): Promise<string> {
    servers.push(server);
    server.on('connection', (socket) => sockets.add(socket));
    await listen(server, '127.0.0.1', 0);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const serve = (listener: RequestListener): Promise<string> => urlOf(createHttpServer(listener));
  const speak = (talk: (socket: Socket) => void): Promise<string> => urlOf(createServer(talk));

  it('has the members of an answer of JSON, its headers, and what the API says of an error', async () => {
    const url = await serve((_, response) => {
      response.writeHead(429, { 'Retry-After': '7' });
      response.end('{"status":"error","error":"too many","code":"rate_limited"}');
    });
    const answer = await ask(`${url}/`);
    expect(answer).to.include({ status: 429, code: 'rate_limited', reason: 'too many', cause: undefined });
    expect(answer.body).to.include({ status: 'error' });
    expect(answer.headers.get('retry-after')).to.equal('7');
  });

  it('sends a body as JSON, and the bytes of the key in UTF-8', async () => {
    const url = await serve((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const key = Buffer.from(request.headers.authorization!, 'latin1').toString();
        const type = request.headers['content-type'];
        const told = { method: request.method, key, type, body: Buffer.concat(parts).toString() };
        response.end(JSON.stringify(told));
      });
    });
    const { body } = await ask(url, { method: 'POST', body: { a: 'ü' } }, { key: 'schlüssel' });
    expect(body).to.deep.equal({
      method: 'POST',
      key: 'Bearer schlüssel',
      type: 'application/json',
      body: '{"a":"ü"}',
    });
  });

  it('never repeats a key or a token, whatever says them back', async () => {
    const url = await serve(({ headers }, response) => {
      const sent = [headers.authorization, headers['server-token'], headers['idempotency-key']];
      response.writeHead(403).end(JSON.stringify({ status: 'error', error: sent.join(' ') }));
    });
    const headers = { 'Server-Token': 'id.token', 'Idempotency-Key': 'random' };
    expect((await ask(url, { headers }, { key: 'key' })).reason).to.equal('Bearer … … …');
    const claim = { 'Server-Token': 'claim' };
    expect((await ask(url, { headers: claim })).reason).to.equal(' claim ');
  });

  for (const text of ['<h1>Bad gateway</h1>', '', 'null', '[1]', '{', '"a"', '{"error":7,"code":[]}'])
    it(`takes ${text || 'an empty body'} for no answer of GSLS`, async () => {
      const url = await serve((_, response) => response.writeHead(502).end(text));
      expect(await ask(url)).to.include({
        status: 502,
        code: undefined,
        reason: 'the answer is none of GSLS (502)',
      });
    });

  it('follows no redirect, and says where it leads', async () => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      response.writeHead(307, { Location: 'http://elsewhere.example/' }).end();
    });
    const { status, reason } = await ask(url, { method: 'POST', headers: { 'Server-Token': 'secret' } });
    expect([status, reason, requests]).to.deep.equal([
      307,
      'the answer leads to http://elsewhere.example/, and no redirect is followed (307)',
      1,
    ]);
  });

  it('says that the connection was refused', async () => {
    const url = await serve(() => undefined);
    await new Promise((resolve) => servers.pop()!.close(resolve));
    expect(await ask(url)).to.include({ status: 0, cause: 'refused' });
  });

  it('says that the name of the host is not known', async () => {
    const { cause, reason } = await ask('http://no-such-host.invalid');
    expect(cause).to.equal('unknown_host');
    expect(reason).to.match(/^the name of the host is not known \(E/);
  });

  it('says that what listens speaks no TLS', async () => {
    const url = await serve((_, response) => response.end('{}'));
    expect(await ask(url.replace('http:', 'https:'))).to.include({ status: 0, cause: 'tls' });
  });

  it('says that what listens speaks no HTTP', async () => {
    const url = await speak((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    expect(await ask(url)).to.include({ status: 0, cause: 'no_http' });
  });

  it('says that the connection was cut off, before the answer and in the middle of it', async () => {
    const atOnce = await speak((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await ask(atOnce)).to.include({ status: 0, cause: 'cut_off' });
    const half = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"status":';
    const inTheMiddle = await speak((socket) => socket.once('data', () => socket.end(half)));
    expect(await ask(inTheMiddle)).to.include({ status: 0, cause: 'cut_off' });
  });

  it('waits no longer than it may for an answer, and for the end of one', async () => {
    for (const beginning of ['', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{']) {
      const url = await speak((socket) => socket.once('data', () => socket.write(beginning)));
      const { cause, reason } = await ask(url, { timeoutMs: 100 });
      expect([cause, reason]).to.deep.equal(['timeout', 'nothing came within 0.1 s']);
    }
  });

  it('reads no more bytes than it may', async () => {
    const url = await serve((_, response) => response.end('x'.repeat(2_000_000)));
    expect(await ask(url)).to.include({
      status: 0,
      cause: 'too_large',
      reason: 'the answer has more than 1048576 bytes',
    });
    expect((await ask(url, { mostBytes: 2_000_000 })).text).to.have.length(2_000_000);
  });

  it('is over when its caller says so, before it is sent and while it waits', async () => {
    let requests = 0;
    const given = new AbortController();
    const url = await serve(() => {
      requests += 1;
      given.abort();
    });
    expect(await ask(url, {}, { isOver: () => true })).to.include({ status: 0, cause: 'over' });
    expect(requests).to.equal(0);
    expect(await ask(url, { signal: given.signal })).to.include({ status: 0, cause: 'over' });
    expect(await ask(url, { signal: given.signal })).to.include({ status: 0, cause: 'over' });
    expect(requests).to.equal(1);
  });

  it('says that a port is one that no browser asks, and so not fetch', async () => {
    expect((await ask('http://127.0.0.1:6667')).reason).to.equal(
      'its port is kept for something else than HTTP, and not asked',
    );
  });

  it('has only so many under way at once, and the others in their order', async () => {
    const paths: string[] = [];
    let [open, most] = [0, 0];
    const url = await serve((request, response) => {
      paths.push(request.url!);
      open += 1;
      most = Math.max(most, open);
      setImmediate(() => {
        open -= 1;
        response.end('{}');
      });
    });
    const askTwo = createAsk({ url, fetch, mostAtOnce: 2 });
    const asked = ['/1', '/2', '/3', '/4', '/5'];
    const answers = await Promise.all(asked.map((path) => askTwo({ method: 'GET', path })));
    expect(answers.map(({ status }) => status)).to.deep.equal(asked.map(() => 200));
    expect([paths.toSorted(), most]).to.deep.equal([asked, 2]);
  });
});
