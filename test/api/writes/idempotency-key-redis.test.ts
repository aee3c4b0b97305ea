/** Broadcasts that are sent again under the same Idempotency-Key, to another replica. */

import { expect } from 'chai';
import { ask, expectError, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { useRedis } from '../../support/redis-server.ts';
import { useService, type UsedService } from '../../support/use-service.ts';

function broadcast(service: UsedService, key: string): Promise<TestAnswer> {
  return ask(service, 'POST /broadcast', { body: aBroadcast(), headers: { 'Idempotency-Key': key } });
}

async function countOf(service: UsedService): Promise<number> {
  return (await ask(service, 'GET /')).body.count!;
}

needs('redis-server').describe('the Idempotency-Key of a broadcast, on two replicas', () => {
  const redis = useRedis();
  const environment = (): Record<string, string> => ({ GSLS_REDIS: redis.url });
  const replicas = [useService(environment), useService(environment)] as const;

  it('makes a broadcast repeated on the other one the same game server', async () => {
    const [one, other] = replicas;
    const { body } = await broadcast(one, 'key');
    expect((await broadcast(other, 'key')).body).to.deep.equal(body);
    expect(await countOf(one)).to.equal(1);
  });

  it('lists once what both are sent at the same time', async () => {
    const before = await countOf(replicas[0]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => broadcast(replicas[i % 2]!, 'of a race')),
    );
    expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
    expect(await countOf(replicas[1])).to.equal(before + 1);
  });

  it('is used up on both when its game server has left', async () => {
    const [one, other] = replicas;
    const { body } = await broadcast(one, 'of one that leaves');
    await ask(other, 'POST /remove', {
      body: { server_id: body.server_id, server_ip: '203.0.113.7' },
    });
    for (const replica of replicas)
      expectError(await broadcast(replica, 'of one that leaves'), 'idempotency_key_used');
  });
});
