import { expect } from 'chai';
import type { ServiceError } from '../../../src/model/service-error.ts';
import { CurrentList, type CurrentListOptions } from '../../../src/api/http/current-list.ts';
import { createList } from '../../../src/api/lists/list.ts';
import type { EndpointRequest } from '../../../src/api/http/route.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import type { Listing } from '../../../src/registry/registry.ts';
import { Departures } from '../../../src/registry/snapshot/departures.ts';
import { Snapshot } from '../../../src/registry/snapshot/snapshot.ts';
import { aGameServer, anEndpointRequest, broadcastTo } from '../../support/builders.ts';
import { lifetime } from '../../support/registry-fixture.ts';

const asked = (headers: EndpointRequest['headers'] = {}): EndpointRequest => anEndpointRequest({ headers });

describe('a list for a client that may have it already', () => {
  let registry: MemoryRegistry;
  let now: number;
  beforeEach(() => {
    now = 0;
    registry = new MemoryRegistry({ lifetime, uniqueAddress: false });
  });
  afterEach(() => registry.close());

  const create = (
    options: { listMaxAgeMs?: number; isPrivate?: boolean; from?: CurrentListOptions['registry'] } = {},
  ) =>
    createList({
      currentList: new CurrentList({
        registry: options.from ?? registry,
        maxStaleMs: 60_000,
        listMaxAgeMs: options.listMaxAgeMs ?? 0,
        isPrivate: options.isPrivate ?? false,
        now: () => now,
      }),
      now: () => now,
    });

  it('gets 304 without a body for the tag of any encoding, weak or among other tags', async () => {
    const list = create();
    await broadcastTo(registry, aGameServer());
    const plain = (await list(asked())).headers['ETag'] as string;
    const gzip = (await list(asked({ 'accept-encoding': 'gzip' }))).headers['ETag'] as string;
    expect(gzip).to.not.equal(plain);
    for (const tags of [plain, gzip, `W/${plain}`, `"other", ${gzip} , "more"`, '*', ' * ']) {
      const { status, body, headers } = await list(
        asked({ 'if-none-match': tags, 'accept-encoding': 'gzip' }),
      );
      expect([status, body]).to.deep.equal([304, '']);
      expect(headers).to.include.keys('ETag', 'Cache-Control', 'Vary');
    }
  });

  it('is sent whole after a change, and for unknown tags', async () => {
    const list = create();
    const before = (await list(asked())).headers['ETag'] as string;
    await broadcastTo(registry, aGameServer());
    const after = (await list(asked())).headers['ETag'] as string;
    for (const tags of [before, '"x"', '', after.slice(1), after.replace('"', '"0')]) {
      expect((await list(asked({ 'if-none-match': tags }))).status).to.equal(200);
    }
  });

  it('is not rendered for a 304', async () => {
    const chunk = new Proxy({} as never, {
      get: () => {
        throw new Error('rendered');
      },
    });
    const untouchable = new Snapshot({
      epoch: 'e',
      history: 'e',
      version: 7,
      count: 1,
      players: 0,
      chunks: [chunk],
      departures: new Departures(),
    });
    const list = create({ from: { list: async () => ({ snapshot: untouchable, staleSince: undefined }) } });
    expect((await list(asked({ 'if-none-match': '"e-7"' }))).status).to.equal(304);
  });

  it('has Cache-Control no-cache unless --list-max-age is set', async () => {
    expect((await create()(asked())).headers['Cache-Control']).to.equal('no-cache');
    expect((await create({ isPrivate: true })(asked())).headers['Cache-Control']).to.equal(
      'private, no-cache',
    );
    expect((await create({ listMaxAgeMs: 2500 })(asked())).headers['Cache-Control']).to.equal(
      'public, max-age=2',
    );
    expect((await create({ listMaxAgeMs: 900 })(asked())).headers['Cache-Control']).to.equal('no-cache');
    const both = create({ listMaxAgeMs: 5000, isPrivate: true });
    expect((await both(asked())).headers['Cache-Control']).to.equal('private, max-age=5');
  });

  it('tells shared caches alone how long they may keep it beside a newer one, and without one', async () => {
    const { headers } = await create({ listMaxAgeMs: 2500 })(asked());
    const cdn = 'max-age=2, stale-while-revalidate=2, stale-if-error=60';
    expect(headers).to.include({ 'Cache-Control': 'public, max-age=2', 'CDN-Cache-Control': cdn });
    const known = asked({ 'if-none-match': headers['ETag'] as string });
    expect((await create({ listMaxAgeMs: 2500 })(known)).headers).to.include({ 'CDN-Cache-Control': cdn });
    for (const options of [{}, { listMaxAgeMs: 999 }, { listMaxAgeMs: 5000, isPrivate: true }])
      expect((await create(options)(asked())).headers).to.not.have.property('CDN-Cache-Control');
  });

  it('is reused until it is older than --list-max-age', async () => {
    let looks = 0;
    const counting = {
      list: (): Promise<Listing> => {
        looks += 1;
        return registry.list();
      },
    };
    const list = create({ listMaxAgeMs: 1000, from: counting });
    await list(asked());
    now = 999;
    await list(asked());
    expect(looks).to.equal(1);
    now = 1000;
    await list(asked());
    expect(looks).to.equal(2);
  });

  it('carries its age when stale, and gets 503 when older than --max-stale', async () => {
    now = 100_000;
    let staleSince = now - 1500;
    const { snapshot } = await registry.list();
    const list = create({ from: { list: async () => ({ snapshot, staleSince }) } });
    const { status, headers } = await list(asked());
    expect(status).to.equal(200);
    expect(headers).to.include({ Warning: '110 - "Response is Stale"', Age: '2' });
    const tag = headers['ETag'] as string;
    expect((await list(asked({ 'if-none-match': tag }))).headers).to.include({ Age: '2', ETag: tag });
    staleSince = now - 60_001;
    expect(await list(asked()).catch((error: { code: string }) => error.code)).to.equal(
      'registry_unavailable',
    );
  });

  it('is sent in brotli once it has been unchanged for a second', async () => {
    const list = create();
    for (let i = 0; i < 50; i += 1) await broadcastTo(registry, aGameServer({ port: i + 1 }));
    const all = asked({ 'accept-encoding': 'gzip, deflate, br' });
    expect((await list(all)).headers['Content-Encoding']).to.equal('gzip');
    now = 1000;
    expect((await list(all)).headers['Content-Encoding']).to.equal('gzip');
    await (await registry.list()).snapshot.encode('br');
    expect((await list(all)).headers['Content-Encoding']).to.equal('br');
    await broadcastTo(registry, aGameServer());
    expect((await list(all)).headers['Content-Encoding']).to.equal('gzip');
  });

  it('is sent plain, without waiting for brotli, to a client that accepts only brotli while it changes', async () => {
    const list = create();
    for (let i = 0; i < 50; i += 1) {
      await broadcastTo(registry, aGameServer({ port: i + 1 }));
      now += 500;
      const { headers } = await list(asked({ 'accept-encoding': 'br' }));
      expect(headers).to.not.have.property('Content-Encoding');
      expect((await registry.list()).snapshot.made('br')).to.equal(undefined);
    }
    now += 1000;
    await list(asked({ 'accept-encoding': 'br' }));
    await (await registry.list()).snapshot.encode('br');
    const { headers } = await list(asked({ 'accept-encoding': 'br' }));
    expect(headers['Content-Encoding']).to.equal('br');
  });

  it('gets 406 with the available encodings until it is at rest, if the client accepts brotli and refuses plain JSON', async () => {
    const list = create();
    await broadcastTo(registry, aGameServer());
    const only = asked({ 'accept-encoding': 'br, identity;q=0' });
    const refusal = await list(only).catch((error: ServiceError) => error);
    expect(refusal).to.include({ code: 'not_acceptable' });
    expect((refusal as ServiceError).message).to.include('plain JSON and gzip');
    await (await registry.list()).snapshot.encode('br');
    expect((await list(only)).headers['Content-Encoding']).to.equal('br');
  });

  it('is compressed at most twice, however many requests come while it changes', async () => {
    // Each request finds another list, and all requests come before the first compression.
    const listings: Listing[] = [];
    for (let i = 0; i < 100; i += 1) {
      await broadcastTo(registry, aGameServer({ port: i + 1 }));
      listings.push(await registry.list());
    }
    const looks = listings.values();
    const list = create({ from: { list: async () => looks.next().value! } });
    const answers = await Promise.all(listings.map(() => list(asked({ 'accept-encoding': 'gzip' }))));
    const tags = new Set(answers.map(({ headers }) => headers['ETag']));
    expect(tags.size).to.be.at.most(2);
    expect(listings.filter(({ snapshot }) => snapshot.made('gzip') !== undefined)).to.have.length(tags.size);
    const newest = `"${listings.at(-1)!.snapshot.epoch}-${listings.at(-1)!.snapshot.version.toString(36)}-gzip"`;
    expect([...tags]).to.include(newest);
  });
});
