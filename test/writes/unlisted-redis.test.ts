/** Unlisted entries on two replicas, while and after one of an older release is among them. */

import { expect } from 'chai';
import type { Service } from '../../src/service/service.ts';
import { ask, expectError, type TestAnswer } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { needs } from '../support/needs.ts';
import { useRedis } from '../support/redis-server.ts';
import { useServices } from '../support/use-services.ts';

const UNLISTED = aBroadcast({ unlisted: true });
const SETTINGS = '{gsls}:settings';

needs('redis-server').describe('the Idempotency-Key of an unlisted game server', () => {
  const redis = useRedis();
  const services = useServices(() => ({ GSLS_REDIS: redis.url, GSLS_ALLOW_UNLISTED: 'true' }));
  let replicas: readonly Service[];
  beforeEach(async () => {
    await redis.client.flushall();
    // Another release has begun this registry.
    await redis.client.hset(SETTINGS, 'secret', '1700000000000:a-secret');
    replicas = [await services.start(), await services.start()];
  });

  /** What all replicas answer to this key: the same. */
  async function broadcast(key: string): Promise<TestAnswer> {
    const headers = { 'Idempotency-Key': key };
    const answers: TestAnswer[] = [];
    for (const replica of replicas)
      answers.push(await ask(replica, 'POST /broadcast', { body: UNLISTED, headers }));
    const [first, second] = answers;
    expect(second!.text).to.equal(first!.text);
    expect(second!.headers['server-join-code']).to.equal(first!.headers['server-join-code']);
    return first!;
  }

  it('stands for one entry, also when ids get another form in between', async () => {
    const before = await broadcast('a key');
    expect(before.headers['server-join-code']).to.have.lengthOf(8);
    await redis.client.hset(SETTINGS, 'oldestRelease', '0.9');
    expect((await broadcast('a key')).text).to.equal(before.text);
    const { text } = await ask(replicas[1]!, `GET /join/${String(before.headers['server-join-code'])}`);
    expect(text).to.include(before.body.server_id);
    expect((await broadcast('another key')).headers['server-join-code']).to.have.lengthOf(10);
  });

  it('is used up with an entry that was removed, also when ids get another form in between', async () => {
    const { body } = await broadcast('a key');
    const remove = { server_id: body.server_id, server_ip: UNLISTED['server_ip'] };
    await ask(replicas[0]!, 'POST /remove', { body: remove });
    await redis.client.hset(SETTINGS, 'oldestRelease', '0.9');
    expectError(await broadcast('a key'), 'idempotency_key_used');
  });
});
