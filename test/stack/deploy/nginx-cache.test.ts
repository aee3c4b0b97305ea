/**
 * The cache of the list as docs/deploy.md has it, in a real nginx: what readers get, and what is left for a replica.
 */

import { createServer, request, type Server } from 'node:http';
import { expect } from 'chai';
import type { Service } from '../../../src/service/service.ts';
import { ask, type Address, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { freePort } from '../../support/free-port.ts';
import { listen } from '../../support/listen.ts';
import { readDocument } from '../../support/markdown.ts';
import { needs } from '../../support/needs.ts';
import { startNginx } from '../../support/nginx.ts';
import { endProcesses } from '../../support/processes.ts';
import { startRedisServer, type RedisServer } from '../../support/redis-server.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';
import { useDirectory } from '../../support/use-directory.ts';

const [PATHS, LOCATION] = [...readDocument('docs/deploy.md').matchAll(/```nginx\n([^]*?)```/g)].map(
  ([, text]) => text!,
);
const ETAG = /^"[^"]+"$/;

needs('Linux', 'nginx').describe('the cache of the list in nginx', function () {
  this.timeout(60_000);
  const newPath = useDirectory();
  let service: Service;
  let counter: Server;
  let edge: Address;
  /** What came to the replica, and the status of its answer. */
  let passed: { readonly url: string; readonly status: number }[];

  async function start(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    service = await startTestService({ GSLS_LIST_MAX_AGE: '1000', ...environment });
    passed = [];
    counter = createServer((incoming, response) => {
      const { method, url, headers } = incoming;
      const forwarded = request(`${service.url}${url!}`, { method: method!, headers }, (answer) => {
        passed.push({ url: url!, status: answer.statusCode! });
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      incoming.pipe(forwarded);
    });
    const [port, publicPort] = [await freePort(), await freePort()];
    await listen(counter, '127.0.0.1', port);
    edge = { host: '127.0.0.1', port: publicPort };
    const folder = newPath();
    const nginx = startNginx(
      folder,
      `${PATHS!.replace('/var/cache/nginx/gsls', `${folder}/cache`)}
      upstream gsls { server 127.0.0.1:${port}; }
      server {
        listen 127.0.0.1:${publicPort};
        proxy_http_version 1.1;
        ${LOCATION!}
        location / { proxy_pass http://gsls; }
      }`,
    );
    await until(async () => (await ask(edge, 'GET /health').catch(() => undefined)) !== undefined, nginx);
    passed.length = 0;
  }

  afterEach(async () => {
    await endProcesses();
    counter.closeAllConnections();
    counter.close();
    await service.close();
  });

  const list = (headers: Readonly<Record<string, string>> = {}, query = ''): Promise<TestAnswer> =>
    ask(edge, `GET /${query}`, { headers });
  const broadcast = (): Promise<TestAnswer> => ask(edge, 'POST /broadcast', { body: aBroadcast() });

  it('answers many readers, whatever their query, with one request to a replica in a second', async () => {
    await start();
    await broadcast();
    const from = performance.now();
    const answers = await Promise.all(Array.from({ length: 300 }, (_, n) => list({}, `?n=${n}`)));
    const seconds = Math.ceil((performance.now() - from) / 1000);
    expect(new Set(answers.map(({ text }) => text)).size).to.be.at.most(seconds);
    expect(passed.filter(({ url }) => url.startsWith('/?')).length).to.be.at.most(1 + seconds);
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

  it('keeps plain and compressed lists apart, and answers 304 itself', async () => {
    await start();
    await broadcast();
    const [plain, gzip] = [await list(), await list({ 'Accept-Encoding': 'gzip' })];
    expect(plain.headers['content-encoding']).to.equal(undefined);
    expect(gzip.headers).to.include({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gzip.headers.etag).to.match(ETAG).and.not.equal(plain.headers.etag);
    const again = await list({ 'Accept-Encoding': 'gzip', 'If-None-Match': gzip.headers.etag! });
    expect(again.status).to.equal(304);
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

  it('keeps nothing that needs a key', async () => {
    await start({ GSLS_KEY: 'only for friends' });
    const headers = { Authorization: 'Bearer only for friends' };
    for (let n = 0; n < 2; n += 1) expect((await list(headers)).status).to.equal(200);
    expect((await list()).status).to.equal(401);
    expect(passed.map(({ status }) => status)).to.deep.equal([200, 200, 401]);
  });

  needs('redis-server').describe('while Redis is away', () => {
    let redis: RedisServer;
    beforeEach(async () => {
      redis = await startRedisServer();
    });
    afterEach(() => redis.stop());

    it('keeps the list, marked as stale with its age, and as current again once Redis is back', async () => {
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
      await untilAnswer(({ headers }) => headers['warning'] === '110 - "Response is Stale"');
      await untilAnswer(({ headers }) => Number(headers.age) >= 3);
      const { headers } = readers.at(-1)!;
      expect((await list({ 'If-None-Match': headers.etag! })).status).to.equal(304);
      await redis.restart();
      await untilAnswer((answer) => answer.headers['warning'] === undefined);
      expect(readers.at(-1)!.headers.age).to.equal(undefined);
      for (const { status, body: seen } of readers)
        expect([status, seen.servers?.map(({ id }) => id)]).to.deep.equal([200, [body.server_id]]);
    });
  });
});
