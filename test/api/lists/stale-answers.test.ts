/** What a cache between clients and a replica may keep of answers that are made from a stale list. */

import { expect } from 'chai';
import { createConfig } from '../../../src/service/config/config.ts';
import { Pulse } from '../../../src/runtime/pulse.ts';
import { startHttpServer, type HttpServer } from '../../../src/api/http/server/server.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import type { Listing } from '../../../src/registry/registry.ts';
import { createMetrics } from '../../../src/service/metrics/create-metrics.ts';
import { createListener } from '../../support/create-listener.ts';
import { ask, type TestAnswer } from '../../support/ask.ts';
import { aGameServer, broadcastTo } from '../../support/builders.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { silentLogger } from '../../support/start-test-service.ts';

describe('an answer that is made from a stale list', () => {
  let registry: MemoryRegistry;
  let server: HttpServer;
  let staleSince: number | undefined;

  beforeEach(async () => {
    staleSince = undefined;
    registry = new MemoryRegistry({ lifetime, uniqueAddress: false });
    await broadcastTo(registry, aGameServer());
    const list = registry.list.bind(registry);
    registry.list = async (): Promise<Listing> => ({ ...(await list()), staleSince });
    const { signal } = new AbortController();
    const config = createConfig({ flags: {}, environment: {}, readFile: () => '' });
    const metrics = createMetrics();
    const listener = createListener({
      config,
      registry,
      lifetime,
      metrics,
      logger: silentLogger,
      stopping: signal,
    });
    const site = { listener, host: '127.0.0.1', port: 0, stopping: signal };
    server = await startHttpServer({ ...site, logError: () => undefined, pulse: new Pulse() });
  });
  afterEach(async () => {
    await server.close(0);
    await registry.close();
  });

  const get = (path: string, encoding: string, tag?: string): Promise<TestAnswer> =>
    ask(server, `GET ${path}`, {
      headers: { 'Accept-Encoding': encoding, ...(tag !== undefined && { 'If-None-Match': tag }) },
    });

  for (const path of ['/', '/servers', '/stats'])
    for (const encoding of ['identity', 'gzip'])
      it(`has a tag of its own at ${path}, ${encoding}, so that no cache takes its headers for those of a current one`, async () => {
        const current = await get(path, encoding);
        staleSince = Date.now();
        const stale = await get(path, encoding, current.headers.etag);
        expect(stale.status).to.equal(200);
        expect(stale.headers).to.include({ warning: '110 - "Response is Stale"' });
        expect(stale.text).to.equal(current.text);
        const unchanged = await get(path, encoding, stale.headers.etag);
        expect(unchanged.status).to.equal(304);
        expect(unchanged.headers).to.include.keys('warning', 'age');
        staleSince = undefined;
        const back = await get(path, encoding, stale.headers.etag);
        expect(back.status).to.equal(200);
        expect(back.headers).to.not.have.any.keys('warning', 'age');
        expect(back.headers.etag).to.equal(current.headers.etag);
        expect((await get(path, encoding, back.headers.etag)).status).to.equal(304);
      });
});
