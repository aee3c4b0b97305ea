/** `GET /history`. */

import { mock } from 'node:test';
import { expect } from 'chai';
import type { Answer } from '../../../src/api/http/answer.ts';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { createConfig } from '../../../src/service/config/config.ts';
import { HistoryBodies } from '../../../src/api/lists/history-bodies.ts';
import type { Rope } from '../../../src/runtime/bytes/rope.ts';
import { Turns } from '../../../src/api/work/turns.ts';
import { OWN } from '../../../src/api/work/work.ts';
import type { EndpointRequest } from '../../../src/api/http/route.ts';
import { createHistory } from '../../../src/api/lists/history.ts';
import type { HistoryPoint, HistoryPoints, HistoryStep } from '../../../src/registry/history-record.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import { createListener } from '../../support/create-listener.ts';
import { aGameServer, anEndpointRequest, broadcastTo } from '../../support/builders.ts';
import { listen } from '../../support/listen.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { silentLogger } from '../../support/start-test-service.ts';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 10, 22, 10);

function pointAt(minute: number): HistoryPoint {
  return { time: START + minute * MINUTE_MS, servers: minute, players: 2 * minute, peak: 3 * minute };
}

const asked = (query: string, headers: EndpointRequest['headers'] = {}): EndpointRequest =>
  anEndpointRequest({ query, headers });

const textOf = ({ body }: Answer): string => (body as Rope).toString();

