/**
 * A cache of lists in front of real replicas, as deploy/ configures it: what readers get, and what is left for a
 * replica, whichever cache it is.
 */

import { createServer, request, type Server } from 'node:http';
import { expect } from 'chai';
import type { Service } from '../../src/service/service.ts';
import { ask, type Address, type TestAnswer } from './ask.ts';
import { aBroadcast } from './builders.ts';
import { ChangesFollower } from './follow-changes.ts';
import { freePort } from './free-port.ts';
import { listen } from './listen.ts';
import { needs, type Need } from './needs.ts';
import { endProcesses, type RunningProcess } from './processes.ts';
import { startRedisServer, type RedisServer } from './redis-server.ts';
import { startTestService } from './start-test-service.ts';
import { until } from './until.ts';
import { useDirectory } from './use-directory.ts';

/** What a cache is told, in place of what its file in deploy/ says. */
export interface CacheSite {
  readonly port: number;
  readonly replicaPorts: readonly number[];
  readonly key?: string | undefined;
  /** A path that nothing has yet, for its own files. */
  readonly newPath: () => string;
}

export interface ListCache {
  readonly program: Need;
  readonly start: (site: CacheSite) => RunningProcess;
}

const ETAG = /^(W\/)?"[^"]+"$/;
const STALE = '110 - "Response is Stale"';
const KEY = 'only for friends';

function closeDoor(door: Server | undefined): void {
  door?.closeAllConnections();
  door?.close();
}

