/** A world before a service: what its list shows as time goes by, and what the world does when the service refuses. */

import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { SEED } from '../../../src/tools/demo/demo.ts';
import { inventServers } from '../../../src/tools/demo/invent-servers.ts';
import { createRandom } from '../../../src/tools/demo/random.ts';
import type { Environment } from '../../../clients/typescript/src/environment.ts';
import { startWorld, type World, type WorldOptions } from '../../../src/tools/demo/world.ts';
import { ask } from '../../support/ask.ts';
import { commandsOf, readDocument } from '../../support/markdown.ts';

import { useClockedService } from './use-clocked-service.ts';

const TTL_MS = 60_000;
const LIMIT_MS = 10_000;

/** What a game server sent. */
interface Sent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly at: number;
}

describe('a world', () => {
  const service = useClockedService();
  let world: World | undefined;
  let sent: Sent[];
  /** What answers in the place of the service; undefined to let the request through. */
  let intercept: (path: string) => Response | Promise<Response> | undefined;

  beforeEach(() => {
    sent = [];
    intercept = () => undefined;
  });
  afterEach(async () => {
    await world?.close(LIMIT_MS);
    world = undefined;
  });

  const watchingFetch: Environment['fetch'] = async (url, request) => {
    const path = new URL(url).pathname;
    sent.push({ path, headers: request.headers as Record<string, string>, at: service.clock.now() });
    return (await intercept(path)) ?? (await fetch(url, request));
  };

  async function start(count: number, options: Partial<WorldOptions> = {}): Promise<World> {
    const random = createRandom(SEED);
    const { url, clock } = service;
    const servers = inventServers({ count, now: clock.now(), random });
    world = await startWorld({ url, servers, random, clock, fetch: watchingFetch, ...options });
    return world;
  }

  const list = async (): Promise<readonly { readonly id: string; readonly players: number }[]> =>
    (await ask(service, 'GET /')).body.servers!;
  const sentTo = (path: string): readonly Sent[] => sent.filter((each) => each.path === path);

  /** Why it does not start. */
  const failure = (): Promise<string> =>
    start(3).then(
      () => 'it began',
      (error: Error) => error.message,
    );

  it('has listed all its game servers when it has started', async () => {
    const { listed } = await start(20);
    expect(await list()).to.have.length(20);
    expect(listed).to.equal(20);
    expect(sentTo('/broadcast').map(({ headers }) => headers['Server-Token'])).to.include('claim');
    expect(new Set(sentTo('/broadcast').map(({ headers }) => headers['Idempotency-Key'])).size).to.equal(20);
  });

  it('lives: its game servers stay, their players change, and some start anew', async () => {
    // Of servers that are up for a while, some soon start anew.
    const upSince = service.clock.now() - 15 * TTL_MS;
    await start(10, { servers: inventServers({ count: 10, now: upSince, random: createRandom(SEED) }) });
    const before = await list();
    await service.clock.advance(3 * TTL_MS);
    const after = await list();
    expect(after).to.have.length.within(8, 10);
    const known = new Map(before.map((each) => [each.id, each]));
    expect(after.filter(({ id }) => !known.has(id))).to.have.length.within(1, 4);
    const changed = after.filter(({ id, players }) => known.has(id) && known.get(id)!.players !== players);
    expect(changed.length).to.be.above(3);
    expect(sentTo('/broadcast').length - 10).to.be.within(1, sentTo('/remove').length);
  });

  it('is the same for the same source of chance and the same clock, in whatever order answers come', async () => {
    const lives: unknown[] = [];
    for (let n = 0; n < 2; n += 1) {
      const one = await start(10, {
        fetch: async (url, request) => {
          const response = await fetch(url, request);
          if (Math.random() < 0.5) await setImmediate();
          return response;
        },
      });
      await service.clock.advance(2 * TTL_MS);
      const { text } = await ask(service, 'GET /servers?sort=name');
      lives.push(text.replaceAll(/"id":"[^"]*"|"registered_at":"[^"]*"/g, ''));
      await one.close(LIMIT_MS);
    }
    expect(lives[1]).to.equal(lives[0]);
  });

  it('answers the examples of the documents', async () => {
    await start(60);
    await service.clock.advance(TTL_MS / 4);
    for (const path of ['README.md', 'docs/find.md']) {
      const scripts = commandsOf(readDocument(path)).map(({ script }) => script);
      const targets = scripts.flatMap((script) => [
        ...script.matchAll(/localhost:53600(\/(?:servers|changes|history)[^"\s)$]*)(?=["\s)])/g),
      ]);
      expect(targets.length).to.be.above(1);
      for (const [, target] of targets) {
        // These days are those of the document.
        const { text } = await ask(service, `GET ${target!.replace(/&from=.*/, '')}`);
        const { servers, points } = JSON.parse(text) as Partial<Record<'servers' | 'points', unknown[]>>;
        expect(servers ?? points, target).to.have.length.above(0);
      }
    }
  });

  it('leaves: nothing is listed after it has closed, and nothing is sent any more', async () => {
    const left = await start(8);
    await service.clock.advance(TTL_MS / 2);
    await left.close(LIMIT_MS);
    expect(await list()).to.deep.equal([]);
    sent = [];
    await service.clock.advance(TTL_MS);
    expect(sent).to.deep.equal([]);
  });

  it('leaves also when a request is under way, and waits for no service that does not answer', async () => {
    const left = await start(5);
    let answer!: () => void;
    const held = new Promise<undefined>((resolve) => {
      answer = () => resolve(undefined);
    });
    intercept = () => held as Promise<never>;
    const advanced = service.clock.advance(TTL_MS / 2);
    const closed = left.close(LIMIT_MS);
    answer();
    await Promise.all([advanced, closed]);
    expect(await list()).to.deep.equal([]);
    await start(5);
    intercept = () => new Promise(() => undefined);
    await world!.close(1);
    world = undefined;
  });

  it('waits after a 429 as long as it says, and is listed then', async () => {
    let refused = 0;
    intercept = (path) => {
      if (path !== '/broadcast' || refused >= 8) return undefined;
      refused += 1;
      return new Response('{"status":"error","code":"rate_limited"}', {
        status: 429,
        headers: { 'Retry-After': '12' },
      });
    };
    await start(10);
    expect(world!.listed).to.equal(2);
    await service.clock.advance(11_000);
    expect(sentTo('/broadcast')).to.have.length(10);
    await service.clock.advance(2000);
    expect(await list()).to.have.length(10);
  });

  it('does not begin where none of its game servers is listed, and says why', async () => {
    intercept = () => new Response('<h1>Not found</h1>', { status: 404 });
    expect(await failure()).to.equal(
      `none of the game servers could be listed at ${service.url}: the answer is none of GSLS (404)`,
    );
    intercept = () =>
      Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }));
    expect(await failure()).to.match(/: connect ECONNREFUSED$/);
  });
});

describe('a world before a service with a key', () => {
  const service = useClockedService({ GSLS_KEY: 'secret' });

  it('sends the key, and learns from the service that another one is wrong', async () => {
    const random = createRandom(1);
    const { url, clock } = service;
    const servers = inventServers({ count: 3, now: clock.now(), random });
    const options = { servers, random, clock };
    const world = await startWorld({ ...options, url: `${url}/`, key: 'secret' });
    expect(world.listed).to.equal(3);
    await world.close(LIMIT_MS);
    const wrong = await startWorld({ ...options, url, key: 'wrong' }).catch((error: Error) => error.message);
    expect(wrong).to.include('a valid key is needed');
  });
});
