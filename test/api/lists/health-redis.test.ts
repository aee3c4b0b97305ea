/** `GET /health` of a replica whose Redis comes after it. */

import { expect } from 'chai';
import { ask } from '../../support/ask.ts';
import { freePort } from '../../support/free-port.ts';
import { needs } from '../../support/needs.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { until } from '../../support/until.ts';
import { useService } from '../../support/use-service.ts';

needs('redis-server').describe('GET /health before Redis is there', () => {
  let redisPort: number;
  before(async () => {
    redisPort = await freePort();
  });
  const service = useService(() => ({ GSLS_REDIS: `redis://127.0.0.1:${redisPort}` }));

  it('answers 200 as soon as Redis is there and the list is loaded', async () => {
    const redis = await startRedisServer({ port: redisPort });
    try {
      await until(async () => (await ask(service, 'GET /health')).status === 200);
      expect((await ask(service, 'GET /')).body.count).to.equal(0);
    } finally {
      await redis.stop();
    }
  });
});
