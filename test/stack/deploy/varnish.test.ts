/** The cache of lists in deploy/varnish/gsls.vcl, which has a limit of its own: an hour. */

import { createServer } from 'node:http';
import { expect } from 'chai';
import { ask, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { createClockAhead } from '../../support/clock-ahead.ts';
import { describeListCache } from '../../support/describe-list-cache.ts';
import { freePort } from '../../support/free-port.ts';
import { listen } from '../../support/listen.ts';
import { needs } from '../../support/needs.ts';
import { endProcesses } from '../../support/processes.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { startVarnish } from '../../support/varnish.ts';

describeListCache({
  program: 'varnishd',
  start: ({ newPath, ...site }) => startVarnish(newPath(), site),
});

needs('Linux', 'varnishd', 'gcc').describe('the last list in Varnish', function () {
  this.timeout(60_000);
  const newPath = useDirectory();
  afterEach(endProcesses);

  /** Varnish before this replica, and a way to it after so many seconds by its clock. */
  async function start(
    replicaPort: number,
  ): Promise<(afterS?: number, tag?: string, path?: string) => Promise<TestAnswer>> {
    const port = await freePort();
    const clock = createClockAhead(newPath());
    const varnish = startVarnish(newPath(), { port, replicaPorts: [replicaPort] }, clock.environment);
    const edge = { host: '127.0.0.1', port };
    await until(
      async () =>
        (await ask(edge, 'GET /').catch(() => undefined))?.headers['cdn-cache-control'] !== undefined,
      varnish,
    );
    return (afterS = 0, tag, path = '/') => {
      clock.putAhead(afterS);
      return ask(edge, `GET ${path}`, { headers: tag === undefined ? {} : { 'If-None-Match': tag } });
    };
  }

  it('is served for an hour with every replica dead, under a tag of its own, and no longer', async () => {
    const service = await startTestService({ GSLS_LIST_MAX_AGE: '1000' });
    const { body } = await ask(service, 'POST /broadcast', { body: aBroadcast() });
    const path = `/servers/${body.server_id!}`;
    const list = await start(Number(new URL(service.url).port));
    const fresh = await list();
    await list(0, undefined, path);
    await service.close();
    for (const afterS of [60, 3590]) {
      const { status, headers, text } = await list(afterS, fresh.headers.etag);
      expect([status, text, headers['warning']]).to.deep.equal([
        200,
        fresh.text,
        '110 - "Response is Stale"',
      ]);
      expect(Number(headers.age)).to.be.within(afterS, afterS + 9);
      expect(headers.etag).to.equal(fresh.headers.etag!.replace(/(-gzip)?"$/, '-stale$1"'));
      expect((await list(afterS, headers.etag)).status).to.equal(304);
      const entry = await list(afterS, undefined, path);
      expect([entry.status, entry.headers['warning'], entry.headers.etag]).to.deep.equal([
        200,
        '110 - "Response is Stale"',
        undefined,
      ]);
    }
    const { status, body: refusal } = await list(3602);
    expect([status, refusal.code]).to.deep.equal([503, 'registry_unavailable']);
  });

  const CACHING = {
    'Cache-Control': 'public, max-age=1',
    'CDN-Cache-Control': 'max-age=1, stale-while-revalidate=1, stale-if-error=3600',
  };

  it('is the same for every query, and served in place of an error of a replica that is well', async () => {
    let status = 200;
    const asked: string[] = [];
    const replica = createServer(({ url }, response) => {
      asked.push(url!);
      if (url === '/') response.writeHead(status, status === 200 ? CACHING : {});
      response.end('{}');
    });
    const port = await freePort();
    await listen(replica, '127.0.0.1', port);
    const list = await start(port);
    // Of a query nothing is lost, but at the list.
    for (const path of ['/servers?name=a/?b', '/?b']) await list(0, undefined, path);
    expect(asked.filter((url) => url.includes('b'))).to.deep.equal(['/servers?name=a/?b']);
    status = 503;
    const { status: served, headers } = await list(100);
    expect([served, headers['warning']]).to.deep.equal([200, '110 - "Response is Stale"']);
    expect((await list(3700)).body.code).to.equal('registry_unavailable');
    replica.closeAllConnections();
    replica.close();
  });

  it('counts the time that it was stale at the replica as a part of the hour', async () => {
    const replica = createServer(({ url }, response) => {
      const headers = { ...CACHING, Warning: '110 - "Response is Stale"', Age: '3000' };
      response.writeHead(200, url === '/' ? headers : {}).end('{}');
    });
    const port = await freePort();
    await listen(replica, '127.0.0.1', port);
    const list = await start(port);
    replica.closeAllConnections();
    replica.close();
    const { status, headers } = await list(590);
    expect([status, headers['warning']]).to.deep.equal([200, '110 - "Response is Stale"']);
    expect(Number(headers.age)).to.be.within(3590, 3599);
    expect((await list(602)).status).to.equal(503);
  });
});
