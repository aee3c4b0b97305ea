/**
 * A client that still sends when it is refused gets the answer, and then the end of the connection instead of a reset.
 */

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import type { ErrorCode } from '../../../../src/model/errors.ts';
import { closeLingering, LINGER_MS } from '../../../../src/api/http/server/lingering-close.ts';
import type { Service } from '../../../../src/service/service.ts';
import { addressOf, ask, expectError } from '../../../support/ask.ts';
import { aBroadcast } from '../../../support/builders.ts';
import { listen } from '../../../support/listen.ts';
import {
  jsonOf,
  openRawConnection,
  plainRequest,
  RawConnection,
  type RawAnswer,
} from '../../../support/raw-connection.ts';
import { startTestService } from '../../../support/start-test-service.ts';

const POST = 'POST /broadcast HTTP/1.1\r\nHost: a\r\n';
/** 1 MB is sent in pieces: what was sent of them before the answer is never all. */
const PIECES = 16;
const PIECE = 'x'.repeat(0x10000);
const CHUNK = `10000\r\n${PIECE}\r\n`;
const LENGTH = `Content-Length: ${PIECES * PIECE.length}\r\n`;

/** What is answered at once, and what the client sends over and over after it. */
const REFUSED: Readonly<Record<string, readonly [first: string, piece: string, code: ErrorCode]>> = {
  'a body that is too large': [`${POST}${LENGTH}\r\n`, PIECE, 'body_too_large'],
  'chunks that are too large': [`${POST}Transfer-Encoding: chunked\r\n\r\n${CHUNK}`, CHUNK, 'body_too_large'],
  'headers that are too large': [
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${PIECE}\r\n`,
    `X: ${PIECE}\r\n`,
    'headers_too_large',
  ],
  'an improper request with a body': [`${POST}Host: b\r\n${LENGTH}\r\n`, PIECE, 'invalid_request'],
  'broken chunks': [`${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, PIECE, 'invalid_request'],
  'a CONNECT with bytes after it': ['CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', PIECE, 'not_found'],
};

/**
 * From here on the limit of a lingering close is never reached, until the returned function is called: a pause of this
 * process, which is both the client and the service, would use it up.
 */
function holdLimit(): () => void {
  const { setTimeout: real } = globalThis;
  globalThis.setTimeout = ((task: () => void, ms?: number) =>
    real(task, ms === LINGER_MS ? 2 ** 30 : ms)) as typeof setTimeout;
  return () => void (globalThis.setTimeout = real);
}

function expectRefusal(answer: RawAnswer, code: ErrorCode): void {
  expectError({ ...answer, body: jsonOf(answer) }, code);
  expect(answer.headers['connection']).to.equal('close');
}

/** Resolves in a later turn, after the service has had its own. Rejects when the connection is reset. */
async function sendOne(socket: Socket, part: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.write(part, (error) => (error ? reject(error) : resolve()));
  });
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
}

describe('a client that still sends when it is refused', () => {
  let service: Service;
  let releaseLimit: () => void;
  beforeEach(async () => {
    service = await startTestService();
    releaseLimit = holdLimit();
  });
  afterEach(async () => {
    releaseLimit();
    await service.close();
  });

  for (const [what, [first, piece, code]] of Object.entries(REFUSED))
    it(`gets ${code} for ${what} and a clean end, although it reads only after it has sent all`, async () => {
      const connection = await openRawConnection(service);
      const { socket } = connection;
      socket.pause();
      for (const part of [first, ...Array.from({ length: PIECES }, () => piece)]) await sendOne(socket, part);
      socket.resume();
      expectRefusal(await connection.answer(), code);
      await connection.end();
    });

  it('gets a refusal and a clean end during a shutdown too', async () => {
    void service.close({ delayMs: 600_000 });
    const connection = await openRawConnection(service);
    connection.socket.pause();
    // An unknown path does not close the connection: the shutdown does.
    const first = `POST /nowhere HTTP/1.1\r\nHost: a\r\n${LENGTH}\r\n`;
    for (const part of [first, ...Array.from({ length: PIECES }, () => PIECE)])
      await sendOne(connection.socket, part);
    connection.socket.resume();
    expectRefusal(await connection.answer(), 'not_found');
    await connection.end();
  });

  describe('and goes on after the answer', () => {
    const [[first, piece, code]] = Object.values(REFUSED) as [[string, string, ErrorCode]];
    let connection: RawConnection;
    /** Resolves once the service has closed the connection. */
    let closed: Promise<unknown>;
    /** It does not end the connection when the service does. */
    async function getRefusal(): Promise<void> {
      connection = new RawConnection(connect({ ...addressOf(service), allowHalfOpen: true }));
      closed = new Promise((resolve) => {
        connection.socket.once('close', resolve);
      });
      expectRefusal(await connection.send(first).answer(), code);
    }
    afterEach(() => connection.destroy());

    it('is cut off after 1 s if it never ends', async () => {
      releaseLimit();
      const beganAt = performance.now();
      await getRefusal();
      for (let isOpen = true; isOpen;)
        isOpen = await sendOne(connection.socket, piece).then(
          () => true,
          () => false,
        );
      await closed;
      expect(performance.now() - beganAt).to.be.within(0.8 * LINGER_MS, 5 * LINGER_MS);
    });

    it('is closed at once when it ends', async () => {
      await getRefusal();
      connection.send(piece).socket.end();
      await closed;
    });

    it('has nothing more carried out', async () => {
      await getRefusal();
      await sendOne(connection.socket, piece.repeat(PIECES) + plainRequest('POST /broadcast', aBroadcast()));
      connection.socket.end();
      await closed;
      expect((await ask(service, 'GET /health')).body).to.include({ server_count: 0 });
    });

    it('does not hold up a shutdown', async () => {
      await getRefusal();
      const beganAt = performance.now();
      await service.close();
      // After 6 s all that is left would be cut off.
      expect(performance.now() - beganAt).to.be.below(5000);
    });
  });
});

