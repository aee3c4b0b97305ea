/** What gsls-client is to its users, beside what the kit judges: states, results, errors, and how a loop ends. */

import { join } from 'node:path';
import { expect } from 'chai';
import { announce, type Announcement, type AnnounceOptions } from '../../clients/typescript/src/announce.ts';
import { find } from '../../clients/typescript/src/find.ts';
import { list } from '../../clients/typescript/src/list.ts';
import { report } from '../../clients/typescript/src/report.ts';
import { ServiceError } from '../../clients/typescript/src/service-error.ts';
import { watch, type WatchedServers } from '../../clients/typescript/src/watch.ts';
import { FakeWorld } from '../page/worker/support/fake-world.ts';
import { aServer, changesEvent } from '../page/worker/support/page-servers.ts';
import { ask } from '../support/ask.ts';
import { useDirectory } from '../support/use-directory.ts';
import { useService } from '../support/use-service.ts';

const SERVICE = 'http://service.test/lists/eu/';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const FIELDS = {
  server_host: 'eu1.example.com',
  server_name: 'Frankfurt 1',
  server_port: 7777,
  server_ip: 'auto',
  players: 3,
  max_players: 16,
  map: 'de_dust2',
};

function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function namesOf({ servers }: WatchedServers): readonly string[] {
  return servers.map(({ id }) => id);
}

