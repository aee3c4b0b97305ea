/** An index that was mended has entries at their addresses as they were sent: they hold them all the same. */

import { expect } from 'chai';
import { aGameServer } from '../../support/builders.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { needs } from '../../support/needs.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const ADDRESSES = '{gsls}:addresses';
const gameServer = aGameServer({ host: 'EU1.example.com' });
const [sent, place] = ['EU1', 'eu1'].map((host) => `${host}.example.com\n203.0.113.7\n7777`);

needs('redis-server').describe('an entry at its address as it was sent', () => {
  const fixture = useReplicas();

  it('gives way to one that comes to the same address', async () => {
    const registry = await fixture.open({ uniqueAddress: true });
    await registry.broadcast('old', gameServer);
    await fixture.client.del(ADDRESSES);
    await fixture.client.hset(ADDRESSES, sent!, 'old');
    await registry.broadcast('new', gameServer);
    expect([...(await registry.entries())].map(({ id }) => id)).to.deep.equal(['new']);
    expect(await fixture.client.hget(ADDRESSES, place!)).to.equal('new');
    await registry.remove('new', gameServer.ip);
    expect(await fixture.client.hlen(ADDRESSES)).to.equal(0);
  });

  it('is not taken for listed when it has expired and its place was left', async () => {
    const registry = await fixture.open({ uniqueAddress: true });
    await registry.broadcast('expired', gameServer);
    const left = await fixture.client.hgetall(ADDRESSES);
    await fixture.clock.advance(2 * lifetime.ttlMs);
    await fixture.client.hset(ADDRESSES, left);
    await registry.broadcast('next', aGameServer({ host: 'eu1.example.com' }));
    expect([...(await registry.entries())].map(({ id }) => id)).to.deep.equal(['next']);
    expect(await fixture.client.hget(ADDRESSES, place!)).to.equal('next');
    expect(await registry.ping('expired', { ...gameServer, port: 1 })).to.equal('refreshed');
  });
});