/** What is answered before its body is read, and what the client could send over and over after it. */
const BEFORE_ITS_BODY: Readonly<Record<string, readonly [first: string, piece: string, code: ErrorCode]>> = {
  'without the key': [`${POST}${LENGTH}\r\n`, 'x', 'unauthorized'],
  'without the key, in chunks': [`${POST}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n', 'unauthorized'],
  'to a path that does not exist': [
    `POST /nowhere HTTP/1.1\r\nHost: a\r\n${LENGTH}KEY\r\n`,
    'x',
    'not_found',
  ],
  'with a wrong method': [`DELETE /ping HTTP/1.1\r\nHost: a\r\n${LENGTH}KEY\r\n`, 'x', 'method_not_allowed'],
  'from another site': [`${POST}${LENGTH}Sec-Fetch-Site: cross-site\r\nKEY\r\n`, 'x', 'cross_site'],
  'in an encoding': [`${POST}${LENGTH}Content-Encoding: gzip\r\nKEY\r\n`, 'x', 'unsupported_encoding'],
};

const asked = (first: string): string => first.replace('KEY', 'Authorization: key\r\n');

describe('a client that is answered before its body is read', () => {
  let service: Service;
  before(async () => {
    service = await startTestService({ GSLS_KEY: 'key' });
  });
  after(() => service.close());
  it('has a second for the rest of its body, and no more, whatever it is refused for', async () => {
    const all = Object.values(BEFORE_ITS_BODY).map(async ([first, piece, code]) => {
      const connection = new RawConnection(connect({ ...addressOf(service), allowHalfOpen: true }));
      const { socket } = connection;
      const answer = await connection.send(asked(first)).answer();
      expectError({ ...answer, body: jsonOf(answer) }, code);
      const answeredAt = performance.now();
      const sending = setInterval(() => socket.write(piece), 50);
      await new Promise((resolve) => socket.once('close', resolve));
      clearInterval(sending);
      expect(performance.now() - answeredAt).to.be.within(0.8 * LINGER_MS, 5 * LINGER_MS);
    });
    await Promise.all(all);
  });

  it('keeps its connection if the rest comes soon', async () => {
    const connection = await openRawConnection(service);
    const length = Buffer.byteLength('{}');
    for (const refused of ['POST /nowhere', 'DELETE /ping', 'POST /broadcast']) {
      const head = `${refused} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;
      expect((await connection.send(head).answer()).status).to.equal(401);
      connection.send('{}');
    }
    expect(
      (await connection.send(asked('GET /health HTTP/1.1\r\nHost: a\r\nKEY\r\n')).answer()).status,
    ).to.equal(200);
    connection.destroy();
  });
});

/** Closes the service's end of a connection, and resolves with it once it is closed. */
async function close({ readsFirst }: { readsFirst: boolean }): Promise<Socket> {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true });
  await listen(server, '127.0.0.1', 0);
  const { port } = server.address() as AddressInfo;
  const client = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  client.on('error', () => undefined).write('x');
  const [socket] = (await once(server, 'connection')) as [Socket];
  if (readsFirst) await once(socket.resume(), 'data');
  closeLingering(socket);
  if (readsFirst) client.end();
  await once(socket, 'close');
  client.destroy();
  server.close();
  return socket;
}

describe('a lingering close', () => {
  let releaseLimit: () => void;
  beforeEach(() => {
    releaseLimit = holdLimit();
  });
  afterEach(() => releaseLimit());

  it('ends when the peer ends the connection', async () => {
    expect((await close({ readsFirst: true })).destroyed).to.equal(true);
  });

  it('reads nothing of a connection of which nothing was read', async () => {
    expect((await close({ readsFirst: false })).bytesRead).to.equal(0);
  });
});
