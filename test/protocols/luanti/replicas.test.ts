import { expect } from 'chai';
import { needs } from '../../support/needs.ts';
import { useRedis } from '../../support/redis-server.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';
import { aStart, anUpdate } from './builders.ts';
import { announceAndWait, luantiRows } from './luanti-driver.ts';
import { startUdpServer } from './played-server.ts';

needs('redis-server').describe('announcements of a Luanti server at two replicas', () => {
  const redis = useRedis();

  it('carry over at the one what was said to the other', async () => {
    const environment = { GSLS_PROTOCOLS: 'luanti', GSLS_REDIS: redis.url };
    const [here, there] = [await startTestService(environment), await startTestService(environment)];
    const udp = await startUdpServer();
    try {
      await announceAndWait(here, aStart({ port: udp.port }));
      await until(async () => (await luantiRows(there)).length === 1);
      await announceAndWait(there, anUpdate({ port: udp.port }));
      await until(async () => (await luantiRows(here))[0]?.['uptime'] === 300);
      expect((await luantiRows(here))[0]).to.deep.include({ mods: ['bucket', 'testtools'] });
    } finally {
      await Promise.all([here.close(), there.close(), udp.close()]);
    }
  });
});
