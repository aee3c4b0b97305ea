/** Readers that do not take their answers: how long they may, how much they may hold, and what others notice. */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createConfig } from '../../../../src/service/config/config.ts';
import {
  AnswersInFlight,
  LONGEST_PAUSE_S,
  MAX_PIPELINED,
  MIN_BYTES_PER_SECOND,
  type CutOff,
} from '../../../../src/api/http/server/answers-in-flight.ts';
import { Pulse } from '../../../../src/runtime/pulse.ts';
import { startHttpServer, type HttpServer } from '../../../../src/api/http/server/server.ts';
import { PIECE_BYTES } from '../../../../src/api/http/server/write-rope.ts';
import { Rope } from '../../../../src/runtime/bytes/rope.ts';
import { createMetrics } from '../../../../src/service/metrics/create-metrics.ts';
import { MemoryRegistry } from '../../../../src/registry/memory/memory-registry.ts';
import { createListener } from '../../../support/create-listener.ts';
import { ask } from '../../../support/ask.ts';
import { aGameServer, broadcastTo, textOf } from '../../../support/builders.ts';
import { lifetime } from '../../../support/registry-fixture.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { jsonOf, openRawConnection } from '../../../support/raw-connection.ts';
import { silentLogger } from '../../../support/start-test-service.ts';
import { until } from '../../../support/until.ts';

/** A connection that takes what it is given only when told to: what a kernel takes is not for a test to say. */
class Connection extends Duplex {
  #takeIt: (() => void) | undefined;

  override _read(): void {}

  override _write(_bytes: Buffer, _encoding: string, done: () => void): void {
    this.#takeIt = done;
  }

  override _writev(_chunks: unknown, done: () => void): void {
    this.#takeIt = done;
  }

  /** Takes what was written last, if anything was. */
  async takeAll(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    const takeIt = this.#takeIt;
    this.#takeIt = undefined;
    takeIt?.();
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  }

  resetAndDestroy(): this {
    return this.destroy();
  }
}

const pieces = (count: number): Rope =>
  new Rope(Array.from({ length: count }, () => Buffer.alloc(PIECE_BYTES)));

