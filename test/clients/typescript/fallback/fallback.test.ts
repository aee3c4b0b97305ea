/** Several URLs of one list, and the file with the last one: beside what the kit judges. */

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import { find } from '../../../../clients/typescript/src/find.ts';
import { list } from '../../../../clients/typescript/src/list.ts';
import { ServiceError } from '../../../../clients/typescript/src/service-error.ts';
import { watch, type WatchedServers } from '../../../../clients/typescript/src/watch.ts';
import { FakeWorld, type FakeCall } from '../../../page/worker/support/fake-world.ts';
import { aServer, changesEvent } from '../../../page/worker/support/page-servers.ts';
import { until } from '../../../support/until.ts';
import { useDirectory } from '../../../support/use-directory.ts';

const URLS = ['http://eu.test', 'http://us.test'];
const full = (id: string): string => changesEvent({ servers: [aServer(id)], full: true, tag: id });
const LISTED = { servers: [aServer('a')], count: 1 };

/** Resolves with the next call: it comes once the client has loaded what it needs. */
async function nextCall(world: FakeWorld, before = world.calls.length): Promise<FakeCall> {
  await until(() => world.calls.length > before);
  return world.call;
}

describe('gsls-client before several services', () => {
  let world: FakeWorld;
  beforeEach(() => {
    world = new FakeWorld();
  });
  const hosts = (): readonly string[] => world.calls.map(({ url }) => url.host);

  it('gives each of them the time of one request', async () => {
    const listed = list(URLS, { environment: world, timeoutMs: 1000 });
    await nextCall(world, 0);
    await world.advance(1000);
    await nextCall(world, 1);
    expect(hosts()).to.deep.equal(['eu.test', 'us.test']);
    world.call.say(JSON.stringify(LISTED));
    expect((await listed).servers).to.have.length(1);
  });

  it('asks no other one once it is given up', async () => {
    const over = new AbortController();
    const found = find(URLS, '', { environment: world, signal: over.signal }).catch(
      (error: unknown) => error,
    );
    await nextCall(world, 0);
    over.abort(new Error('enough'));
    expect(await found).to.include({ message: 'enough' });
    expect(hosts()).to.deep.equal(['eu.test']);
  });

  it('refuses an empty list of them, and one that is none, at once', async () => {
    for (const urls of [[], [URLS[0]!, 'us.test']])
      expect(() => watch(urls, '', { environment: world })).to.throw(TypeError, 'the URL must be');
  });

  /** The first is away, and the second tells a list. */
  async function atTheSecond(): Promise<void> {
    world.call.fail();
    await world.settle();
    world.call.open().push(changesEvent({ servers: [aServer('a')], full: true, tag: 't1' }));
    await world.settle();
    expect(hosts()).to.deep.equal(['eu.test', 'us.test']);
  }

  describe('that watches', () => {
    const told: WatchedServers[] = [];
    let watched: ReturnType<typeof watch>;
    beforeEach(async () => {
      told.length = 0;
      watched = watch(URLS, '', { environment: world });
      void (async () => {
        for await (const news of watched) told.push(news);
      })();
      await nextCall(world, 0);
    });
    afterEach(async () => {
      await watched.return();
      await world.settle();
      expect(world.timers).to.equal(0);
    });

    it('waits 5 s for the beginning of an answer, and says nothing while there is another one', async () => {
      await world.advance(5000);
      expect(hosts()).to.deep.equal(['eu.test', 'us.test']);
      await world.advance(4999);
      expect(told).to.deep.equal([]);
      await world.advance(1);
      expect(told.map(({ problem }) => problem)).to.deep.equal([
        'The service did not answer: the connection is lost.',
      ]);
    });

    it('waits for the first one no longer than 2 s while the second one answers, and tells no problem', async () => {
      await atTheSecond();
      await world.advance(3000);
      world.call.push(changesEvent({ servers: [aServer('b')], tag: 't2' }));
      for (let ms = 0; ms < 57_000; ms += 3000) {
        await world.advance(3000);
        world.call.push('id: t2\n\n');
      }
      await world.settle();
      expect(hosts().slice(2)).to.deep.equal(['eu.test']);
      expect(world.call.url.searchParams.get('since')).to.equal('t2');
      await world.advance(2000);
      expect(hosts().slice(3)).to.deep.equal(['us.test']);
      expect(told.filter(({ problem }) => problem !== undefined)).to.deep.equal([]);
    });

    it('takes the list of another registry for changes of its own', async () => {
      await atTheSecond();
      world.call.end();
      await world.advance(1000);
      expect(hosts().slice(2)).to.deep.equal(['us.test']);
      world.call.fail();
      await world.settle();
      expect(hosts().slice(3)).to.deep.equal(['eu.test']);
      world.call.open().push(changesEvent({ servers: [aServer('b')], full: true, tag: 'other' }));
      await world.settle();
      expect(told.map(({ servers }) => servers.map(({ id }) => id))).to.deep.equal([['a'], ['b']]);
      expect(told.at(-1)).to.deep.include({ removed: ['a'], problem: undefined });
    });

    it('polls one whose streams are held back on their way', async () => {
      world.call.open();
      await world.advance(10_000);
      expect(hosts()).to.deep.equal(['eu.test', 'eu.test']);
      expect(world.call.accept).to.equal('application/json');
      expect(told).to.deep.equal([]);
    });

    it('connects again to one that has fallen silent, and says nothing of it', async () => {
      await atTheSecond();
      await world.advance(5000);
      expect(hosts().slice(2)).to.deep.equal(['us.test']);
      expect(told).to.have.length(1);
    });
  });
});

