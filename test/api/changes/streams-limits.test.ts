/** How many streams there may be, and what becomes of clients that do not read. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { createConfig } from '../../../src/service/config/config.ts';
import { Pulse } from '../../../src/runtime/pulse.ts';
import { startHttpServer, type HttpServer } from '../../../src/api/http/server/server.ts';
import { LONGEST_LAG_BYTES } from '../../../src/api/changes/live-changes.ts';
import { StreamLimits } from '../../../src/api/changes/stream-limits.ts';
import { createGameServerId } from '../../../src/model/game-server.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import { createMetrics } from '../../../src/service/metrics/create-metrics.ts';
import { createListener } from '../../support/create-listener.ts';
import { ask, expectError } from '../../support/ask.ts';
import { aGameServer } from '../../support/builders.ts';
import { ChangesFollower, type ToldChanges } from '../../support/follow-changes.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { silentLogger, startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';

const REQUEST = 'GET /changes HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n';

/** A request that a trusted proxy forwards for this client. */
function from(address: string): string {
  return REQUEST.replace('\r\n\r\n', `\r\nX-Forwarded-For: ${address}\r\n\r\n`);
}

describe('streams', function () {
  this.timeout(60_000);
  let registry: MemoryRegistry;
  let server: HttpServer;
  let metrics: ReturnType<typeof createMetrics>;
  let stopping: AbortController;
  const sockets: Socket[] = [];
  const logged: object[] = [];

  async function start(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    registry = new MemoryRegistry({ lifetime, uniqueAddress: false });
    metrics = createMetrics();
    stopping = new AbortController();
    const listener = createListener({
      config: createConfig({
        flags: {},
        environment: { GSLS_FEED_INTERVAL: '100', ...environment },
        readFile: () => '',
      }),
      registry,
      lifetime,
      metrics,
      logger: { ...silentLogger, debug: (fields) => logged.push(fields) },
      stopping: stopping.signal,
    });
    server = await startHttpServer({
      listener,
      host: '127.0.0.1',
      port: 0,
      stopping: stopping.signal,
      logError: () => undefined,
      pulse: new Pulse(),
    });
  }

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    stopping.abort();
    await server.close(0);
    await registry.close();
    logged.length = 0;
  });

  /** Opens a stream. Resolves with the status line of its answer, which is all that is read if `isReading` is false. */
  async function open(request = REQUEST, isReading = true): Promise<{ socket: Socket; head: string }> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    socket.write(request);
    const [first] = (await once(socket, 'data')) as [Buffer];
    if (isReading) socket.resume();
    else socket.pause();
    return { socket, head: first.toString() };
  }

  async function metric(name: string): Promise<number> {
    const line = (await metrics.render(registry)).split('\n').find((each) => each.startsWith(`${name} `));
    return Number(line?.split(' ')[1]);
  }

  it('are limited in all, and the refusal says so and when to try again', async () => {
    await start({ GSLS_MAX_STREAMS: '2' });
    const [first] = [await open(), await open()];
    expect(await metric('gsls_streams')).to.equal(2);
    const refused = await ask(server, 'GET /changes', { headers: { Accept: 'text/event-stream' } });
    expectError(refused, 'too_many_streams');
    expect(refused.body.error).to.include('this replica has as many streams as it may, 2');
    expect(Number(refused.headers['retry-after'])).to.be.within(5, 15);
    expect((await ask(server, 'GET /changes')).status).to.equal(200);
    first.socket.destroy();
    await until(async () => (await metric('gsls_streams')) === 1);
    expect((await open()).head).to.match(/^HTTP\/1.1 200 /);
  });

  it('begin one after the other on a connection that asks for several at once, and all end with it', async () => {
    await start();
    const { socket } = await open(REQUEST.repeat(50));
    await until(async () => (await metric('gsls_streams')) === 1);
    socket.destroy();
    await until(async () => (await metric('gsls_streams')) === 0);
    const late = await open(`GET /changes HTTP/1.1\r\nHost: a\r\n\r\n${REQUEST}`);
    await until(async () => (await metric('gsls_streams')) === 1);
    late.socket.destroy();
    await until(async () => (await metric('gsls_streams')) === 0);
  });

  it('are the same for a request that takes the Koa path', async () => {
    await start();
    const { socket, head } = await open(REQUEST.replace('\r\n\r\n', '\r\nContent-Length: 0\r\n\r\n'));
    expect(head)
      .to.match(/^HTTP\/1.1 200 /)
      .and.include('text/event-stream');
    let text = '';
    socket.on('data', (part: Buffer) => (text += part.toString()));
    const id = createGameServerId();
    await registry.broadcast(id, aGameServer());
    await until(() => text.includes(id));
  });

  it('are limited for one address', async () => {
    await start({ GSLS_MAX_STREAMS_PER_ADDRESS: '2', GSLS_TRUST_PROXY: 'loopback' });
    for (const address of ['2001:db8::1', '2001:db8::2', '192.0.2.1'])
      expect((await open(from(address))).head).to.match(/^HTTP\/1.1 200 /);
    const { head } = await open(from('2001:db8::3'));
    expect(head)
      .to.match(/^HTTP\/1.1 429 /)
      .and.include('this address has as many streams as it may, 2');
    expect((await open(from('2001:db8:0:1::1'))).head).to.match(/^HTTP\/1.1 200 /);
  });

  it('count by network and are given back', () => {
    const limits = new StreamLimits({ ofAll: { most: Infinity, open: 0 }, most: 3, mostPerAddress: 1 });
    const release = limits.take('2001:db8::1');
    expect(() => limits.check('2001:db8::9')).to.throw('this address');
    expect(() => limits.check('192.0.2.1')).to.not.throw();
    release();
    expect(() => limits.check('2001:db8::9')).to.not.throw();
    expect(limits.count).to.equal(0);
  });

  it('are not offered with --max-streams 0', async () => {
    await start({ GSLS_MAX_STREAMS: '0' });
    const refused = await ask(server, 'GET /changes', { headers: { Accept: 'text/event-stream' } });
    expectError(refused, 'too_many_streams');
    expect(refused.body.error).to.include('no streams');
  });

  it('count as lists for rate limits, once each', async () => {
    await start();
    const service = await startTestService({ GSLS_RATE_LIMIT: 'list=2/h' });
    const opened = ['first', 'second'].map(() =>
      new ChangesFollower({ urls: [service.url], by: 'stream' }).start(),
    );
    await until(() => opened.every(({ fulls }) => fulls === 1));
    const refused = await ask(service, 'GET /changes', { headers: { Accept: 'text/event-stream' } });
    expectError(refused, 'rate_limited');
    expect(opened.map(({ failures }) => failures)).to.deep.equal([0, 0]);
    await Promise.all(opened.map((follower) => follower.stop()));
    await service.close();
  });

  it('cut off a client that is 1 MB behind, which goes on where it was, and keep all others', async () => {
    await start();
    const ids = Array.from({ length: 100 }, () => createGameServerId());
    const name = 'x'.repeat(5000);
    for (const id of ids) await registry.broadcast(id, aGameServer({ name }));
    const quick = new ChangesFollower({ urls: [server.url], by: 'stream' }).start();
    const { socket } = await open(REQUEST, false);
    let closed = false;
    socket.once('close', () => (closed = true));
    await until(() => quick.fulls === 1);
    for (let players = 1; (await metric('gsls_streams')) === 2; players += 1) {
      const { length } = quick.told;
      for (const id of ids) await registry.ping(id, aGameServer({ name, players }));
      await until(() => quick.told.length > length);
    }
    // What was on its way when it was cut off is lost: the client is no longer connected.
    socket.resume();
    await until(() => closed);
    expect(
      (await metrics.render(registry)).match(/gsls_streams_cut_off_total\{reason="lagging"\} 1/),
    ).to.not.equal(null);
    expect(logged).to.deep.include({ reason: 'lagging', remoteAddress: '127.0.0.1' });
    expect(quick.failures).to.equal(0);
    expect(quick.fulls).to.equal(1);
    await quick.stop();
    await until(async () => (await metric('gsls_streams')) === 0);
    const { body } = await ask(server, 'GET /changes');
    expect([...quick.servers.values()].toSorted(byId)).to.deep.equal(
      [...(body as unknown as ToldChanges).servers].toSorted(byId),
    );
  });

  it('of slow clients may hold no more memory than --max-waiting, and those go that have waited the longest', async () => {
    await start({ GSLS_MAX_WAITING: String(2 * LONGEST_LAG_BYTES) });
    // Of each list the system takes 4 MB, and what is left is well above the limit.
    const name = `A${'x'.repeat(5000)}`;
    for (let n = 0; n < 1600; n += 1) await registry.broadcast(createGameServerId(), aGameServer({ name }));
    const slow = [
      await open(REQUEST, false),
      await open(REQUEST.replace('/changes', '/changes?name=A*'), false),
    ];
    await until(async () => (await metric('gsls_streams')) === 0);
    expect(
      (await metrics.render(registry)).match(/gsls_streams_cut_off_total\{reason="memory"\} 2/),
    ).to.not.equal(null);
    for (const { socket } of slow) socket.resume();
    await until(() => slow.every(({ socket }) => socket.closed));
  });
});

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}