describe('an answer in flight', () => {
  let clock: ManualClock;
  let cutOffs: CutOff[];
  let inFlight: AnswersInFlight;
  beforeEach(() => {
    clock = new ManualClock();
    cutOffs = [];
    inFlight = new AnswersInFlight({
      maxWaitingBytes: 10 * PIECE_BYTES,
      onCutOff: (cutOff) => cutOffs.push(cutOff),
      clock,
    });
  });

  function give(body: string | Rope, kind?: string): Connection {
    const connection = new Connection();
    const socket = connection as unknown as Socket;
    const response = new ServerResponse(new IncomingMessage(socket));
    response.assignSocket(socket);
    response.writeHead(200, { 'Content-Length': body.length });
    inFlight.end(response, body, kind);
    return connection;
  }

  const reasons = (): string[] => cutOffs.map(({ reason }) => reason);

  for (const [what, body] of [
    ['long', pieces(3)],
    ['short', 'x'],
  ] as const)
    it(`is cut off when its reader takes nothing for ${LONGEST_PAUSE_S} s, be it ${what}`, async () => {
      const connection = give(body);
      await clock.advance((LONGEST_PAUSE_S - 1) * 1000);
      expect(reasons()).to.deep.equal([]);
      await clock.advance(1000);
      expect(reasons()).to.deep.equal(['too_slow']);
      expect(connection.destroyed).to.equal(true);
    });

  it('goes on as long as its reader keeps the pace, and no longer', async () => {
    const count = 20;
    const connection = give(pieces(count));
    const secondsForOne = PIECE_BYTES / MIN_BYTES_PER_SECOND;
    for (let taken = 0; taken < count / 2; taken += 1) {
      await clock.advance(secondsForOne * 1000);
      await connection.takeAll();
    }
    expect(reasons()).to.deep.equal([]);
    // A tenth slower: the deadline comes nearer with each piece.
    for (let taken = 0; taken < count / 2 - 1; taken += 1) {
      await clock.advance(secondsForOne * 1100);
      await connection.takeAll();
    }
    expect(reasons()).to.deep.equal(['too_slow']);
    expect(cutOffs[0]!.takenBytes).to.be.within((count / 2) * PIECE_BYTES, count * PIECE_BYTES);
  });

  it('that was taken whole is held no longer', async () => {
    const connections = [give(pieces(2)), give('short'), give(pieces(1))];
    for (const connection of connections) for (let i = 0; i < 4; i += 1) await connection.takeAll();
    expect(inFlight.waitingBytes).to.equal(0);
    await clock.advance(10 * LONGEST_PAUSE_S * 1000);
    expect(reasons()).to.deep.equal([]);
  });

  it('is forgotten when its reader hangs up', async () => {
    const [old, newest] = [give(pieces(2)), give(pieces(3))];
    expect(inFlight.waitingBytes).to.equal(2 * PIECE_BYTES);
    for (const connection of [old, newest]) {
      connection.destroy();
      await once(connection, 'close');
    }
    expect(inFlight.waitingBytes).to.equal(0);
    expect(reasons()).to.deep.equal([]);
  });

  it('is held only as far as it was not taken, and as it is not shared with the newest', async () => {
    const old = pieces(4);
    const connection = give(old);
    give(new Rope([...pieces(1).parts, ...old.parts.slice(1)]));
    expect(inFlight.waitingBytes).to.equal(PIECE_BYTES);
    await connection.takeAll();
    expect(inFlight.waitingBytes).to.equal(0);
    give(pieces(2));
    expect(inFlight.waitingBytes).to.equal(4 * PIECE_BYTES);
  });

  it('does not count in plain when the newest in gzip was asked for later', () => {
    give(pieces(4));
    give(pieces(2), 'gzip');
    expect(inFlight.waitingBytes).to.equal(0);
  });

  it('counts a body once, however many wait for it, and not the newest', () => {
    const [first, second] = [pieces(4), pieces(5)];
    for (let i = 0; i < 10; i += 1) give(first);
    expect(inFlight.waitingBytes).to.equal(0);
    for (let i = 0; i < 10; i += 1) give(second);
    expect(inFlight.waitingBytes).to.equal(4 * PIECE_BYTES);
    expect(reasons()).to.deep.equal([]);
  });

  it('makes room for others when too much waits, the slowest first', async () => {
    const [slow, quick] = [give(pieces(4)), give(pieces(4))];
    await clock.advance(LONGEST_PAUSE_S * 500);
    await quick.takeAll();
    const third = give(pieces(4));
    give(pieces(20));
    expect(reasons()).to.deep.equal(['memory']);
    expect([slow, quick, third].map(({ destroyed }) => destroyed)).to.deep.equal([true, false, false]);
    expect(inFlight.waitingBytes).to.equal(7 * PIECE_BYTES);
  });

  it('may be larger than the limit, as long as it is the newest', () => {
    const readers = [give(pieces(50)), give(pieces(60))];
    expect(readers.map(({ destroyed }) => destroyed)).to.deep.equal([true, false]);
  });
});

const GAME_SERVERS = 3000;
/** A list is longer than what the system takes for one connection. Random, so that gzip is long too. */
const aLongName = (): string => randomBytes(1500).toString('base64');
/** So many neighbours are in one part of the list, or a few more. */
const NEIGHBOURS = 200;
const MAX_WAITING = 8 * 1024 * 1024;
const READERS = 16;
const LIST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

