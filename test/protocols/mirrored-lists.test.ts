/** The lists of other protocols in a mirror: those of its origins, joined, as strictly as their clients read them. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Service } from '../../src/service/service.ts';
import { createListEntry } from '../../src/protocols/luanti/list-entry.ts';
import { Turns } from '../../src/api/work/turns.ts';
import { openMirroredLists } from '../../src/protocols/mirrored-lists.ts';
import type { Rope } from '../../src/runtime/bytes/rope.ts';
import { ask } from '../support/ask.ts';
import { anEndpointRequest } from '../support/builders.ts';
import { startTestService } from '../support/start-test-service.ts';
import { until } from '../support/until.ts';
import { announced } from './luanti/builders.ts';

const ddnet = (port: number, more: object = {}) => ({
  addresses: [`tw-0.6+udp://203.0.113.7:${port}`],
  location: 'eu:de',
  info: { name: `n${port}`, clients: [], max_clients: 8 },
  ...more,
});

const luanti = (port: number, clients = 2, more: object = {}) => ({
  ...(JSON.parse(
    createListEntry(
      { ...announced('start', { clients }), port },
      { address: 'a.example', ping: 0.1 },
      undefined,
    ).document,
  ) as object),
  ...more,
});

describe('the lists of other protocols in a mirror', () => {
  const origins: Server[] = [];
  let mirror: Service;
  const closers: (() => Promise<void>)[] = [];
  let asked: (string | undefined)[];

  /** An origin that has such lists. */
  async function originWith(lists: Readonly<Record<string, unknown>>): Promise<Server> {
    const server = createServer((request, response) => {
      const path = request.url!.split('?')[0]!;
      if (path in lists) asked.push(request.headers['if-none-match']);
      const isKnown = request.headers['if-none-match'] === '"1"';
      const list = path === '/changes' ? { servers: [], removed: [], full: true, tag: 'a.1' } : lists[path];
      response.writeHead(list === undefined ? 404 : isKnown ? 304 : 200, {
        'Content-Type': 'application/json',
        ETag: '"1"',
      });
      response.end(isKnown ? '' : JSON.stringify(list ?? {}));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    origins.push(server);
    return server;
  }

  async function mirrorOf(...lists: Readonly<Record<string, unknown>>[]): Promise<void> {
    asked = [];
    const servers = await Promise.all(lists.map(originWith));
    const urls = servers.map(
      (server, at) => `o${at}=http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    );
    mirror = await startTestService({ GSLS_MIRRORS: urls.join(','), GSLS_PROTOCOLS: 'ddnet,luanti' });
    closers.push(() => mirror.close());
  }

  const listOf = async (path: string): Promise<Readonly<Record<string, unknown>>> =>
    JSON.parse((await ask(mirror, `GET ${path}`)).text) as Readonly<Record<string, unknown>>;

  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()));
    for (const server of origins.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('have the entries of all origins, and of one address the first', async () => {
    await mirrorOf(
      { '/ddnet/15/servers.json': { servers: [ddnet(1)] }, '/luanti/list': { list: [luanti(1)] } },
      {
        '/ddnet/15/servers.json': { servers: [ddnet(1, { location: 'na' }), ddnet(2)] },
        '/luanti/list': { list: [luanti(1, 5), luanti(2, 3)] },
      },
    );
    await until(async () => JSON.stringify(await listOf('/luanti/list')).includes('"port":2'));
    await until(async () => JSON.stringify(await listOf('/ddnet/15/servers.json')).includes(':2"'));
    expect(await listOf('/ddnet/15/servers.json')).to.deep.equal({ servers: [ddnet(1), ddnet(2)] });
    expect(await listOf('/luanti/list')).to.deep.equal({
      total: { servers: 2, clients: 5 },
      total_max: { servers: 2, clients: 5 },
      list: [luanti(1), luanti(2, 3)],
    });
    const answer = await ask(mirror, 'GET /ddnet/15/servers.json', {
      headers: { 'Accept-Encoding': 'gzip' },
    });
    expect(JSON.parse(gunzipSync(answer.bytes).toString())).to.deep.equal({ servers: [ddnet(1), ddnet(2)] });
    expect(answer.headers['last-modified']).to.be.a('string');
    const again = await ask(mirror, 'GET /ddnet/15/servers.json', {
      headers: { 'If-None-Match': answer.headers.etag! },
    });
    expect(again.status).to.equal(304);
    expect((await ask(mirror, 'GET /luanti/list?proto_version_min=37')).status).to.equal(200);
  });

  it('have none of what a client of the protocol could not read', async () => {
    const bad = [
      null,
      5,
      {},
      { addresses: 'x', info: {} },
      ddnet(3, { addresses: [] }),
      ddnet(3, { addresses: ['tw-0.6+udp://nowhere:1'] }),
      ddnet(3, { info: null }),
      ddnet(3, { info: { name: '\ud800' } }),
    ];
    const badLuanti = [null, {}, luanti(3, 2, { ping: 'fast' }), luanti(3, 2, { more: 1 })];
    await mirrorOf(
      {
        '/ddnet/15/servers.json': { servers: [...bad, ddnet(4, { location: null }), ddnet(5, { more: 1 })] },
        '/luanti/list': { list: [...badLuanti, luanti(6)] },
      },
      { '/ddnet/15/servers.json': { servers: 'none' } },
    );
    await until(async () => JSON.stringify(await listOf('/luanti/list')).includes('"port":6'));
    await until(async () => JSON.stringify(await listOf('/ddnet/15/servers.json')).includes(':5"'));
    const { location: _, ...nowhere } = ddnet(4);
    expect(await listOf('/ddnet/15/servers.json')).to.deep.equal({ servers: [nowhere, ddnet(5)] });
    expect(await listOf('/luanti/list')).to.deep.include({ list: [luanti(6)] });
  });

  it('ask with the key of an origin, and keep what one has said until the mirror gives it up', async () => {
    let isUp = true;
    const seen: (string | undefined)[][] = [];
    const origin = createServer(({ headers }, response) => {
      seen.push([headers.authorization, headers['if-none-match']]);
      const isKnown = headers['if-none-match'] === '"1"';
      response.writeHead(isUp ? (isKnown ? 304 : 200) : 503, {
        'Content-Type': 'application/json',
        ETag: '"1"',
      });
      response.end(isUp && !isKnown ? JSON.stringify({ servers: [ddnet(1)] }) : '');
    });
    await once(origin.listen(0, '127.0.0.1'), 'listening');
    origins.push(origin);
    const { port } = origin.address() as AddressInfo;
    let state: 'live' | 'away' | 'given_up' = 'live';
    const { routes } = await openMirroredLists({
      registry: {
        origins: () => [{ name: 'o', url: '', state, staleSince: undefined, servers: 0, problem: undefined }],
      } as never,
      currentList: {
        cacheControl: 'no-cache',
        caching: {},
        answer: async (make: (snapshot: undefined, isStale: boolean) => unknown) => make(undefined, false),
      } as never,
      turns: new Turns(),
      origins: [{ name: 'o', url: `http://127.0.0.1:${port}`, key: 'secret' }],
      protocols: ['ddnet'],
      intervalMs: 20,
      closeLater: (closer) => void closers.push(closer),
    });
    const listed = async (): Promise<string> => {
      const { body } = await routes[0]!.endpoint(anEndpointRequest());
      return (body as Rope).toBuffer().toString();
    };
    const whole = `${JSON.stringify({ servers: [ddnet(1)] })}\n`;
    await until(async () => (await listed()) === whole);
    // On a busy machine several looks begin before the first one has its answer.
    await until(() => seen.some(([, etag]) => etag === '"1"'));
    expect(seen[0]).to.deep.equal(['Bearer secret', undefined]);
    expect(seen.filter(([key]) => key !== 'Bearer secret')).to.deep.equal([]);
    isUp = false;
    state = 'away';
    const before = seen.length;
    await until(() => seen.length >= before + 2);
    expect(await listed()).to.equal(whole);
    state = 'given_up';
    await until(async () => (await listed()) === '{"servers":[]}\n');
  });
});
