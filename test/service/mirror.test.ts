/** A mirror of running services: what it hands out, and what stays while they are away. */

import { once } from 'node:events';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { list, watch } from '../../clients/typescript/src/index.ts';
import type { Service } from '../../src/service/service.ts';
import { ask, expectError } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { LogRecord } from '../support/log-record.ts';
import { startTestService } from '../support/start-test-service.ts';
import { until } from '../support/until.ts';
import { useDirectory } from '../support/use-directory.ts';

interface Told {
  readonly id: string;
  readonly name: string;
  readonly origin?: string;
  readonly also_at?: readonly string[];
  readonly meta?: object;
}

interface ToldOrigin {
  readonly name: string;
  readonly state: string;
  readonly age: number;
  readonly servers: number;
}

async function broadcast(service: Service, name: string, port: number, more: object = {}): Promise<string> {
  const body = aBroadcast({ server_name: name, server_port: port, ...more });
  return (await ask(service, 'POST /broadcast', { body })).body.server_id!;
}

const serversOf = async (service: Service, query = ''): Promise<readonly Told[]> =>
  (await ask(service, `GET /servers?${query}`)).body.servers as unknown as readonly Told[];

const originsOf = async (service: Service, path = '/health'): Promise<readonly ToldOrigin[]> =>
  ((await ask(service, `GET ${path}` as 'GET /')).body as unknown as { origins: ToldOrigin[] }).origins;

const namesOf = async (service: Service, query = ''): Promise<readonly string[]> =>
  (await serversOf(service, query)).map(({ name }) => name);