describe('readers that do not read', () => {
  let registry: MemoryRegistry;
  let service: HttpServer;
  let mostWaiting: number;
  const cutOffs: CutOff[] = [];
  const slow: Socket[] = [];
  const ids: string[] = [];
  const names: string[] = [];

  before(async () => {
    // By a clock that stands still no game server expires, however long the tests take.
    registry = new MemoryRegistry({ lifetime, uniqueAddress: false, clock: new ManualClock() });
    for (let i = 0; i < GAME_SERVERS; i += 1) {
      names.push(aLongName());
      ids.push(await broadcastTo(registry, aGameServer({ name: names[i]! })));
    }
    const metrics = createMetrics();
    const { answers } = metrics.ofProcess;
    mostWaiting = 0;
    const listener = createListener({
      config: createConfig({
        flags: {},
        environment: { GSLS_MAX_WAITING: String(MAX_WAITING) },
        readFile: () => '',
      }),
      registry,
      lifetime,
      logger: {
        ...silentLogger,
        debug: (fields) => 'takenBytes' in fields && cutOffs.push(fields as CutOff),
      },
      metrics: {
        ...metrics,
        ofProcess: {
          ...metrics.ofProcess,
          answers: {
            ...answers,
            onWaiting(bytes) {
              mostWaiting = Math.max(mostWaiting, bytes);
              answers.onWaiting(bytes);
            },
          },
        },
      },
    });
    const { signal: stopping } = new AbortController();
    service = await startHttpServer({
      listener,
      host: '127.0.0.1',
      port: 0,
      stopping,
      logError: () => undefined,
      pulse: new Pulse(),
    });
  });
  after(async () => {
    for (const socket of slow) socket.destroy();
    await service.close(0);
    await registry.close();
  });
  afterEach(() => cutOffs.splice(0));

  /** Asks, reads the first bytes and no more. */
  async function readALittle(bytes = LIST): Promise<Socket> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    slow.push(socket);
    socket.write(bytes);
    await once(socket, 'readable');
    socket.read(512);
    return socket;
  }

  /** No part of the list stays as it is. */
  async function changeAll(players: number): Promise<void> {
    for (let i = 0; i < ids.length; i += NEIGHBOURS)
      await registry.ping(ids[i]!, aGameServer({ name: names[i]!, players }));
  }

  it('share what does not change', async () => {
    for (let i = 0; i < READERS; i += 1) {
      await registry.ping(ids[0]!, aGameServer({ name: names[0]!, players: 100 + i }));
      await readALittle();
    }
    expect(mostWaiting).to.be.within(1, MAX_WAITING);
    expect(cutOffs).to.deep.equal([]);
    for (const socket of slow) socket.destroy();
  });

  it('do not fill the memory while the list changes, and others are served', async () => {
    for (let i = 0; i < READERS; i += 1) {
      await changeAll(i);
      await broadcastTo(registry, aGameServer());
      await readALittle();
      if (i % 8 === 0) {
        const { body } = await ask(service, 'GET /');
        expect(body.servers).to.have.length(GAME_SERVERS + i + 1);
      }
    }
    const { length } = (await ask(service, 'GET /')).text;
    expect(length).to.be.above(MAX_WAITING / 8);
    // While room is made for a list, it counts already.
    expect(mostWaiting).to.be.within(MAX_WAITING / 2, MAX_WAITING + length);
    expect(cutOffs.length).to.be.within(READERS / 2, READERS);
    expect(cutOffs.every(({ reason }) => reason === 'memory')).to.equal(true);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).to.match(new RegExp(`^gsls_cut_off_total\\{reason="memory"\\} ${cutOffs.length}$`, 'm'));
    expect(metrics).to.match(/^gsls_waiting_bytes [1-9]/m);
  });

  for (const encoding of ['identity', 'gzip'])
    it(`get the whole list as it was when they asked, however it changes meanwhile, in ${encoding}`, async () => {
      const asked = await textOf(await registry.list());
      const connection = await openRawConnection(service);
      connection.socket.pause();
      connection.send(`GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${encoding}\r\n\r\n`);
      await once(connection.socket, 'readable');
      for (let part = 0; part < 10; part += 1) {
        await changeAll(part);
        connection.socket.resume();
        await once(connection.socket, 'data');
        connection.socket.pause();
      }
      connection.socket.resume();
      const { headers, body } = await connection.answer();
      expect(headers['content-length']).to.equal(String(body.length));
      expect(body.length).to.be.above(2 * PIECE_BYTES);
      const plain = encoding === 'gzip' ? gunzipSync(body) : body;
      expect(plain.toString() === asked).to.equal(true);
      connection.destroy();
    });

  it('get the whole of a long answer before garbage is answered', async () => {
    const connection = await openRawConnection(service);
    connection.socket.pause();
    connection.send(LIST);
    await once(connection.socket, 'readable');
    connection.send('garbage\r\n\r\n');
    // By now the garbage was met: what is asked later is answered.
    await ask(service, 'GET /health');
    connection.socket.resume();
    expect(jsonOf(await connection.answer())).to.have.property('count', GAME_SERVERS + READERS);
    expect(jsonOf(await connection.answer())).to.have.property('code', 'invalid_request');
    await connection.end();
  });

  it('get so many answers ahead and no more', async () => {
    const [closing, admitted] = [connect(Number(new URL(service.url).port), '127.0.0.1'), MAX_PIPELINED + 1];
    const parts: Buffer[] = [];
    closing.on('data', (part: Buffer) => parts.push(part));
    closing.on('error', () => undefined);
    closing.write('OPTIONS / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(admitted));
    while (parts.join('').split('HTTP/1.1 204').length <= admitted) await once(closing, 'data');
    expect(cutOffs).to.deep.equal([]);
    // The system may give them to the service in parts, of which each is answered before the next.
    await until(() => {
      if (!closing.destroyed) closing.write('OPTIONS / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2 * admitted));
      return closing.destroyed;
    });
    expect(cutOffs.map(({ reason }) => reason)).to.deep.equal(['pipelining']);
  });
});
