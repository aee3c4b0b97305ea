import { expect } from 'chai';
import type { Endpoint, EndpointRequest } from '../../../src/api/http/route.ts';
import { resolveByDns, type CheckOptions } from '../../../src/protocols/luanti/check-server.ts';
import { openLuanti } from '../../../src/protocols/luanti/open-luanti.ts';
import { protocolContextOf } from '../../../src/protocols/open-protocols.ts';
import type { Backend } from '../../../src/registry/backend.ts';
import type { ListedGameServer } from '../../../src/model/game-server.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import { systemClock } from '../../../src/registry/registry.ts';
import { aProtocolContext } from '../../support/a-context.ts';
import { ask } from '../../support/ask.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { until } from '../../support/until.ts';
import { useService } from '../../support/use-service.ts';
import { aStart, anUpdate } from './builders.ts';
import { announce, announceAndWait, luantiRows, type LuantiRow } from './luanti-driver.ts';
import { LEAVING, startUdpServer, type UdpServer } from './played-server.ts';

const FILED = 'Request has been filed.';
const FAILED = 'Request has been filed, but the previous one encountered an error:\n';
const WARNED = 'Request has been filed, but there is a warning from the previous one:\n';

describe('an announcement of a Luanti server', () => {
  const service = useService({ GSLS_PROTOCOLS: 'luanti' });
  let udp: UdpServer;
  beforeEach(async () => (udp = await startUdpServer()));
  afterEach(() => udp.close());

  /** Its row, once the list has one with these fields. */
  async function listed(wanted: Readonly<Record<string, unknown>> = {}): Promise<LuantiRow> {
    let row: LuantiRow | undefined;
    await until(async () => {
      row = (await luantiRows(service)).find(
        (each) =>
          each.port === udp.port && Object.entries(wanted).every(([name, value]) => each[name] === value),
      );
      return row !== undefined;
    });
    return row!;
  }

  const says = (said: object): Record<string, unknown> => ({ ...said, port: udp.port });

  it('is filed at once, and in the list when it has answered', async () => {
    expect(await announceAndWait(service, says(aStart()))).to.deep.equal({
      status: 202,
      text: FILED,
      outcome: 'taken',
    });
    expect(await listed()).to.deep.include({
      name: 'A server',
      address: '127.0.0.1',
      mods: ['bucket', 'testtools'],
    });
  });

  it('is an entry like any other, with its game and flags', async () => {
    await announceAndWait(service, says(aStart({ name: '\u001b(c@#f00)Red \u202eserver' })));
    const { text } = await ask(service, 'GET /servers?protocol=luanti&game=devtest');
    const { servers } = JSON.parse(text) as { readonly servers: readonly LuantiRow[] };
    expect(servers.find(({ port }) => port === udp.port)).to.deep.include({
      name: 'Red server',
      ip: '127.0.0.1',
      players: 0,
      max_players: 15,
      version: '5.6.1',
      password: false,
      tags: ['damage', 'pvp'],
    });
  });

  it('carries over what an update leaves out', async () => {
    await announceAndWait(service, says(aStart()));
    await announceAndWait(service, says(anUpdate()));
    expect(await listed({ uptime: 300 })).to.deep.include({
      mods: ['bucket', 'testtools'],
      mapgen: 'v7',
      privs: 'interact,shout',
      can_see_far_names: true,
      dedicated: true,
      rollback: false,
      lag: 0.05,
    });
  });

  it('comes back with an update after it has left, without what only a start says', async () => {
    expect(await announceAndWait(service, says(anUpdate()))).to.include({ status: 202, outcome: 'taken' });
    expect(await listed({ uptime: 0 })).not.to.have.property('mods');
  });

  it('that updates an unknown server which has only just begun is none', async () => {
    expect(await announceAndWait(service, says(anUpdate({ uptime: 0 })))).to.include({
      status: 200,
      text: 'Server to update not found.',
    });
    expect(udp.got).to.deep.equal([]);
  });

  it('may not go back in time', async () => {
    await announceAndWait(service, says(aStart()));
    await announceAndWait(service, says(anUpdate({ uptime: 600 })));
    expect(await announceAndWait(service, says(anUpdate({ uptime: 300 })))).to.include({
      status: 400,
      text: 'Detected non-monotonic uptime.',
    });
    expect((await announceAndWait(service, says(aStart()))).status).to.equal(202);
  });

  it('takes the server off the list at once when it is a delete', async () => {
    await announceAndWait(service, says(aStart()));
    await listed();
    expect(await announce(service, says({ action: 'delete', address: '' }))).to.deep.equal({
      status: 200,
      text: 'Removed from server list.',
    });
    await until(async () => (await luantiRows(service)).every(({ port }) => port !== udp.port));
    expect(await announce(service, says({ action: 'delete' }))).to.deep.equal({
      status: 200,
      text: 'Server to remove not found.',
    });
  });

  it('is given up when the server leaves before it has answered', async () => {
    udp.answer = undefined;
    await announce(service, says(aStart()));
    await until(() => udp.got.length > 0);
    await announce(service, says({ action: 'delete' }));
    expect(await announceAndWait(service, { ...aStart(), port: (await startAnother()).port })).to.include({
      outcome: 'taken',
    });
    expect((await luantiRows(service)).map(({ port }) => port)).not.to.include(udp.port);
  });

  const others: UdpServer[] = [];
  afterEach(() => Promise.all(others.splice(0).map((each) => each.close())));
  async function startAnother(): Promise<UdpServer> {
    const another = await startUdpServer();
    others.push(another);
    return another;
  }

  it('is told with the next one that it did not answer', async () => {
    const gone = await startUdpServer();
    await gone.close();
    const said = { ...aStart(), port: gone.port };
    expect(await announceAndWait(service, said)).to.deep.equal({
      status: 202,
      text: FILED,
      outcome: 'refused',
    });
    expect(await announce(service, said)).to.deep.equal({
      status: 409,
      text: `${FAILED}Server 127.0.0.1 port ${gone.port} did not respond to ping`,
    });
  });

  it('is told with the next one that its name does not lead to it, and is listed by its address', async () => {
    const said = says(aStart({ address: '127.0.0.2' }));
    expect(await announceAndWait(service, said)).to.include({ status: 202, outcome: 'taken' });
    expect(await listed()).to.include({ address: '127.0.0.1' });
    expect(await announce(service, said)).to.deep.equal({
      status: 409,
      text: `${WARNED}Requester IP 127.0.0.1 does not match host 127.0.0.2`,
    });
  });

  it('with a wrong address is told so at once', async () => {
    const { status, text } = await announceAndWait(service, says(aStart({ address: 'a.pizza:30000' })));
    expect(status).to.equal(400);
    expect(text).to.include('without a port');
    expect(udp.got).to.deep.equal([]);
  });

  it('leaves the server again, as a client that connects and goes', async () => {
    await announceAndWait(service, says(aStart()));
    await until(() => udp.got.includes(LEAVING));
  });

  it('is answered as text, whatever is in it', async () => {
    const body = new URLSearchParams({ json: JSON.stringify(says(aStart({ address: '<script>' }))) });
    const answer = await ask(service, 'POST /luanti/announce', {
      body: body.toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status).to.equal(400);
    expect(answer.headers).to.include({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
  });

  it('through a proxy that is not trusted is refused: it would be the proxy that is asked', async () => {
    const { status, text } = await ask(service, 'POST /luanti/announce', {
      body: new URLSearchParams({ json: JSON.stringify(says(aStart())) }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': '198.51.100.7' },
    });
    expect(status).to.equal(400);
    expect(text).to.include('proxy');
    expect(udp.got).to.deep.equal([]);
  });

  it('that is too large is refused in text', async () => {
    const { status, headers, text } = await ask(service, 'POST /luanti/announce', {
      body: 'x'.repeat(40_000),
    });
    expect(status).to.equal(413);
    expect(headers['content-type']).to.equal('text/plain; charset=utf-8');
    expect(text).to.include('32768 bytes');
  });
});

describe('an announcement of a banned Luanti server', () => {
  const service = useService({ GSLS_PROTOCOLS: 'luanti', GSLS_ADMIN_KEY: 'boss' });

  it('is answered with the reason, and nothing is sent to it', async () => {
    const udp = await startUdpServer();
    await ask(service, 'POST /admin/bans', {
      body: { address: '127.0.0.1', reason: 'spam' },
      headers: { Authorization: 'Bearer boss' },
    });
    expect(await announceAndWait(service, aStart({ port: udp.port }))).to.include({
      status: 403,
      text: 'Banned: spam',
    });
    expect(udp.got).to.deep.equal([]);
    await udp.close();
  });
});

function requestOf(said: object): EndpointRequest {
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(`json=${encodeURIComponent(JSON.stringify(said))}`),
    client: { address: '127.0.0.1' },
    fields: undefined,
    query: '',
  };
}

describe('a room of Luanti', () => {
  let registry: MemoryRegistry;
  let outcomes: string[];
  beforeEach(() => {
    registry = new MemoryRegistry({ lifetime, uniqueAddress: false, clock: new ManualClock() });
    outcomes = [];
  });
  afterEach(() => registry.close());

  async function open(
    backend: Backend = registry,
    checkOptions?: CheckOptions,
    workers = 1,
  ): Promise<Endpoint> {
    const { options, ...others } = aProtocolContext(backend);
    const context = {
      ...others,
      options: { ...options, workers },
      onOutcome: (_: string, outcome: string) => void outcomes.push(outcome),
    };
    const room = await openLuanti(protocolContextOf(context, 'luanti'), checkOptions);
    return room.routes.find(({ path }) => path === '/luanti/announce')!.endpoint;
  }

  const untilCounted = (outcome: string, count = 1): Promise<void> =>
    until(() => outcomes.filter((each) => each === outcome).length === count);

  it('says for 450 s what went wrong', async () => {
    let now = 0;
    const options = { resolve: resolveByDns, timers: systemClock, elapsed: () => now };
    const endpoint = await open(registry, options);
    const gone = await startUdpServer();
    await gone.close();
    const request = requestOf(aStart({ port: gone.port }));
    for (const [n, [at, status]] of [
      [0, 202],
      [449_999, 409],
      [899_999, 202],
    ].entries()) {
      now = at!;
      expect((await endpoint(request)).status, `${at}`).to.equal(status);
      await untilCounted('refused', n + 1);
    }
  });

  it('looks up ten names of a network in 10 s, and lists the address of the others', async () => {
    let now = 0;
    const asked: string[] = [];
    const endpoint = await open(registry, {
      timers: systemClock,
      elapsed: () => now,
      async resolve(name) {
        asked.push(name);
        return ['127.0.0.1'];
      },
    });
    const servers = await Promise.all(Array.from({ length: 12 }, () => startUdpServer()));
    const announceAll = (): Promise<readonly string[]> =>
      Promise.all(
        servers.map(async ({ port }, n) => {
          const { body } = await endpoint(requestOf(aStart({ port, address: `s${n}.a.pizza` })));
          return body as string;
        }),
      );
    await announceAll();
    await untilCounted('listed', 12);
    expect(asked).to.have.length(10);
    expect(outcomes.filter((each) => each === 'unresolved')).to.have.length(2);
    const hosts = [...(await registry.entries())].map(({ host }) => host);
    expect(hosts).to.have.members([...asked, '127.0.0.1', '127.0.0.1']);
    now = 10_000;
    const warned = (await announceAll()).filter((text) => text !== FILED);
    expect(warned).to.have.length(2);
    expect(warned[0]).to.match(
      /\nat most 10 names of your network are looked up in 10 s: 127\.0\.0\.1 is listed instead of s\d+\.a\.pizza$/,
    );
    await untilCounted('refreshed', 12);
    expect(asked).to.have.length(20);
    await Promise.all(servers.map((each) => each.close()));
  });

  it('looks up its part of these names where it is one of several workers', async () => {
    const asked: string[] = [];
    const resolve = async (name: string): Promise<string[]> => {
      asked.push(name);
      return ['127.0.0.1'];
    };
    const endpoint = await open(registry, { timers: systemClock, elapsed: () => 0, resolve }, 4);
    const servers = await Promise.all(Array.from({ length: 4 }, () => startUdpServer()));
    for (const [n, { port }] of servers.entries())
      await endpoint(requestOf(aStart({ port, address: `s${n}.a.pizza` })));
    await untilCounted('listed', 4);
    expect(asked).to.have.length(3);
    await Promise.all(servers.map((each) => each.close()));
  });

  it('refuses an announcement while the registry is unavailable', async () => {
    const endpoint = await open();
    const listing = await registry.list();
    registry.list = async () => ({ ...listing, staleSince: 1 });
    const refused = await endpoint(requestOf(aStart())).catch((error: unknown) => error);
    expect(refused).to.have.property('code', 'registry_unavailable');
    expect(outcomes).to.deep.equal([]);
  });

  it('waits for what is to be carried over, while its replica has just started', async () => {
    const udp = await startUdpServer();
    await (
      await open()
    )(requestOf(aStart({ port: udp.port })));
    await untilCounted('listed');
    let looks = 0;
    const { nativeEntries, secret, moderation } = registry;
    const starting = {
      secret,
      moderation,
      list: registry.list.bind(registry),
      known: registry.known.bind(registry),
      nativeEntries: {
        publish: nativeEntries.publish.bind(nativeEntries),
        documentOf: (entry: ListedGameServer) =>
          (looks += 1) > 4 ? nativeEntries.documentOf(entry) : undefined,
      },
    } as unknown as Backend;
    await (
      await open(starting)
    )(requestOf(anUpdate({ port: udp.port })));
    await untilCounted('refreshed');
    const [entry] = await registry.entries();
    expect(JSON.parse(nativeEntries.documentOf(entry!)!)).to.deep.include({
      uptime: 300,
      mods: ['bucket', 'testtools'],
    });
    await udp.close();
  });
});

describe('the list of Luanti', () => {
  const service = useService({ GSLS_PROTOCOLS: 'luanti' });
  const running: UdpServer[] = [];
  after(() => Promise.all(running.map((each) => each.close())));

  it('says how many there are, the best first, and nothing of others', async () => {
    await service.broadcast();
    for (const clients of [0, 7, 3]) {
      const udp = await startUdpServer();
      running.push(udp);
      await announceAndWait(service, aStart({ port: udp.port, clients, clients_list: undefined }));
    }
    const list = async (): Promise<{ readonly list: readonly LuantiRow[]; readonly total: object }> =>
      JSON.parse((await ask(service, 'GET /luanti/list?proto_version_min=37&proto_version_max=49')).text);
    await until(async () => (await list()).list.length === 3);
    const { list: rows, ...totals } = await list();
    expect(rows.map(({ clients }) => clients)).to.deep.equal([7, 3, 0]);
    expect(totals).to.deep.equal({
      total: { servers: 3, clients: 10 },
      total_max: { servers: 3, clients: 10 },
    });
  });

  it('answers HEAD, and 304 to who has it', async () => {
    const head = await ask(service, 'HEAD /luanti/list');
    expect(head).to.include({ status: 200, text: '' });
    const { status } = await ask(service, 'GET /luanti/list', {
      headers: { 'If-None-Match': head.headers.etag },
    });
    expect(status).to.equal(304);
  });

  it('may be read by pages of other origins', async () => {
    const { headers } = await ask(service, 'GET /luanti/list', { headers: { Origin: 'https://a.pizza' } });
    expect(headers['access-control-allow-origin']).to.equal('*');
  });

  it('says nothing of continents: another than its six stops the client', async () => {
    expect(await ask(service, 'GET /luanti/geoip')).to.include({ status: 200, text: '{}' });
  });
});
