/** The metrics by the tool of Prometheus, after requests of each kind. */

import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { useRedis } from '../../support/redis-server.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { useDirectory } from '../../support/use-directory.ts';

/** What the tool has against the text; empty if nothing. */
function complaintsOf(text: string): string {
  const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  return stdout + stderr;
}

/** The metrics of a service that has had requests of each kind, some of them refused. */
async function metricsAfterTraffic(environment: Readonly<Record<string, string>>): Promise<string> {
  const service = await startTestService(environment);
  try {
    const { body } = await ask(service, 'POST /broadcast', { body: aBroadcast() });
    const known = { ...aBroadcast(), server_id: body.server_id };
    await ask(service, 'POST /ping', { body: known });
    await ask(service, 'POST /ping', { body: { ...known, server_id: 'unknown' } });
    await ask(service, 'POST /broadcast', { body: { server_name: '"\n\\' } });
    for (const path of ['', 'servers?map=a', 'stats', 'changes', 'history', 'health', 'nothing'])
      await ask(service, `GET /${path}`);
    await ask(service, 'POST /remove', { body: known });
    return await (await fetch(`${service.url}/metrics`)).text();
  } finally {
    await service.close();
  }
}

needs('promtool').describe('promtool', () => {
  const newPath = useDirectory();

  it('finds nothing wrong with the metrics of a service with a data file', async () => {
    const text = await metricsAfterTraffic({ GSLS_DATA_FILE: newPath() });
    expect(text).to.include('gsls_data_file_writable 1');
    expect(complaintsOf(text)).to.equal('');
  });

  it('does find what is wrong', () => {
    expect(complaintsOf('# TYPE gsls_x_total gauge\ngsls_x_total 1\n')).to.include('gsls_x_total');
  });

  needs('redis-server').describe('with Redis', () => {
    const redis = useRedis();

    it('finds nothing wrong with the metrics of a replica', async () => {
      const text = await metricsAfterTraffic({ GSLS_REDIS: redis.url });
      expect(text).to.include('gsls_redis_up 1');
      expect(complaintsOf(text)).to.equal('');
    });
  });
});