describe('GET /history', () => {
  afterEach(() => mock.restoreAll());

  let points: Record<HistoryStep, HistoryPoints>;
  const create = () =>
    createHistory({
      registry: { history: { points: async (step) => points[step] } },
      currentList: { caching: { 'Cache-Control': 'private, no-cache' } },
      turns: new Turns(),
    });
  const bodyOf = async (query: string): Promise<unknown> => JSON.parse(textOf(await create()(asked(query))));

  beforeEach(() => {
    points = { minute: [0, 1, 3].map(pointAt), hour: [pointAt(0)] };
  });

  it('has the points in order, to the byte', async () => {
    const answer = await create()(asked('step=hour'));
    const { status, headers } = answer;
    expect([status, textOf(answer)]).to.deep.equal([
      200,
      '{"status":"success","step":"hour","points":[{"time":"2026-11-22T10:00:00.000Z","servers":0,"players":0,"peak_players":0}]}',
    ]);
    expect(headers).to.include({
      'Cache-Control': 'private, no-cache',
      'Content-Type': 'application/json; charset=utf-8',
    });
  });

  for (const [query, expected] of [
    ['', [0, 1, 3]],
    ['from=2026-11-22T10:01Z', [1, 3]],
    ['to=2026-11-22T10:01Z', [0]],
    ['from=2026-11-22T10:00:01Z&to=2026-11-22T10:03:01Z', [1, 3]],
    ['from=2026-11-22T10:02Z&to=2026-11-22T10:03Z', []],
    ['from=2026-11-23', []],
    [`to=${START / 1000}`, []],
  ] as const) {
    it(`has the points from one time on, and before the other: ${query || 'all'}`, async () => {
      const body = (await bodyOf(query)) as { points: { servers: number }[] };
      expect(body.points.map(({ servers }) => servers)).to.deep.equal(expected);
    });
  }

  it('has no points of a registry that is new', async () => {
    points = { minute: [], hour: [] };
    expect(await bodyOf('')).to.deep.equal({ status: 'success', step: 'minute', points: [] });
  });

  it('is 304 while the part that is asked for is the same, and no longer', async () => {
    const endpoint = create();
    const early = 'to=2026-11-22T10:02Z';
    const tag = async (query: string): Promise<string> =>
      (await endpoint(asked(query))).headers['ETag'] as string;
    const [whole, part] = [await tag(''), await tag(early)];
    expect(whole).to.not.equal(part);
    points.minute = [...points.minute, pointAt(4)];
    const again = await endpoint(asked(early, { 'if-none-match': `W/${part}` }));
    expect([again.status, again.body, again.headers['ETag']]).to.deep.equal([304, '', part]);
    expect((await endpoint(asked('', { 'if-none-match': whole }))).status).to.equal(200);
    expect(await tag(early)).to.equal(part);
  });

  it('is compressed for a client that takes gzip, with a tag of its own', async () => {
    points.minute = Array.from({ length: 2880 }, (_, i) => pointAt(i));
    const endpoint = create();
    const plain = await endpoint(asked(''));
    const gzip = await endpoint(asked('', { 'accept-encoding': 'br, gzip' }));
    expect(gzip.headers).to.include({ 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' });
    expect(gzip.headers['ETag']).to.not.equal(plain.headers['ETag']);
    const bytes = (gzip.body as Rope).toBuffer();
    expect(gunzipSync(bytes).toString()).to.equal(textOf(plain));
    expect(bytes.length).to.be.below(textOf(plain).length / 5);
    const known = asked('', { 'if-none-match': gzip.headers['ETag'] as string });
    expect((await endpoint(known)).status).to.equal(304);
    const none = asked('', { 'accept-encoding': 'br, identity;q=0' });
    expect(await endpoint(none).catch((error: unknown) => error)).to.include({ code: 'not_acceptable' });
  });

  it('renders all 9,600 hours without holding the event loop', async () => {
    points.hour = Array.from({ length: 9600 }, (_, i) => pointAt(60 * i));
    let rounds = 0;
    let isDone = false;
    const count = (): void => {
      rounds += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const bodies = new HistoryBodies(new Turns());
    const query = { step: 'hour', from: -Infinity, to: Infinity } as const;
    const { plain } = await bodies.bodyOf(points.hour, query, OWN);
    isDone = true;
    expect((JSON.parse(plain.toString()) as { points: unknown[] }).points).to.have.length(9600);
    expect(rounds).to.be.above(2);
  });

  it('is rendered once for all that ask for it, and again when a point is new', async () => {
    // Each step of the work takes a turn of its own: those of all who ask alternate.
    let now = 0;
    mock.method(performance, 'now', () => (now += 1000));
    const bodies = new HistoryBodies(new Turns());
    const query = { step: 'minute', from: -Infinity, to: START + 2 * MINUTE_MS } as const;
    const [first, second] = await Promise.all([
      bodies.bodyOf(points.minute, query, OWN),
      bodies.bodyOf(points.minute, { ...query, to: query.to + 1 }, OWN),
    ]);
    expect(await bodies.bodyOf(points.minute, query, OWN)).to.equal(first);
    expect(second).to.equal(first);
    expect(await bodies.bodyOf([...points.minute, pointAt(4)], query, OWN)).to.not.equal(first);
  });
});

describe('the history of a service', () => {
  const clock = new ManualClock(START);
  let registry: MemoryRegistry;
  let server: Server;
  let url: string;

  before(async () => {
    registry = new MemoryRegistry({ lifetime, uniqueAddress: false, clock });
    const environment = { GSLS_KEY: 'a-key-of-many-characters' };
    const config = createConfig({ flags: {}, environment, readFile: () => '' });
    server = createServer(createListener({ config, registry, lifetime, logger: silentLogger }));
    await listen(server, '127.0.0.1', 0);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/history`;
    await broadcastTo(registry, aGameServer({ players: 5 }));
    await clock.advance(MINUTE_MS);
  });
  after(async () => {
    server.close();
    await registry.close();
  });

  const ask = (query = '', method = 'GET'): Promise<Response> =>
    fetch(url + query, { method, headers: { Authorization: 'Bearer a-key-of-many-characters' } });

  it('is told to those that may read the list', async () => {
    const answer = await ask('?step=minute');
    expect(await answer.json()).to.deep.equal({
      status: 'success',
      step: 'minute',
      points: [{ time: '2026-11-22T10:00:00.000Z', servers: 1, players: 5, peak_players: 5 }],
    });
    expect(answer.headers.get('cache-control')).to.equal('private, no-cache');
    expect((await fetch(url)).status).to.equal(401);
  });

  it('is told by HEAD without its body, and to no other method', async () => {
    const head = await ask('', 'HEAD');
    expect([head.status, await head.text()]).to.deep.equal([200, '']);
    expect(Number(head.headers.get('content-length'))).to.be.above(100);
    expect((await ask('', 'POST')).status).to.equal(405);
  });

  it('names every wrong parameter', async () => {
    const answer = await ask('?step=day&until=2026');
    expect(answer.status).to.equal(400);
    const { code, details } = (await answer.json()) as { code: string; details: { field: string }[] };
    expect([code, details.map(({ field }) => field)]).to.deep.equal(['invalid_query', ['step', 'until']]);
  });
});
