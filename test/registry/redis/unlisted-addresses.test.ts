/** Unlisted entries take no part where addresses are unique, nor do they after a loss. */

import { expect } from 'chai';
import { createGameServerId } from '../../../src/model/game-server.ts';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import { createUnlistedId } from '../../../src/model/unlisted-id.ts';
import { aGameServer } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { expectConsistent } from '../../support/redis-losses.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const OWNER = { address: '192.0.2.1', proof: 'token' } as const;
const unique = { uniqueAddress: true };

needs('redis-server').describe('an unlisted entry, where addresses are unique,', () => {
  const fixture = useReplicas();
  const openReplica = (): Promise<RedisRegistry> => fixture.open({ lossNoticeMs: 30, ...unique });

  it('is restored beside the one that is listed at its address', async () => {
    const replicas = [await openReplica(), await openReplica()];
    const ids = [createUnlistedId(), createGameServerId(), createUnlistedId()];
    for (const id of ids) await replicas[0]!.broadcast(id, aGameServer(), OWNER);
    await Promise.all(replicas.map((each) => each.list()));
    await fixture.client.flushall();
    fixture.clock.jump(1);
    for (const replica of replicas) expect(await idsOf(replica)).to.have.members(ids);
    await expectConsistent(fixture.client, unique);
  });

  it('is no damage where no other is listed', async () => {
    const registry = await openReplica();
    const hidden = createUnlistedId();
    await registry.broadcast(hidden, aGameServer());
    expect(await idsOf(registry)).to.deep.equal([hidden]);
    expect(await fixture.client.hlen('{gsls}:addresses')).to.equal(1);
  });
});

async function idsOf(registry: RedisRegistry): Promise<string[]> {
  return [...(await registry.entries())].map(({ id }) => id);
}
