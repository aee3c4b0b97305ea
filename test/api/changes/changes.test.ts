/** `GET /changes` as polls. */

import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createConfig } from '../../../src/service/config/config.ts';
import { Pulse } from '../../../src/runtime/pulse.ts';
import { startHttpServer } from '../../../src/api/http/server/server.ts';
import { createGameServerId } from '../../../src/model/game-server.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import { createListener } from '../../support/create-listener.ts';
import type { Listing } from '../../../src/registry/registry.ts';
import { ask, expectError, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast, aGameServer } from '../../support/builders.ts';
import type { ToldChanges } from '../../support/follow-changes.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { silentLogger } from '../../support/start-test-service.ts';
import { useService } from '../../support/use-service.ts';

function changesIn({ body }: TestAnswer): ToldChanges & { readonly status: string } {
  return body as unknown as ToldChanges & { readonly status: string };
}

describe('GET /changes', () => {
  const service = useService();

  const poll = async (query = ''): Promise<ToldChanges> =>
    changesIn(await ask(service, `GET /changes${query}`));

  async function ping(id: string, overrides: Record<string, unknown>): Promise<void> {
    await ask(service, 'POST /ping', { body: aBroadcast({ server_id: id, ...overrides }) });
  }

  async function remove(id: string): Promise<void> {
    await ask(service, 'POST /remove', { body: { server_id: id, server_ip: aGameServer().ip } });
  }

  it('tells everything first, and then what has changed since the tag', async () => {
    const [first, second] = [await service.broadcast(), await service.broadcast()];
    const answer = await ask(service, 'GET /changes');
    const all = changesIn(answer);
    expect(answer.status).to.equal(200);
    expect(answer.headers).to.include({ 'cache-control': 'no-store', vary: 'Accept, Accept-Encoding' });
    expect(Object.keys(all)).to.deep.equal(['status', 'servers', 'removed', 'full', 'tag']);
    expect(all).to.deep.include({ status: 'success', removed: [], full: true });
    expect(all.servers.map(({ id }) => id)).to.deep.equal([first, second]);
    expect(Object.keys(all.servers[0]!)).to.include.members(['host', 'max_players', 'registered_at']);

    const none = await poll(`?since=${all.tag}`);
    expect(none).to.deep.equal({ status: 'success', servers: [], removed: [], full: false, tag: all.tag });
    await ping(second, { players: 9 });
    await remove(first);
    const third = await service.broadcast();
    const some = await poll(`?since=${all.tag}`);
    expect(some).to.deep.include({ removed: [first], full: false });
    expect(some.servers.map(({ id, players }) => [id, players])).to.deep.equal([
      [second, 9],
      [third, 3],
    ]);
    expect(await poll(`?since=${some.tag}`)).to.deep.include({ servers: [], removed: [] });
  });

  it('tells everything where the tag is missing, malformed or of another history', async () => {
    const { tag } = await poll();
    const unknown = [
      '',
      '?since=',
      '?since=x',
      '?since=a.b.c',
      '?since=other.1',
      `?since=${tag}x`,
      `?since=${tag.split('.')[0]}.ZZ`,
    ];
    for (const query of unknown) expect(await poll(query)).to.deep.include({ full: true, tag });
    const answer = await ask(service, 'GET /changes', { headers: { 'Last-Event-ID': tag } });
    expect(changesIn(answer)).to.deep.include({ full: false, servers: [] });
  });

  it('tells everything where the tag is ahead of a current list', async () => {
    const { tag } = await poll();
    const [history, version] = tag.split('.') as [string, string];
    const ahead = (Number.parseInt(version, 36) + 1e9).toString(36);
    expect(await poll(`?since=${history}.${ahead}`)).to.deep.include({ full: true, tag });
  });

  it('tells of what matches, and names as removed what matches no longer', async () => {
    const id = await service.broadcast({ server_name: 'filter me' });
    const { tag, servers } = await poll('?name=filter%20me');
    expect(servers.map((server) => server.id)).to.deep.equal([id]);
    await ping(id, { server_name: 'other' });
    const some = await poll(`?since=${tag}&name=filter%20me`);
    expect(some).to.deep.include({ servers: [], removed: [id], full: false });
  });

  it('tells the keys of meta that are included, and when they change', async () => {
    const meta = { language: 'de', ruleset: 'strict', mods: ['a'] };
    const id = await service.broadcast({ server_name: 'says more', meta });
    const query = 'name=says%20more&include=meta.ruleset,meta.language,meta.none,meta.ruleset';
    const { tag, servers } = await poll(`?${query}`);
    expect(servers.map((server) => server.meta)).to.deep.equal([{ language: 'de', ruleset: 'strict' }]);
    await ping(id, { server_name: 'says more', meta: { language: 'fr' } });
    const { servers: changed } = await poll(`?since=${tag}&${query}`);
    expect(changed.map((server) => server.meta)).to.deep.equal([{ language: 'fr' }]);
    for (const [included, expected] of [
      ['?include=meta.language', { language: 'fr' }],
      ['', undefined],
    ] as const)
      expect((await poll(included)).servers.find((server) => server.id === id)!.meta).to.deep.equal(expected);
    for (const other of ['', '&include=meta.none']) {
      const [server] = (await poll(`?name=says%20more${other}`)).servers;
      expect(server).to.not.have.property('meta');
    }
  });

  it('tells all of meta where that is asked for', async () => {
    const meta = { language: 'en', ruleset: { level: [5] } };
    await service.broadcast({ meta });
    const { body } = await ask(service, 'GET /changes?include=meta');
    expect(body.servers!.at(-1)).to.deep.include({ meta });
  });

  it('refuses to include what is no key of meta, and too many of them', async () => {
    const nine = Array.from({ length: 9 }, (_, n) => `meta.${n}`).join(',');
    for (const value of ['', 'meta,meta.a', 'meta.', 'meta.a,', 'map', 'meta.a,map', nine]) {
      const { status, body } = await ask(service, `GET /changes?include=${value}`);
      expect([status, body.details], value).to.deep.equal([
        400,
        [{ field: 'include', message: 'must name up to 8 keys, as in meta.language,meta.ruleset' }],
      ]);
    }
  });

  it('refuses a wrong filter, and names it', async () => {
    const answer = await ask(service, 'GET /changes?colour=red&players=many');
    expect(answer.status).to.equal(400);
    expect(answer.body.code).to.equal('invalid_query');
    expect(answer.body.details?.map(({ field }) => field)).to.deep.equal(['colour', 'players']);
    expectError(await ask(service, 'POST /changes'), 'method_not_allowed');
  });

  it('is compressed where that is worth it', async () => {
    const gzip = { headers: { 'Accept-Encoding': 'gzip' } };
    await Promise.all(Array.from({ length: 50 }, () => service.broadcast()));
    const answer = await ask(service, 'GET /changes', gzip);
    expect(answer.headers['content-encoding']).to.equal('gzip');
    const { tag, servers } = JSON.parse(gunzipSync(answer.bytes).toString()) as ToldChanges;
    expect(servers).to.deep.equal((await poll()).servers);
    const short = await ask(service, `GET /changes?since=${tag}`, gzip);
    expect(short.headers).to.not.have.property('content-encoding');
    const head = await ask(service, 'HEAD /changes', gzip);
    expect(head.headers['content-length']).to.equal(String(answer.bytes.length));
    expect(head.text).to.equal('');
  });

  it('is a poll for a client that accepts anything', async () => {
    for (const accept of ['*/*', 'application/json', 'text/*', 'text/event-stream;q=0, application/json']) {
      const answer = await ask(service, 'GET /changes', { headers: { Accept: accept } });
      expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
    }
  });
});

