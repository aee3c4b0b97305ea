/**
 * `gsls reset`: a registry is emptied on purpose, while its replicas would restore a loss. What it says without a
 * Redis: test/cli/usage-errors.test.ts.
 */

import { expect } from 'chai';
import { ask, expectError } from '../../../support/ask.ts';
import { aBroadcast } from '../../../support/builders.ts';
import { useRedis } from '../../../support/redis-server.ts';
import { inGroups, numbers } from '../../../support/in-groups.ts';
import { needs } from '../../../support/needs.ts';
import { runCli } from '../../../support/start-cli.ts';
import { useService } from '../../../support/use-service.ts';

needs('redis-server').describe('gsls reset', function () {
  this.timeout(120_000);
  const redis = useRedis();
  // None expires on a busy machine before the last one is broadcast.
  const environment = (): Record<string, string> => ({ GSLS_REDIS: redis.url, GSLS_TTL: '3600' });
  const replicas = [0, 1].map(() => useService(environment));
  const other = useService(() => ({ ...environment(), GSLS_REGISTRY: 'other' }));

  it('all game servers are removed for good, and no replica restores them', async () => {
    const ids = await inGroups(numbers(1200), (n) => replicas[n % 2]!.broadcast({ server_port: n + 1 }));
    const kept = await other.broadcast();
    for (const replica of replicas) expect((await ask(replica, 'GET /')).body.count).to.equal(1200);

    const { code, stdout, stderr } = await runCli(['reset', '--yes', '--redis', redis.url]);
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.match(/^removed 1200 game servers from the registry in Redis at 127\.0\.0\.1:\d+\n$/);

    for (const replica of replicas) {
      const { text } = await ask(replica, 'GET /');
      expect(text).to.equal('{"servers":[],"count":0}');
    }
    const ping = aBroadcast({ server_id: ids[0], server_port: 1 });
    expectError(await ask(replicas[0]!, 'POST /ping', { body: ping }), 'unknown_server');
    expect(await other.listed(kept)).to.include({ id: kept });
    expect(await redis.client.keys('{gsls}:*')).to.have.members(['{gsls}:settings', '{gsls}:state']);

    const anew = await replicas[1]!.broadcast();
    expect(await replicas[0]!.listed(anew)).to.include({ id: anew });
  });

  it('only the named registry is emptied', async () => {
    const { stdout } = await runCli(['reset', '--yes', '--redis', redis.url, '--registry', 'other']);
    expect(stdout).to.match(/^removed 1 game server from the registry "other" in Redis at /);
    expect((await ask(other, 'GET /')).body.count).to.equal(0);
    expect((await ask(replicas[0]!, 'GET /')).body.count).to.equal(1);
  });

  it('a reset that is not confirmed changes nothing', async () => {
    const { code, stdout, stderr } = await runCli(['reset', '--redis', redis.url]);
    expect([code, stdout]).to.deep.equal([2, '']);
    expect(stderr).to.match(/^gsls: reset asks for confirmation: add --yes [^\n]+\n$/);
    expect((await ask(replicas[0]!, 'GET /')).body.count).to.equal(1);
  });
});