describe('gsls-client', () => {
  const newPath = useDirectory();
  let world: FakeWorld;
  beforeEach(() => {
    world = new FakeWorld();
  });

  /** The last request gets this answer. */
  async function answer(body: object, headers: Record<string, string> = {}, status = 200): Promise<void> {
    world.call.say(JSON.stringify(body), { ...JSON_TYPE, ...headers }, status);
    await world.settle();
  }

  const page = (ids: readonly string[], next: string | null): Promise<void> =>
    answer({ status: 'success', servers: ids.map((each) => aServer(each)), count: 1, total: 1, next });
  const sent = (): unknown => JSON.parse(world.call.body);
  const query = (): string => world.call.url.search;

  for (const [what, url, options] of [
    ['no URL', 'list.example.com', {}],
    ['a URL of a file', 'file:///etc/passwd', {}],
    ['a URL with a password', 'http://user:geheim@list.example.com', {}],
    ['a URL with a query', 'http://list.example.com/?geheim', {}],
    ['a key that no header can have', 'http://list.example.com', { key: 'geheim\n' }],
    ['a time that is none', 'http://list.example.com', { timeoutMs: NaN }],
    ['no time at all', 'http://list.example.com', { timeoutMs: 0 }],
  ] as const)
    it(`refuses ${what} at once, and does not repeat it`, async () => {
      const errors = [
        ...[announce, watch].map((begin) => {
          try {
            return begin(url, FIELDS as never, { environment: world, ...options });
          } catch (error) {
            return error;
          }
        }),
        await failure(list(url, options)),
        await failure(find(url, '', options)),
      ];
      for (const error of errors) {
        expect(error).to.be.an('error');
        expect((error as Error).message).to.not.include('geheim');
      }
      expect(world.calls).to.have.length(0);
    });

  describe('that announces', () => {
    let lines: string[];
    let announcement: Announcement;
    const begin = async (options: AnnounceOptions = {}): Promise<void> => {
      announcement = announce(SERVICE, FIELDS, {
        environment: world,
        log: (line) => lines.push(line),
        ...options,
      });
      await world.advance(0);
    };
    const LISTED = { status: 'success', server_id: 'id' };

    beforeEach(() => {
      lines = [];
    });
    afterEach(async () => {
      const stopped = announcement.stop();
      await world.settle();
      if (!world.call.isAnswered) await answer({ status: 'success' });
      await stopped;
      expect(world.timers).to.equal(0);
    });

    it('tells how it stands: first starting, then listed, failing, listed again, and stopped', async () => {
      await begin();
      expect(world.call.url.href).to.equal('http://service.test/lists/eu/broadcast');
      expect(announcement).to.include({ state: 'starting', id: undefined, problem: undefined });
      await answer(LISTED, { 'Server-Verification': 'no answer', 'Server-Join-Code': 'A1' });
      expect(announcement).to.include({ state: 'listed', id: 'id', problem: undefined });
      expect(announcement).to.include({ verification: 'no answer', joinCode: 'A1' });
      await world.advance(20_000);
      await answer({ status: 'error', error: 'later\u001b[1m', code: 'overloaded' }, {}, 503);
      expect(announcement).to.include({ state: 'failing', id: 'id' });
      expect(announcement.problem).to.equal('The service refused the ping (503): later\\u{1b}[1m.');
      await world.advance(1000);
      await answer({ status: 'success' });
      expect(announcement).to.include({ state: 'listed', problem: undefined });
      const stopped = announcement.stop();
      expect(announcement.state).to.equal('stopped');
      await world.settle();
      await answer({ status: 'success' });
      await stopped;
      expect(announcement).to.include({ state: 'stopped', id: undefined });
      expect(lines).to.deep.equal([
        'The game server is listed as id.',
        'The service says of its look at the game server: no answer.',
        'Players find the game server by the join code A1.',
        'The service refused the ping (503): later\\u{1b}[1m. The next ping is in 1 s.',
        'The game server is listed again as id.',
        'The game server left the list, and the id id is given up.',
      ]);
    });

    it('keeps the fields that an update does not name, and takes away what it names without a value', async () => {
      await begin();
      await answer(LISTED);
      announcement.update({ players: 4, map: undefined });
      announcement.update({ mode: 'ctf' });
      await world.advance(20_000);
      const { map: _, ...others } = FIELDS;
      expect(sent()).to.deep.equal({ ...others, players: 4, mode: 'ctf', server_id: 'id' });
      await answer({ status: 'success' });
    });

    it('sends nothing after its stop, which can be called again', async () => {
      await begin();
      await answer(LISTED);
      const stopped = announcement.stop();
      expect(announcement.stop()).to.equal(stopped);
      await world.settle();
      expect(sent()).to.deep.equal({ server_id: 'id', server_ip: 'auto' });
      await answer({ status: 'success' });
      announcement.update({ players: 9 });
      expect(world.timers).to.equal(0);
      await world.advance(60_000);
      expect(world.calls).to.have.length(2);
    });

    it('keeps its id over a stop with a token file, unless it is told to give it up', async () => {
      const path = newPath();
      for (const [how, body, line] of [
        [undefined, { keep_id: true }, 'and its token keeps the id id.'],
        [{ keepId: false }, {}, 'and the id id is given up.'],
      ] as const) {
        await begin({ tokenFile: path });
        await answer(LISTED, { 'Server-Token': 'a-token' });
        void announcement.stop(how);
        await world.settle();
        expect(sent()).to.deep.equal({ server_id: 'id', server_ip: 'auto', ...body });
        await answer({ status: 'success' });
        expect(lines.at(-1)).to.equal(`The game server left the list, ${line}`);
      }
      await begin({ tokenFile: path });
      expect(world.call.headers.get('Server-Token')).to.equal('a-token');
      await answer(LISTED);
    });

    it('keeps no id of which nobody keeps the token', async () => {
      await begin({ tokenFile: join(newPath(), 'missing', 'token') });
      await answer(LISTED, { 'Server-Token': 'a-token' });
      expect(lines[0]).to.match(
        /^The token file .* cannot be written: ENOENT\. The next start gets another id\.$/,
      );
      void announcement.stop();
      await world.settle();
      expect(sent()).to.deep.equal({ server_id: 'id', server_ip: 'auto' });
    });

    it('says what became of its id: unknown, new, and gone at the stop', async () => {
      await begin();
      await answer(LISTED);
      await world.advance(20_000);
      await answer({ status: 'error', error: 'broadcast again', code: 'unknown_server' }, {}, 404);
      await world.advance(20_000);
      await answer({ status: 'success', server_id: 'other' });
      void announcement.stop();
      await world.settle();
      await answer({ status: 'error', error: 'broadcast again', code: 'unknown_server' }, {}, 404);
      expect(lines).to.deep.equal([
        'The game server is listed as id.',
        'The service does not know the id id any more. A new broadcast follows in 20 s.',
        'The game server is listed again, with the new id other.',
        'The game server had left the list before.',
      ]);
    });

    it('is at the address that its requests come from, unless it says another one', async () => {
      const { server_ip: _, ...fields } = FIELDS;
      announcement = announce(SERVICE, fields, { environment: world, log: () => undefined });
      await world.advance(0);
      expect(sent()).to.deep.equal(FIELDS);
      await answer(LISTED);
    });

    it('goes on when its log fails, and when fields are no JSON', async () => {
      await begin({
        log: () => {
          throw new Error('the disk is full');
        },
      });
      await answer(LISTED);
      announcement.update({ meta: { big: 1n } });
      await world.advance(20_000);
      expect(world.calls).to.have.length(1);
      expect(announcement.problem).to.match(/BigInt/);
      announcement.update({ meta: {} });
      await world.advance(1000);
      await answer({ status: 'success' });
      expect(announcement.state).to.equal('listed');
    });
  });

  describe('that watches', () => {
    const told: WatchedServers[] = [];
    let signal: AbortController;
    let watched: ReturnType<typeof watch>;
    let isOver: boolean;

    /** Runs a loop over it until that ends. */
    async function loop(): Promise<void> {
      for await (const news of watched) told.push(news);
      isOver = true;
    }

    beforeEach(() => {
      told.length = 0;
      isOver = false;
      signal = new AbortController();
      watched = watch(SERVICE, '?region=eu', { key: 'schlüssel', environment: world, signal: signal.signal });
    });
    afterEach(async () => {
      await watched.return();
      await world.settle();
      expect(world.timers).to.equal(0);
      expect(world.calls.every(({ isAborted }) => isAborted)).to.equal(true);
    });

    it('asks for nothing before its loop, and then for the stream of its query, with the key', async () => {
      await world.settle();
      expect(world.calls).to.have.length(0);
      void loop();
      await world.settle();
      expect(world.call.url.href).to.equal('http://service.test/lists/eu/changes?region=eu');
      expect(world.call.headers.get('Authorization')).to.match(/^Bearer schl..ssel$/);
    });

    it('tells all servers, and what has changed of them', async () => {
      void loop();
      await world.settle();
      const first = { servers: [aServer('a'), aServer('b')], full: true, tag: 't1' };
      world.call.open().push(changesEvent(first));
      await world.settle();
      world.call.push(
        changesEvent({ servers: [aServer('b'), aServer('c')], removed: ['a', 'x'], tag: 't2' }),
      );
      await world.settle();
      world.call.push(changesEvent({ removed: ['y'], tag: 't3' }));
      await world.settle();
      expect(told).to.have.length(2);
      expect(told.map(namesOf)).to.deep.equal([
        ['a', 'b'],
        ['b', 'c'],
      ]);
      expect(told[1]!.changed.map(({ id }) => id)).to.deep.equal(['b', 'c']);
      expect(told[1]).to.deep.include({ removed: ['a'], staleSince: undefined, problem: undefined });
    });

    it('tells a slow loop of several changes at once', async () => {
      const first = watched.next();
      await world.settle();
      world.call.open().push(changesEvent({ servers: [aServer('a'), aServer('b')], full: true, tag: 't1' }));
      expect(namesOf((await first).value!)).to.deep.equal(['a', 'b']);
      world.call.push(changesEvent({ servers: [aServer('c')], tag: 't2' }));
      world.call.push(changesEvent({ removed: ['b', 'c'], tag: 't3' }));
      world.call.push(changesEvent({ servers: [aServer('b')], tag: 't4' }));
      await world.settle();
      const { changed, removed, servers } = (await watched.next()).value!;
      expect(servers.map(({ id }) => id)).to.deep.equal(['a', 'b']);
      expect([changed.map(({ id }) => id), removed]).to.deep.equal([['b'], ['c']]);
    });

    it('forgets what is in no whole list any more', async () => {
      void loop();
      await world.settle();
      world.call.open().push(changesEvent({ servers: [aServer('a'), aServer('b')], full: true, tag: 't1' }));
      await world.settle();
      world.call.push(changesEvent({ servers: [aServer('b')], full: true, tag: 't2' }));
      await world.settle();
      expect(namesOf(told.at(-1)!)).to.deep.equal(['b']);
      expect(told.at(-1)!.removed).to.deep.equal(['a']);
    });

    it('says in the words of the service what is wrong, without the key, and since when its list is old', async () => {
      void loop();
      await world.settle();
      const error = 'schlüssel is no key\u0007';
      await answer({ status: 'error', error, code: 'unauthorized' }, {}, 401);
      expect(told.at(-1)).to.deep.include({
        problem: 'The service refused the query (401): … is no key\\u{7}.',
        servers: [],
      });
      await world.advance(30_000);
      world.call.open().push(changesEvent({ servers: [aServer('a')], full: true, tag: 't1' }));
      await world.settle();
      expect(told.at(-1)!.problem).to.equal(undefined);
      world.call.push('event: state\ndata: {"stale":true,"as_of":"2026-01-01T00:00:10.000Z"}\n\n');
      await world.settle();
      expect(told.at(-1)!.staleSince).to.deep.equal(new Date('2026-01-01T00:00:10.000Z'));
      world.call.fail();
      await world.advance(60_000);
      expect(told.at(-1)!.problem).to.equal('The service did not answer: the connection is lost.');
      expect(namesOf(told.at(-1)!)).to.deep.equal(['a']);
    });

    it('ends while its loop waits: by return(), and quietly with its signal', async () => {
      const looped = loop();
      await world.settle();
      await watched.return();
      await looped;
      expect([isOver, world.call.isAborted]).to.deep.equal([true, true]);

      const other = watch(SERVICE, '', { environment: world, signal: signal.signal });
      const step = other.next();
      await world.settle();
      signal.abort();
      expect(await step).to.deep.equal({ done: true, value: undefined });
    });

    it('lets go of the stream at once when its signal ends it, also while the loop is busy', async () => {
      const first = watched.next();
      await world.settle();
      world.call.open().push(changesEvent({ servers: [], full: true, tag: 't1' }));
      await first;
      signal.abort();
      expect(world.call.isAborted).to.equal(true);
      expect((await watched.next()).done).to.equal(true);
    });
  });

  describe('that lists', () => {
    const { id, host, name, port, ip, players, max_players } = aServer('a');
    const SERVER = { id, host, name, port, ip, players, max_players };

    it('keeps the servers of the result before while the list is the same, stale or not', async () => {
      const listed = list(SERVICE, { environment: world });
      expect(world.call.url.href).to.equal('http://service.test/lists/eu/');
      await answer({ servers: [SERVER], count: 1 }, { ETag: '"1"', Warning: '110 - "x"', Age: '60' });
      const first = await listed;
      expect(first.servers).to.deep.equal([SERVER]);
      expect(first.staleSince).to.deep.equal(new Date(world.now() - 60_000));
      const again = list(SERVICE, { environment: world, previous: first });
      expect(world.call.headers.get('If-None-Match')).to.equal('"1"');
      world.call.open({ Warning: '110 - "x"', Age: '90' }, 304).end();
      const second = await again;
      expect(second.servers).to.equal(first.servers);
      expect([second.etag, second.staleSince]).to.deep.equal(['"1"', new Date(world.now() - 90_000)]);
      const current = list(SERVICE, { environment: world, previous: second });
      world.call.open({}, 304).end();
      expect((await current).staleSince).to.equal(undefined);
      expect(world.timers).to.equal(0);
    });

    it('fails with the words, the code and the pause of the service', async () => {
      const failed = failure(list(SERVICE, { environment: world, key: 'geheim' }));
      const error = 'no key geheim\u001b';
      await answer({ status: 'error', error, code: 'rate_limited' }, { 'Retry-After': '7' }, 429);
      expect(await failed)
        .to.be.instanceOf(ServiceError)
        .and.include({
          message: 'no key …\\u{1b}',
          status: 429,
          code: 'rate_limited',
          retryAfterMs: 7000,
        });
    });

    for (const [what, body] of [
      ['no JSON', '<h1>Bad gateway'],
      ['null', 'null'],
      ['no servers', '{"servers":{}}'],
      ['a server without a name', JSON.stringify({ servers: [{ ...SERVER, name: 7 }] })],
    ])
      it(`takes ${what} for no answer of GSLS`, async () => {
        const failed = failure(list(SERVICE, { environment: world }));
        world.call.say(body!);
        expect(await failed)
          .to.be.instanceOf(ServiceError)
          .and.include({ message: 'the answer is none of GSLS' });
      });

    it('gives up after its time, and with the reason of its signal', async () => {
      const late = failure(list(SERVICE, { environment: world, timeoutMs: 300 }));
      await world.advance(300);
      expect(await late).to.include({ message: 'nothing came within 0.3 s', status: 0 });
      const given = new AbortController();
      const over = failure(list(SERVICE, { environment: world, signal: given.signal }));
      given.abort('enough');
      expect(await over).to.equal('enough');
      expect(await failure(list(SERVICE, { environment: world, signal: given.signal }))).to.equal('enough');
      expect(world.calls).to.have.length(2);
    });
  });

  describe('that finds', () => {
    it('reads all pages, and takes a server that has moved as it was seen last', async () => {
      const found = find(SERVICE, 'region=eu&sort=-players', { environment: world });
      expect(query()).to.equal('?region=eu&sort=-players&limit=1000');
      await page(['a', 'b'], 'x&y');
      expect(query()).to.equal('?region=eu&sort=-players&limit=1000&cursor=x%26y');
      await page(['c', 'a'], null);
      expect((await found).servers.map(({ id }) => id)).to.deep.equal(['b', 'c', 'a']);
    });

    it('reads as many as its query says, over all pages', async () => {
      const found = find(SERVICE, '?limit=1002&cursor=from', { environment: world });
      expect(query()).to.equal('?limit=1000&cursor=from');
      await page(['a', 'b'], 'next');
      expect(query()).to.equal('?limit=1000&cursor=next');
      await page(
        Array.from({ length: 1001 }, (_, n) => `s${n}`),
        'more',
      );
      expect((await found).servers).to.have.length(1002);
    });

    it('leaves a limit that is none to the service', async () => {
      const failed = failure(find(SERVICE, 'limit=few', { environment: world }));
      expect(query()).to.equal('?limit=few');
      await answer({ status: 'error', error: 'limit: few', code: 'invalid_query' }, {}, 400);
      expect(await failed).to.include({ message: 'limit: few', code: 'invalid_query' });
    });

    it('fails as before another service where the next page has half a character', async () => {
      const failed = failure(find(SERVICE, '', { environment: world }));
      await page(['a'], '\ud800');
      expect(await failed).to.be.instanceOf(ServiceError);
    });

    it('ends where a service has pages without end', async () => {
      let pages = 0;
      const failed = failure(
        find(SERVICE, '', {
          environment: {
            fetch: async () => {
              pages += 1;
              return Response.json({ servers: [], next: 'x' });
            },
          },
        }),
      );
      expect(await failed).to.be.instanceOf(ServiceError);
      expect(pages).to.equal(1000);
    });
  });

  describe('that reports', () => {
    it('leaves out a note that is empty, and gives up with the reason of its signal', async () => {
      const given = new AbortController();
      const options = { environment: world, note: '', signal: given.signal };
      const over = failure(report(SERVICE, 'a', 'cheating', options));
      await world.settle();
      expect(world.call.url.href).to.equal(`${SERVICE}report`);
      expect(sent()).to.deep.equal({ id: 'a', reason: 'cheating' });
      given.abort('enough');
      expect(await over).to.equal('enough');
      expect(await failure(report([SERVICE, SERVICE], 'a', 'cheating', options))).to.equal('enough');
      expect(world.calls).to.have.length(1);
    });

    it('fails with the words, the code and the pause of the service, without its key', async () => {
      const failed = failure(report(SERVICE, 'a', 'cheating', { environment: world, key: 'geheim' }));
      await world.settle();
      await answer(
        { status: 'error', error: 'no geheim', code: 'rate_limited' },
        { 'Retry-After': '7' },
        429,
      );
      expect(await failed)
        .to.be.instanceOf(ServiceError)
        .and.include({ message: 'no …', status: 429, code: 'rate_limited', retryAfterMs: 7000 });
    });

    it('asks another URL where a proxy answers with an error that looks like one of GSLS', async () => {
      const reported = report([SERVICE, 'http://other.test'], 'a', 'cheating', { environment: world });
      await world.settle();
      await answer({ code: 'unknown_server' }, {}, 404);
      await answer({ status: 'success' });
      await reported;
      expect(world.call.url.href).to.equal('http://other.test/report');
    });
  });

  describe('before a service with moderators', () => {
    const headers = { Authorization: 'Bearer key-of-moderators' };
    const service = useService({ GSLS_ADMIN_KEY: 'key-of-moderators', GSLS_REPORT_REASONS: 'cheating,name' });

    it('reports a game server, and finds the labels that it has', async () => {
      const id = await service.broadcast();
      const { status } = await ask(service, 'POST /admin/labels', {
        headers,
        body: { id, label: 'official' },
      });
      expect(status).to.equal(201);
      const { servers } = await find(service.url);
      expect(servers.map(({ labels }) => labels)).to.deep.equal([['official']]);
      await report(service.url, id, 'cheating');
      expect((await ask(service, 'GET /admin/reports', { headers })).text)
        .to.include(id)
        .and.include('cheating');
      const refused = await failure(report(service.url, id, 'boring'));
      expect(refused).to.include({ status: 400, code: 'invalid_request' });
    });
  });
});