describe('gsls-client with a file for the list', () => {
  const newPath = useDirectory();
  let world: FakeWorld;
  let path: string;
  let lines: string[];
  beforeEach(() => {
    world = new FakeWorld();
    path = newPath();
    lines = [];
  });
  const kept = (): unknown => JSON.parse(readFileSync(path, 'utf8'));
  const follow = (told: WatchedServers[] = []): ReturnType<typeof watch> => {
    const watched = watch(URLS[0]!, '', { environment: world, keep: path, log: (line) => lines.push(line) });
    void (async () => {
      for await (const news of watched) told.push(news);
    })();
    return watched;
  };
  const asOf = (): string => new Date(world.now()).toISOString();

  it('has the list whole in it, for its own user alone, and since when it was current', async () => {
    const listed = list(URLS[0]!, { environment: world, keep: path });
    await nextCall(world);
    const stale = { 'Content-Type': 'application/json', Warning: '110 - "x"', Age: '7' };
    world.call.say(JSON.stringify(LISTED), stale);
    await listed;
    expect(kept()).to.deep.equal({
      as_of: new Date(world.now() - 7000).toISOString(),
      servers: LISTED.servers,
    });
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    await world.advance(60_000);
    const other = list(URLS[0]!, { environment: world, keep: path });
    (await nextCall(world)).fail();
    expect(await other).to.deep.equal({
      servers: LISTED.servers,
      staleSince: new Date(world.now() - 67_000),
      etag: undefined,
    });
    expect(readdirSync(dirname(path)).filter((name) => name.includes('.'))).to.deep.equal([]);
  });

  it('fails as without one where it cannot be written or read, and where it is given up', async () => {
    mkdirSync(path);
    const listed = list(URLS[0]!, { environment: world, keep: path });
    (await nextCall(world)).say(JSON.stringify(LISTED));
    expect((await listed).servers).to.have.length(1);
    const failed = list(URLS[0]!, { environment: world, keep: path }).catch((error: unknown) => error);
    (await nextCall(world)).fail();
    expect(await failed).to.be.instanceOf(ServiceError);
    const over = AbortSignal.abort(new Error('enough'));
    const aborted = list(URLS[0]!, { environment: world, keep: newPath(), signal: over });
    expect(await aborted.catch((error: unknown) => error)).to.include({ message: 'enough' });
  });

  it('is written 5 s after a change, each minute without one, and at the end of the loop', async () => {
    const watched = follow();
    (await nextCall(world)).open().push(full('a'));
    await world.advance(2500);
    world.call.push('id: a\n\n');
    await world.advance(2499);
    expect(() => kept()).to.throw('ENOENT');
    await world.advance(1);
    expect(kept()).to.deep.equal({ as_of: asOf(), servers: [aServer('a')] });
    const written = asOf();
    for (let ms = 5000; ms < 60_000; ms += 2500) {
      world.call.push('id: a\n\n');
      await world.advance(2500);
      expect(kept()).to.include({ as_of: written });
    }
    for (let ms = 0; ms < 5000; ms += 2500) {
      world.call.push('id: a\n\n');
      await world.advance(2500);
    }
    expect(kept()).to.include({ as_of: asOf() });
    world.call.push(full('b'));
    await world.settle();
    await watched.return();
    await world.settle();
    expect(kept()).to.deep.equal({ as_of: asOf(), servers: [aServer('b')] });
  });

  it('is what a loop begins with where nothing answers: stale since then, with the problem', async () => {
    writeFileSync(path, JSON.stringify({ as_of: '2025-12-31T23:00:00.000Z', servers: [aServer('a')] }));
    const told: WatchedServers[] = [];
    const watched = follow(told);
    const call = await nextCall(world);
    expect(told).to.deep.equal([]);
    call.fail();
    await world.advance(1000);
    world.call.fail();
    await world.settle();
    for (const each of told)
      expect(each).to.deep.include({
        servers: [aServer('a')],
        staleSince: new Date('2025-12-31T23:00:00.000Z'),
        problem: 'The service did not answer: the connection is lost.',
      });
    expect(told[0]!.changed).to.deep.equal([aServer('a')]);
    await watched.return();
    expect(kept()).to.include({ as_of: '2025-12-31T23:00:00.000Z' });
  });

  it('is told where it holds no list, and where it cannot be read or written, once', async () => {
    writeFileSync(path, JSON.stringify({ as_of: '2025-12-31T23:00:00.000Z', servers: [{ id: 'a' }] }));
    const short = follow();
    await nextCall(world);
    await short.return();
    expect(lines.splice(0)).to.deep.equal([`The file ${path} holds no list.`]);
    path = newPath();
    mkdirSync(path);
    const watched = follow();
    (await nextCall(world)).open().push(full('a'));
    await world.advance(5000);
    await watched.return();
    await world.settle();
    expect(lines).to.deep.equal([
      `The file ${path} cannot be read: EISDIR.`,
      `The list cannot be kept in ${path}: EISDIR.`,
    ]);
  });

  it('is for a whole list alone', () => {
    expect(() => watch(URLS[0]!, 'region=eu', { keep: path })).to.throw(TypeError, 'without a query');
  });

  it('is left out where there are no files, which is told', async () => {
    const own = Object.getOwnPropertyDescriptor(process, 'getBuiltinModule')!;
    Object.defineProperty(process, 'getBuiltinModule', { ...own, value: undefined });
    try {
      const watched = follow();
      (await nextCall(world)).open().push(full('a'));
      await world.settle();
      await watched.return();
      await world.settle();
    } finally {
      Object.defineProperty(process, 'getBuiltinModule', own);
    }
    expect(lines).to.deep.equal(['There are no files here, and the list is not kept.']);
  });
});