async function listening(server: Server): Promise<void> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a mirror', () => {
  const newPath = useDirectory();
  const running = new Set<{ close(): Promise<void> }>();
  const log = new LogRecord();

  async function start(environment: Readonly<Record<string, string>> = {}): Promise<Service> {
    const service = await startTestService({ GSLS_FEED_INTERVAL: '100', ...environment }, log.logger);
    running.add(service);
    return service;
  }

  async function stop(service: { close(): Promise<void> }): Promise<void> {
    running.delete(service);
    await service.close();
  }

  const mirrorOf = (origins: Readonly<Record<string, Service | string>>, more = {}): Promise<Service> => {
    const urls = Object.entries(origins).map(
      ([name, origin]) => `${name}=${typeof origin === 'string' ? origin : origin.url}`,
    );
    return start({ GSLS_MIRRORS: urls.join(','), ...more });
  };

  afterEach(async () => {
    await Promise.all([...running].map(stop));
    log.lines.length = 0;
  });

  it('hands out the lists of its origins as one, with all that game servers say', async () => {
    const [eu, us] = [await start(), await start()];
    await broadcast(eu, 'a', 1, { map: 'm', tags: ['t'], meta: { deep: { 1: [2] } } });
    const other = await broadcast(us, 'same address', 1);
    await broadcast(us, 'b', 2);
    const mirror = await mirrorOf({ eu, us });
    const servers = await serversOf(mirror, 'include=meta&sort=name');
    expect(servers.map(({ name, origin, also_at: also }) => [name, origin, also])).to.deep.equal([
      ['a', 'eu', ['us']],
      ['b', 'us', undefined],
    ]);
    const [its] = await serversOf(eu, 'include=meta');
    expect(servers[0]).to.deep.equal({ ...its, origin: 'eu', also_at: ['us'] });
    expect(await namesOf(mirror, 'origin=us')).to.deep.equal(['b']);
    const one = await ask(mirror, `GET /servers/${other}` as 'GET /');
    expect((one.body as unknown as { server: Told }).server).to.deep.equal(servers[0]);
    const whole = await ask(mirror, 'GET /');
    expect(whole.text).not.to.include('origin');
    expect(whole.body.count).to.equal(2);
    expect(await originsOf(mirror)).to.deep.equal([
      { name: 'eu', state: 'live', age: 0, servers: 1 },
      { name: 'us', state: 'live', age: 0, servers: 2 },
    ]);
    for (let reader = 0; reader < 2; reader += 1)
      expect(await originsOf(mirror, '/stats')).to.deep.equal(await originsOf(mirror));
    const history = await ask(mirror, 'GET /history?step=minute');
    expect(history.status).to.equal(200);
  });

  it('tells its readers each change, and a reader from another mirror the whole list once', async () => {
    const eu = await start();
    const id = await broadcast(eu, 'a', 1);
    const [one, other] = [await mirrorOf({ eu }), await mirrorOf({ eu })];
    const told = (await ask(one, 'GET /changes')).body as { tag?: string };
    const moved = (await ask(other, `GET /changes?since=${told.tag}` as 'GET /')).body as {
      full?: boolean;
      tag?: string;
    };
    expect(moved.full).to.equal(true);
    const again = (await ask(other, `GET /changes?since=${moved.tag}` as 'GET /')).body;
    expect(again).to.deep.include({ full: false, servers: [] });
    const seen: string[] = [];
    for await (const { servers } of watch(one.url)) {
      seen.push(servers.map(({ name, players }) => `${name} ${players}`).join());
      if (seen.length === 1)
        await ask(eu, 'POST /ping', {
          body: aBroadcast({ server_id: id, server_name: 'a', server_port: 1, players: 7 }),
        });
      else break;
    }
    expect(seen).to.deep.equal(['a 3', 'a 7']);
  });

  it('refuses what only an origin can do, and names where', async () => {
    const [eu, us] = [await start(), await start()];
    const id = await broadcast(us, 'a', 1);
    const mirror = await mirrorOf({ eu, us });
    for (const request of [
      'POST /broadcast',
      'POST /ping',
      'GET /ping',
      'POST /remove',
      'POST /doctor',
      'POST /report',
      'GET /join/ABCDEFGH',
      'POST /ddnet/15/register',
      'POST /luanti/announce',
    ] as const) {
      const answer = await ask(mirror, request, request.startsWith('POST') ? { body: {} } : {});
      expectError(answer, 'read_only');
      expect(answer.body.error).to.include(`${eu.url} or ${us.url}`);
      const path = request.split(' ')[1]!;
      expect(answer.headers.link).to.equal(`<${eu.url}${path}>; rel="via", <${us.url}${path}>; rel="via"`);
    }
    const history = await ask(mirror, `GET /servers/${id}/history` as 'GET /');
    expectError(history, 'read_only');
    expect(history.headers.link).to.equal(`<${us.url}/servers/${id}/history>; rel="via"`);
    expect((await ask(mirror, 'GET /admin/bans')).status).to.equal(404);
  });

  it('keeps the list of an origin that is away, and says so', async () => {
    const [eu, us] = [await start(), await start()];
    await broadcast(eu, 'a', 1);
    await broadcast(us, 'b', 2);
    const mirror = await mirrorOf({ eu, us });
    const before = await ask(mirror, 'GET /');
    await stop(eu);
    await until(async () => (await originsOf(mirror))[0]!.state === 'away');
    const after = await ask(mirror, 'GET /');
    expect(after.body.count).to.equal(2);
    expect(after.headers).to.deep.include({ warning: '110 - "Response is Stale"' });
    expect(Number(after.headers.age)).to.be.above(0);
    expect(after.headers.etag).not.to.equal(before.headers.etag);
    expect((await list(mirror.url)).staleSince).to.be.instanceOf(Date);
    const [its, other] = await originsOf(mirror);
    expect(its).to.include({ name: 'eu', servers: 1 });
    expect(its!.age).to.be.above(0);
    expect(other).to.include({ state: 'live', age: 0 });
    const metrics = (await ask(mirror, 'GET /metrics')).text;
    expect(metrics).to.include('gsls_origin_current{origin="eu"} 0\ngsls_origin_current{origin="us"} 1');
    expect(log.lines.filter(({ origin }) => origin === 'eu').map(({ msg }) => msg)).to.deep.equal([
      'the list of an origin is current',
      'the list of an origin is not current: its game servers stay as they were',
    ]);
  });

  it('gives up an origin that is away for longer than --max-stale, and takes its list again', async () => {
    const [eu, us] = [await start(), await start()];
    const { port } = new URL(eu.url);
    await broadcast(eu, 'a', 1);
    await broadcast(us, 'b', 2);
    const mirror = await mirrorOf({ eu, us }, { GSLS_MAX_STALE: '1' });
    await stop(eu);
    await until(async () => (await originsOf(mirror))[0]!.state === 'given_up');
    expect(await namesOf(mirror)).to.deep.equal(['b']);
    expect((await ask(mirror, 'GET /')).headers.warning).to.equal(undefined);
    const again = await start({ GSLS_PORT: port });
    await broadcast(again, 'c', 3);
    await until(async () => (await namesOf(mirror, 'sort=name')).join() === 'b,c');
    await Promise.all([stop(again), stop(us)]);
    await until(async () => (await ask(mirror, 'GET /')).status === 503);
  });

  it('follows no mirror, and no registry twice', async () => {
    const eu = await start();
    const mirror = await mirrorOf({ eu });
    const second = await mirrorOf({ mirror, eu, again: eu.url.replace('127.0.0.1', 'localhost') });
    expect((await originsOf(second)).map(({ state }) => state)).to.deep.equal(['away', 'live', 'away']);
    const reasons = log.lines.flatMap(({ reason }) => reason ?? []);
    expect(reasons).to.have.members([
      'is a mirror itself: name the origins of that mirror here',
      'is the same registry as eu: name it once',
    ]);
  });

  it('reads with a key where one is asked for, and says what is refused', async () => {
    const eu = await start({ GSLS_KEY: 'a key of eu' });
    await ask(eu, 'POST /broadcast', {
      body: aBroadcast({ server_name: 'a' }),
      headers: { Authorization: 'Bearer a key of eu' },
    });
    const mirror = await mirrorOf({ eu }, { GSLS_MIRROR_KEYS: 'eu=a key of eu' });
    expect(await namesOf(mirror)).to.deep.equal(['a']);
    log.lines.length = 0;
    const without = await mirrorOf({ eu });
    expectError(await ask(without, 'GET /'), 'registry_unavailable');
    expect(log.lines.map(({ reason }) => reason)).to.include(
      'answers 401: a valid key is needed in the Authorization header',
    );
  });

  it('is a registry of a configuration file, and follows other origins once the file names them', async () => {
    const [eu, us] = [await start(), await start()];
    await broadcast(eu, 'a', 1);
    await broadcast(us, 'b', 2);
    const file = newPath();
    const write = (mirrors: string): void =>
      writeFileSync(file, JSON.stringify({ registries: { all: { mirrors: [mirrors] }, own: {} } }));
    write(`eu=${eu.url}`);
    const service = await start({ GSLS_CONFIG: file });
    const namesAt = async (registry: string): Promise<readonly string[]> =>
      (await ask(service, `GET /${registry}/servers`)).body.servers!.map(({ name }) => name);
    expect(await namesAt('all')).to.deep.equal(['a']);
    const own = await ask(service, 'POST /own/broadcast', { body: aBroadcast({ server_name: 'c' }) });
    expect(own.status).to.equal(200);
    expectError(await ask(service, 'POST /all/broadcast', { body: aBroadcast() }), 'read_only');
    write(`us=${us.url}`);
    await service.reload();
    expect(await namesAt('all')).to.deep.equal(['b']);
    expect(await namesAt('own')).to.deep.equal(['c']);
    write('nowhere');
    await service.reload();
    expect(await namesAt('all')).to.deep.equal(['b']);
  });

  it('begins with the list that it has kept, with every origin away', async () => {
    const eu = await start();
    const id = await broadcast(eu, 'a', 1, { meta: { a: 1 } });
    const kept = newPath();
    const first = await mirrorOf({ eu }, { GSLS_MIRROR_KEEP: kept });
    const [told] = await serversOf(first, 'include=meta');
    await stop(first);
    const { url } = eu;
    await stop(eu);
    writeFileSync(
      kept,
      readFileSync(kept, 'utf8').replace(/(?<="asOf":)\d+/, (asOf) => String(Number(asOf) - 100_000)),
    );
    const second = await mirrorOf({ eu: url }, { GSLS_MIRROR_KEEP: kept });
    expect(await serversOf(second, 'include=meta')).to.deep.equal([told]);
    const { headers } = await ask(second, 'GET /');
    expect(headers.warning).to.include('110');
    expect(Number(headers.age)).to.be.within(100, 130);
    expect((await originsOf(second))[0]).to.deep.include({ state: 'away', servers: 1 });
    await stop(second);
    const again = await start({ GSLS_PORT: new URL(url).port });
    await broadcast(again, 'b', 2);
    const third = await mirrorOf({ eu: url }, { GSLS_MIRROR_KEEP: kept });
    await until(async () => (await namesOf(third, 'sort=name')).join() === 'a,b');
    expect((await originsOf(third))[0]!.state).to.equal('held');
    expect((await ask(third, `GET /servers/${id}`)).status).to.equal(200);
  });

  it('keeps its list as soon as an origin has told it for the first time, though it is killed soon', async () => {
    const [eu, us] = [await start(), await start()];
    await broadcast(eu, 'a', 1);
    await broadcast(us, 'b', 2);
    const { url } = us;
    await stop(us);
    const kept = newPath();
    const keptNames = (): readonly string[] =>
      existsSync(kept)
        ? [...readFileSync(kept, 'utf8').matchAll(/"name":"(.)"/g)].map(([, name]) => name!)
        : [];
    await mirrorOf({ eu, us: url }, { GSLS_MIRROR_KEEP: kept });
    await until(() => keptNames().join() === 'a');
    const again = await start({ GSLS_PORT: new URL(url).port });
    await broadcast(again, 'c', 3);
    await until(() => keptNames().join() === 'a,c');
  });

  it('begins without a kept list that is damaged, and says so; likewise where it cannot keep it', async () => {
    const eu = await start();
    await broadcast(eu, 'a', 1);
    for (const damage of [
      (text: string) => text.slice(0, -20),
      () => 'no list',
      (text: string) => text.replace('{"id', '{"i'),
    ]) {
      const kept = newPath();
      await stop(await mirrorOf({ eu }, { GSLS_MIRROR_KEEP: kept }));
      writeFileSync(kept, damage(readFileSync(kept, 'utf8')));
      log.lines.length = 0;
      const mirror = await mirrorOf({ eu }, { GSLS_MIRROR_KEEP: kept });
      expect(await namesOf(mirror)).to.deep.equal(['a']);
      await stop(mirror);
    }
    const full = newPath();
    symlinkSync('/dev/full', `${full}.new`);
    await stop(await mirrorOf({ eu }, { GSLS_MIRROR_KEEP: full }));
    expect(existsSync(full)).to.equal(false);
    log.lines.length = 0;
    await mirrorOf({ eu }, { GSLS_MIRROR_KEEP: `${newPath()}/missing/list` });
    const complaint =
      'the list cannot be kept in the file of --mirror-keep: a restart would begin without it';
    await until(() => log.lines.some(({ msg }) => msg === complaint));
  });

  it('goes on from its tag when the connection is lost', async () => {
    const eu = await start();
    await broadcast(eu, 'a', 1);
    const asked: string[] = [];
    const proxy = createServer((request, response) => {
      asked.push(request.url!);
      const answer = async (): Promise<void> => {
        const its = await fetch(`${eu.url}${request.url}`, { headers: { accept: 'application/json' } });
        response.writeHead(its.status, { 'Content-Type': 'application/json' });
        response.end(await its.text());
      };
      void answer();
    });
    await listening(proxy);
    const mirror = await mirrorOf({ eu: urlOf(proxy) });
    await broadcast(eu, 'b', 2);
    await until(async () => (await namesOf(mirror, 'sort=name')).join() === 'a,b');
    expect(asked[0]).to.equal('/changes?include=meta');
    expect(
      asked.slice(1).every((url) => url.startsWith('/changes?since=') && url.endsWith('&include=meta')),
    ).to.equal(true);
    proxy.closeAllConnections();
    proxy.close();
  });

  it('follows an older release that cannot tell of meta, and one that is replaced by a newer', async () => {
    let isOld = true;
    const eu = await start();
    await broadcast(eu, 'a', 1, { meta: { a: 1 } });
    const proxy = createServer((request, response) => {
      const isRefused = isOld && request.url!.includes('include=meta');
      const answer = async (): Promise<void> => {
        const its = await fetch(`${eu.url}${request.url}`);
        const id = its.headers.get('Server-Registry')!;
        response.writeHead(isRefused ? 400 : 200, {
          'Content-Type': 'application/json',
          ...(!isOld && { 'Server-Registry': id }),
        });
        response.end(isRefused ? '{"status":"error","code":"invalid_query","error":"no"}' : await its.text());
      };
      void answer();
    });
    await listening(proxy);
    const mirror = await mirrorOf({ eu: urlOf(proxy) });
    await until(async () => (await namesOf(mirror)).length === 1);
    expect((await serversOf(mirror, 'include=meta'))[0]!.meta).to.equal(undefined);
    isOld = false;
    await until(async () => (await serversOf(mirror, 'include=meta'))[0]!.meta !== undefined);
    proxy.closeAllConnections();
    proxy.close();
  });

  it('believes nothing of an origin that no game server could have said', async () => {
    const good = {
      id: 'good',
      host: 'h',
      name: 'n',
      port: 1,
      ip: '203.0.113.7',
      players: 0,
      max_players: 1,
      registered_at: '2026-01-01T00:00:00.000Z',
    };
    const bad = [
      { ...good, id: '~unlisted' },
      { ...good, id: 'a b' },
      { ...good, id: 'x'.repeat(65) },
      { ...good, id: 'b1', name: 'a\u202eb' },
      { ...good, id: 'b2', ip: '999.0.0.1' },
      { ...good, id: 'b3', port: 0 },
      { ...good, id: 'b4', players: -1 },
      { ...good, id: 'b5', registered_at: '9999-01-01T00:00:00.000Z' },
      { ...good, id: 'b6', registered_at: 'never' },
      { ...good, id: 'b7', tags: Array.from({ length: 99 }, (_, n) => `t${n}`) },
      { ...good, id: 'b8', meta: { a: 'x'.repeat(3000) } },
      { ...good, id: 'b9', protocol: '\n' },
    ];
    const hostile = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(
        JSON.stringify({
          servers: [
            { ...good, origin: 'forged', also_at: ['x'], unlisted: true, protocol: 'ddnet', game: 'g' },
            ...bad,
          ],
          removed: [],
          full: true,
          tag: 'a.1',
        }),
      );
    });
    await listening(hostile);
    const mirror = await mirrorOf({ eu: urlOf(hostile) });
    expect(await serversOf(mirror)).to.deep.equal([{ ...good, protocol: 'ddnet', game: 'g', origin: 'eu' }]);
    expect(log.lines.find(({ count }) => count === bad.length)?.origin).to.equal('eu');
    hostile.closeAllConnections();
    hostile.close();
  });
});
