/** Defects that other master servers have with Redis, a test each. */

import { expect } from 'chai';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { useRedis } from '../../support/redis-server.ts';
import { useService } from '../../support/use-service.ts';

const A_DAY_MS = 86_400_000;

needs('redis-server').describe('unlike in other master servers on Redis,', () => {
  const redis = useRedis();

  async function callsOf(command: string): Promise<number> {
    const stats = await redis.client.info('commandstats');
    return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
  }

  const service = useService(() => ({ GSLS_REDIS: redis.url }));

  it('every record has its own TTL, after a broadcast and after a ping', async () => {
    const id = await service.broadcast();
    const ping = aBroadcast({ server_id: id, players: 4 });
    for (const step of [async () => undefined, () => ask(service, 'POST /ping', { body: ping })]) {
      await step();
      const records = (await redis.client.keys('*')).filter((key) => key.includes(id));
      expect(records).to.have.length(1);
      expect(await redis.client.pttl(records[0]!)).to.be.within(60_000, A_DAY_MS);
    }
  });

  it('an unchanged list reads no records', async () => {
    for (let i = 0; i < 10; i += 1) await service.broadcast();
    await ask(service, 'GET /');
    const before = (await callsOf('hgetall')) + (await callsOf('hmget'));
    const evalsBefore = await callsOf('evalsha');
    for (let i = 0; i < 10; i += 1) await ask(service, 'GET /');
    expect(await callsOf('evalsha')).to.be.above(evalsBefore);
    // One read of the registry's state for each list; no read for each game server.
    expect((await callsOf('hgetall')) + (await callsOf('hmget')) - before).to.be.below(50);
  });

  it('neither KEYS nor SCAN nor keyspace events are used', async () => {
    await redis.client.config('RESETSTAT');
    const id = await service.broadcast();
    await ask(service, 'POST /ping', { body: aBroadcast({ server_id: id }) });
    await ask(service, 'GET /');
    await ask(service, 'POST /remove', { body: { server_id: id, server_ip: '203.0.113.7' } });
    for (const command of ['keys', 'scan', 'subscribe', 'psubscribe', 'flushall', 'flushdb'])
      expect(await callsOf(command), command).to.equal(0);
    expect(await redis.client.config('GET', 'notify-keyspace-events')).to.deep.equal([
      'notify-keyspace-events',
      '',
    ]);
  });
});
