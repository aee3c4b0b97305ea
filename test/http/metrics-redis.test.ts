/** `GET /metrics` of a replica whose Redis goes away. */

import { expect } from 'chai';
import { needs } from '../support/needs.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { startTestService } from '../support/start-test-service.ts';
import { valueOf } from '../support/metrics.ts';

needs('redis-server').describe('the metrics of a replica with Redis', () => {
  it('tell how many are listed, and how old the list is while Redis is away', async () => {
    const redis = await startRedisServer();
    const replica = await startTestService({ GSLS_REDIS: redis.url });
    try {
      const current = await readMetrics(replica);
      expect(valueOf(current, 'gsls_game_servers')).to.equal(0);
      expect(valueOf(current, 'gsls_list_stale_seconds')).to.equal(0);
      expect(valueOf(current, 'gsls_registry_available')).to.equal(1);
      await redis.stop();
      let stale = current;
      while (valueOf(stale, 'gsls_registry_available') === 1) stale = await readMetrics(replica);
      expect(valueOf(await readMetrics(replica), 'gsls_list_stale_seconds')).to.be.above(0);
    } finally {
      await replica.close();
      await redis.stop();
    }
  });
});

async function readMetrics({ url }: { readonly url: string }): Promise<string> {
  return (await fetch(`${url}/metrics`)).text();
}
