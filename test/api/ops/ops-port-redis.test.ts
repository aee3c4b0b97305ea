/** The operations port while Redis hangs, or is not there yet: it answers all the same, and at once. */

import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { DEADLINES } from '../../../src/runtime/deadlines.ts';
import type { Service } from '../../../src/service/service.ts';
import { ask, type TestAnswer } from '../../support/ask.ts';
import { freePort } from '../../support/free-port.ts';
import { valueOf } from '../../support/metrics.ts';
import { needs } from '../../support/needs.ts';
import { startRedisServer, type RedisServer } from '../../support/redis-server.ts';
import { silentLogger, startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';

/** A second in steps: a pause of this process, in which nothing can answer, counts as one of them. */
async function aSecond(): Promise<never> {
  for (let step = 0; step < 10; step += 1) await delay(100);
  throw new Error('no answer');
}

needs('redis-server').describe('the operations port', () => {
  let redis: RedisServer | undefined;
  let service: Service | undefined;
  afterEach(async () => {
    redis?.thaw();
    await service?.close();
    await redis?.stop();
    [redis, service] = [undefined, undefined];
  });

  async function start(port: number): Promise<void> {
    const environment = { GSLS_REDIS: `redis://127.0.0.1:${port}`, GSLS_OPS_PORT: '0' };
    service = await startTestService(environment, silentLogger, DEADLINES);
  }

  const askInTime = (path: string): Promise<TestAnswer> =>
    Promise.race([ask({ url: service!.opsUrl! }, `GET ${path}`), aSecond()]);

  it('answers within a second while Redis hangs, and stays ready: it serves its list', async () => {
    redis = await startRedisServer();
    await start(redis.port);
    expect(valueOf((await askInTime('/metrics')).text, 'gsls_registry_available')).to.equal(1);
    redis.freeze();
    await until(async () => {
      const [scrape, ready, live, config] = await Promise.all(
        ['/metrics', '/readyz', '/livez', '/debug/config'].map(askInTime),
      );
      for (const { status } of [scrape!, ready!, live!, config!]) expect(status).to.equal(200);
      return valueOf(scrape!.text, 'gsls_registry_available') === 0;
    });
    expect(valueOf((await askInTime('/metrics')).text, 'gsls_list_stale_seconds')).to.be.above(0);
  });

  it('says that there is no list yet before Redis is there, and is ready once the list is loaded', async () => {
    const port = await freePort();
    await start(port);
    const { status, body } = await askInTime('/readyz');
    expect([status, body]).to.deep.equal([
      503,
      {
        ready: false,
        reason: 'no_list_yet',
        message: 'no list is loaded yet, because Redis is away: it cannot be reached',
      },
    ]);
    for (const path of ['/livez', '/metrics']) expect((await askInTime(path)).status).to.equal(200);
    redis = await startRedisServer({ port });
    await until(async () => (await askInTime('/readyz')).status === 200);
  });

  it('says so too when Redis hangs from the start', async () => {
    redis = await startRedisServer();
    redis.freeze();
    await start(redis.port);
    const ready = await askInTime('/readyz');
    expect(ready.status).to.equal(503);
    expect(ready.text).to.include('"reason":"no_list_yet"');
    for (const path of ['/livez', '/metrics']) expect((await askInTime(path)).status).to.equal(200);
    redis.thaw();
    await until(async () => (await askInTime('/readyz')).status === 200);
  });
});