export function describeListCache({ program, start: startCache }: ListCache): void {
  needs('Linux', program).describe(`the cache of lists in ${program}`, function () {
    this.timeout(60_000);
    const newPath = useDirectory();
    let service: Service;
    let doors: Server[];
    let replicaPorts: number[];
    let cache: RunningProcess;
    let edge: Address;
    /** What came to a replica, and the status of its answer. */
    let passed: { readonly url: string; readonly status: number }[];

    /** A way to the one service, as if it were a replica of its own. */
    function createDoor(): Server {
      return createServer((incoming, response) => {
        const { method, url, headers } = incoming;
        const forwarded = request(`${service.url}${url!}`, { method: method!, headers }, (answer) => {
          passed.push({ url: url!, status: answer.statusCode! });
          response.writeHead(answer.statusCode!, answer.headers);
          response.flushHeaders();
          answer.pipe(response);
        });
        response.on('close', () => forwarded.destroy());
        forwarded.on('error', () => response.destroy());
        incoming.pipe(forwarded);
      });
    }

    async function start(environment: Readonly<Record<string, string>> = {}): Promise<void> {
      service = await startTestService({ GSLS_LIST_MAX_AGE: '1000', ...environment });
      passed = [];
      doors = [createDoor(), createDoor()];
      const port = await freePort();
      replicaPorts = [await freePort(), await freePort()];
      await Promise.all(doors.map((door, i) => listen(door, '127.0.0.1', replicaPorts[i]!)));
      edge = { host: '127.0.0.1', port };
      cache = startCache({ port, replicaPorts, key: environment['GSLS_KEY'], newPath });
      const isUp = async (): Promise<boolean> => {
        const answer = await ask(edge, 'GET /health', { headers: { Authorization: `Bearer ${KEY}` } }).catch(
          () => undefined,
        );
        return answer?.status === 200;
      };
      await until(isUp, cache);
      passed.length = 0;
    }

    afterEach(async () => {
      await endProcesses();
      doors.forEach(closeDoor);
      await service.close();
    });

    const list = (headers: Readonly<Record<string, string>> = {}, query = ''): Promise<TestAnswer> =>
      ask(edge, `GET /${query}`, { headers });
    const broadcast = (): Promise<TestAnswer> => ask(edge, 'POST /broadcast', { body: aBroadcast() });
    const listsPassed = (): number => passed.filter(({ url }) => /^\/(\?|$)/.test(url)).length;

    it('answers many readers, whatever their query, with one request to a replica in a second', async () => {
      await start();
      await broadcast();
      const from = performance.now();
      await list();
      const answers = await Promise.all(Array.from({ length: 300 }, (_, n) => list({}, `?n=${n}`)));
      const seconds = Math.ceil((performance.now() - from) / 1000);
      expect(new Set(answers.map(({ text }) => text)).size).to.be.at.most(seconds);
      expect(listsPassed()).to.be.at.most(1 + seconds);
      expect(answers[0]!.headers['cache-control']).to.equal('public, max-age=1');
    });

    it('shows a change to all that ask 3 s after it', async () => {
      await start();
      await broadcast();
      expect((await list()).body.count).to.equal(1);
      await broadcast();
      const changedAt = performance.now();
      let seen: TestAnswer;
      let askedAt: number;
      do {
        askedAt = performance.now();
        seen = await list();
      } while (seen.body.count !== 2 && askedAt < changedAt + 3000);
      expect(seen.body.count).to.equal(2);
    });

    it('has the list plain and compressed, and answers 304 itself', async () => {
      await start();
      await broadcast();
      const [plain, gzip] = [await list(), await list({ 'Accept-Encoding': 'gzip' })];
      expect(plain.headers['content-encoding']).to.equal(undefined);
      expect(plain.body.count).to.equal(1);
      expect(gzip.headers).to.include({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
      expect(gzip.headers.etag).to.match(ETAG).and.not.equal(plain.headers.etag);
      for (const [known, headers] of [
        [plain, {}],
        [gzip, { 'Accept-Encoding': 'gzip' }],
      ] as const)
        expect((await list({ ...headers, 'If-None-Match': known.headers.etag! })).status).to.equal(304);
    });

    it('keeps no broadcast and no ping', async () => {
      await start();
      const { body } = await broadcast();
      expect((await broadcast()).body.server_id).to.not.equal(body.server_id);
      const ping = aBroadcast({ server_id: body.server_id, players: 9 });
      for (let n = 0; n < 3; n += 1) await ask(edge, 'POST /ping', { body: ping });
      const query = new URLSearchParams(
        Object.entries(ping).map(([name, value]): [string, string] => [name, String(value)]),
      );
      for (let n = 0; n < 3; n += 1) await ask(edge, `GET /ping?${query.toString()}`);
      expect(passed.filter(({ url }) => url.startsWith('/ping'))).to.have.length(6);
    });

    it('keeps nothing that needs a key, and nothing that is asked for with one', async () => {
      await start({ GSLS_KEY: KEY });
      const headers = { Authorization: `Bearer ${KEY}` };
      const statuses = async (): Promise<number[]> => [
        (await list(headers)).status,
        (await list()).status,
        (await list(headers)).status,
      ];
      expect([...(await statuses()), ...(await statuses())]).to.deep.equal([200, 401, 200, 200, 401, 200]);
      expect(passed.filter(({ url, status }) => url === '/' && status === 200)).to.have.length(4);
    });

    it('lets a stream through as it comes', async () => {
      await start();
      const follower = new ChangesFollower({ urls: [`http://127.0.0.1:${edge.port}`], by: 'stream' });
      follower.start();
      await until(() => follower.tag !== undefined, cache);
      for (const count of [1, 2]) {
        await broadcast();
        await until(() => follower.servers.size === count, cache);
      }
      expect([follower.failures, follower.complaints]).to.deep.equal([0, []]);
      await follower.stop();
    });

    it('serves the last list with every replica dead, marked as stale, and a newer one once one is back', async () => {
      await start();
      const { body } = await broadcast();
      const fresh = await list();
      closeDoor(doors.pop());
      for (let n = 0; n < 20; n += 1) expect((await list()).status).to.equal(200);
      closeDoor(doors.pop());
      await service.close();
      let last: TestAnswer;
      do {
        last = await list();
        expect([last.status, last.body.servers?.[0]?.id]).to.deep.equal([200, body.server_id]);
      } while (last.headers['warning'] !== STALE);
      const { etag, date } = last.headers;
      expect((await list({ 'If-None-Match': etag! })).status).to.equal(304);
      // It says when a replica made it.
      expect(Date.parse(date!) - Date.parse(fresh.headers.date!)).to.be.at.most(3000);
      expect((await ask(edge, 'POST /broadcast', { body: aBroadcast() })).body).to.include({
        code: 'registry_unavailable',
      });
      service = await startTestService({ GSLS_LIST_MAX_AGE: '1000' });
      doors = [createDoor()];
      await listen(doors[0]!, '127.0.0.1', replicaPorts[0]!);
      await until(async () => (await list()).headers['warning'] === undefined, cache);
      expect((await list()).body.count).to.equal(0);
    });

    needs('redis-server').describe('while Redis is away', () => {
      let redis: RedisServer;
      beforeEach(async () => {
        redis = await startRedisServer();
      });
      afterEach(() => redis.stop());

      it('has the list, marked as stale with its age, and as current again once Redis is back', async () => {
        await start({ GSLS_REDIS: redis.url, GSLS_TTL: '3600' });
        const { body } = await broadcast();
        await list();
        const readers: TestAnswer[] = [];
        const untilAnswer = (holds: (answer: TestAnswer) => boolean): Promise<void> =>
          until(async () => {
            const answer = await list();
            readers.push(answer);
            return holds(answer);
          });
        await redis.crash();
        await untilAnswer(({ headers }) => headers['warning'] === STALE);
        const from = performance.now();
        passed.length = 0;
        await untilAnswer(({ headers }) => Number(headers.age) >= 4);
        expect(listsPassed()).to.be.at.most(2 + (performance.now() - from) / 1000);
        const { headers } = readers.at(-1)!;
        expect(headers['warning']).to.equal(STALE);
        expect((await list({ 'If-None-Match': headers.etag! })).status).to.equal(304);
        await redis.restart();
        await untilAnswer((answer) => answer.headers['warning'] === undefined);
        expect(Number(readers.at(-1)!.headers.age ?? 0)).to.be.at.most(2);
        for (const { status, body: seen } of readers)
          expect([status, seen.servers?.map(({ id }) => id)]).to.deep.equal([200, [body.server_id]]);
      });
    });
  });
}
