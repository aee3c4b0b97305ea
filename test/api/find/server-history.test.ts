/** `GET /servers/{id}/history`. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createUnlistedId } from '../../../src/model/unlisted-id.ts';
import { REACHED } from '../../../src/model/game-server.ts';
import { createServerHistory } from '../../../src/api/find/server-history.ts';
import { Turns } from '../../../src/api/work/turns.ts';
import { withBan } from '../../../src/registry/decisions/decisions.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import { createConfig } from '../../../src/service/config/config.ts';
import { createListener } from '../../support/create-listener.ts';
import { aBan } from '../../support/a-ban.ts';
import { aGameServer, anEndpointRequest, broadcastTo } from '../../support/builders.ts';
import { listen } from '../../support/listen.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { silentLogger } from '../../support/start-test-service.ts';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 10, 22, 10);
const KEY = 'a-key-of-many-characters';

describe('GET /servers/{id}/history', () => {
  let clock: ManualClock;
  let registry: MemoryRegistry;
  let server: Server;

  async function open(serverHistoryMost = 100): Promise<void> {
    clock = new ManualClock(START);
    const rules = { uniqueAddress: false, hidesUnreached: true, serverHistoryMost };
    registry = new MemoryRegistry({ lifetime, ...rules, clock });
    const environment = { GSLS_KEY: KEY, GSLS_ALLOW_UNLISTED: 'true' };
    const config = createConfig({ flags: {}, environment, readFile: () => '' });
    server = createServer(createListener({ config, registry, lifetime, logger: silentLogger }));
    await listen(server, '127.0.0.1', 0);
  }
  beforeEach(() => open());
  afterEach(async () => {
    server.close();
    await registry.close();
  });

  async function list(id?: string, name = 'A server'): Promise<string> {
    const gameServer = aGameServer({ name, port: 7000 + name.length });
    const listed = id ?? (await broadcastTo(registry, gameServer));
    if (id !== undefined) await registry.broadcast(id, gameServer);
    await registry.reachability.note(listed, gameServer, REACHED);
    return listed;
  }

  async function passBlock(pinging: Readonly<Record<string, string>>): Promise<void> {
    for (let passed = 0; passed < 20; passed += 1) {
      await clock.advance(MINUTE_MS / 2);
      for (const [id, name] of Object.entries(pinging))
        await registry.ping(id, aGameServer({ name, port: 7000 + name.length }));
    }
    await clock.advance(1000);
  }

  const ask = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/servers/${path}`, {
      headers: { Authorization: `Bearer ${KEY}`, ...headers },
    });

  it('has the points in order, to the byte, for those that may read the list', async () => {
    const id = await list();
    await passBlock({ [id]: 'A server' });
    const answer = await ask(`${id}/history`);
    expect([answer.status, await answer.text()]).to.deep.equal([
      200,
      `{"status":"success","id":"${id}","points":[{"time":"2026-11-22T10:00:00.000Z","step":"hour","players":3,"peak_players":3,"uptime":1}],"uptime":1}`,
    ]);
    expect(answer.headers.get('cache-control')).to.equal('private, no-cache');
    expect((await ask(`${id}/history`, { Authorization: 'none' })).status).to.equal(401);
    const tag = answer.headers.get('etag')!;
    expect((await ask(`${id}/history`, { 'If-None-Match': tag })).status).to.equal(304);
    const gzip = await ask(`${id}/history`, { 'Accept-Encoding': 'gzip' });
    expect(gzip.headers.get('content-encoding')).to.equal('gzip');
  });

  it('is there when the game server has left, and says since when', async () => {
    const id = await list();
    await passBlock({ [id]: 'A server' });
    await registry.remove(id, aGameServer().ip);
    await passBlock({});
    const answer = await ask(`${id}/history`);
    expect(answer.status).to.equal(200);
    // It was there at the first look of the second block.
    expect(await answer.json()).to.include({ uptime: 11 / 20 });
    expect((await ask(id)).status).to.equal(404);
  });

  it('is empty at first', async () => {
    const id = await list();
    expect(await (await ask(`${id}/history`)).json())
      .to.include({ uptime: null })
      .and.to.deep.include({ points: [] });
  });

  it('is none of what clients may not know of, as if its id were unknown', async () => {
    const unlisted = await list(createUnlistedId(), 'Unlisted');
    const [banned, unreached] = [await list(undefined, 'Casino'), await list(undefined, 'Far')];
    await passBlock({ [unlisted]: 'Unlisted', [banned]: 'Casino', [unreached]: 'Far' });
    for (const id of [banned, unreached]) expect((await ask(`${id}/history`)).status).to.equal(200);
    await registry.moderation.decide((decided) => withBan(decided, aBan({ name: 'casino' })));
    await registry.reachability.note(unreached, aGameServer({ port: 7003 }), 'unreached');
    const evicted = await list(undefined, 'Evicted');
    await passBlock({ [evicted]: 'Evicted', [banned]: 'Casino', [unlisted]: 'Unlisted', [unreached]: 'Far' });
    expect((await ask(`${evicted}/history`)).status).to.equal(200);
    await registry.evict(evicted);
    const unknown = await ask('AAAAAAAAAAAAAAAAAAAAAA');
    const expected = await unknown.text();
    expect(unknown.status).to.equal(404);
    for (const id of [unlisted, banned, unreached, evicted, 'AAAAAAAAAAAAAAAAAAAAAA', '%20']) {
      const answer = await ask(`${id}/history`);
      expect([answer.status, await answer.text()], id).to.deep.equal([404, expected]);
      for (const name of ['cache-control', 'etag', 'vary'])
        expect(answer.headers.get(name), name).to.equal(unknown.headers.get(name));
    }
  });

  it('takes no parameters, and no other place for the id', async () => {
    const id = await list();
    await passBlock({ [id]: 'A server' });
    expect((await ask(`${id}/history?step=day`)).status).to.equal(400);
    for (const path of ['/history', `${id}/history/`, `${id}/x/history`, `${id}/histories`])
      expect((await ask(path)).status, path).to.equal(404);
  });

  it('is no path of a service that keeps none', async () => {
    await registry.close();
    server.close();
    await open(0);
    const answer = await ask(`${await list()}/history`);
    expect(await answer.json()).to.include({ code: 'not_found' });
  });

  it('is unavailable for an unknown id while the list is stale, which may lack it', async () => {
    const endpoint = createServerHistory(
      {
        registry,
        currentList: {
          caching: {},
          listing: async () => ({ ...(await registry.list()), staleSince: 1 }),
        } as never,
        turns: new Turns(),
      },
      registry.serverHistories!,
    );
    const request = anEndpointRequest({ parameter: 'unknown' });
    expect(await endpoint(request).catch((error: unknown) => error)).to.include({
      code: 'registry_unavailable',
    });
  });
});