describe('GET /changes of a registry that may lag', () => {
  it('takes a tag that is ahead of a stale list for the present one', async () => {
    const clock = new ManualClock();
    const registry = new MemoryRegistry({ lifetime, uniqueAddress: false, clock });
    await registry.broadcast(createGameServerId(), aGameServer());
    const earlier = await registry.list();
    await registry.broadcast(createGameServerId(), aGameServer());
    let told: Listing = await registry.list();
    let asked = 0;
    const list = async (): Promise<Listing> => {
      asked += 1;
      return told;
    };
    const listener = createListener({
      config: createConfig({ flags: {}, environment: { GSLS_LIST_MAX_AGE: '60000' }, readFile: () => '' }),
      registry: new Proxy(registry, {
        get: (target, name) => (name === 'list' ? list : (Reflect.get(target, name, target) as unknown)),
      }),
      lifetime,
      logger: silentLogger,
    });
    const server = await startHttpServer({
      listener,
      host: '127.0.0.1',
      port: 0,
      stopping: new AbortController().signal,
      logError: () => undefined,
      pulse: new Pulse(),
    });
    try {
      told = earlier;
      const old = changesIn(await ask(server, 'GET /changes'));
      told = await registry.list();
      const [history, version] = [told.snapshot.history, told.snapshot.version.toString(36)];
      const ahead = `${history}.${version}`;
      // What is reused is too old for this client: the registry is asked.
      const before = asked;
      expect(changesIn(await ask(server, `GET /changes?since=${ahead}`))).to.deep.include({
        servers: [],
        full: false,
        tag: ahead,
      });
      expect(asked).to.equal(before + 1);
      // Redis is away.
      told = { ...earlier, staleSince: Date.now() };
      const stale = await ask(server, `GET /changes?since=${ahead}`);
      expect(changesIn(stale)).to.deep.include({ servers: [], removed: [], full: false, tag: ahead });
      expect(stale.headers).to.include({ warning: '110 - "Response is Stale"' });
      // The registry has lost what the client knows.
      told = earlier;
      expect(changesIn(await ask(server, `GET /changes?since=${ahead}`))).to.deep.include({
        full: true,
        tag: old.tag,
      });
    } finally {
      await server.close(0);
      await registry.close();
    }
  });
});
