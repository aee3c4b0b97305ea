/** The contract of the ports beside the registry: leases, the secret, and fates, which say what has become of an id. */

import { expect } from 'chai';
import { createGameServerId } from '../../../src/model/game-server.ts';
import { MOST_EXPIRED_OF_CLIENT } from '../../../src/registry/backend.ts';
import type { Caller } from '../../../src/registry/registry.ts';
import { aGameServer } from '../builders.ts';
import { lifetime, type RegistryFixture } from '../registry-fixture.ts';

export function describePorts(fixture: RegistryFixture): void {
  it('gives a lease that nobody has, and gives it again to the replica that has it', async () => {
    const { lease } = fixture.registry;
    expect(await lease.take('one', 60_000)).to.equal(true);
    expect(await lease.take('another', 60_000)).to.equal(true);
    expect(await lease.take('one', 60_000)).to.equal(true);
  });

  it('has a secret that stays', async () => {
    const { text } = fixture.registry.secret;
    expect(text).to.match(/^[\w-]{43}$/);
    await fixture.broadcast();
    await fixture.clock.advance(60_000);
    expect(fixture.registry.secret.text).to.equal(text);
  });

  it('says that it has a list, and shows at a glance what is on it', async () => {
    expect(fixture.registry.hasList).to.equal(true);
    await fixture.broadcast();
    expect(await fixture.registry.glance()).to.deep.include({ staleSince: undefined });
    expect((await fixture.registry.glance()).snapshot.count).to.equal(1);
  });

  it('tells until when an entry is listed', async () => {
    const { clock, registry } = fixture;
    const id = await fixture.broadcast();
    expect(await registry.fates.of(id)).to.deep.equal({
      is: 'listed',
      expiresAt: clock.now() + lifetime.ttlMs,
    });
    await clock.advance(1000);
    await fixture.ping(id);
    expect(await registry.fates.of(id)).to.include({ expiresAt: clock.now() + lifetime.ttlMs });
  });

  it('tells when an entry has expired, and as what it was listed', async () => {
    const { clock, registry } = fixture;
    await clock.advance(lifetime.ttlMs);
    const expiredAt = clock.now() + lifetime.ttlMs;
    const id = await fixture.broadcast({ name: 'Gone', ip: '198.51.100.9', port: 9 });
    await clock.advance(2 * lifetime.ttlMs);
    expect(await fixture.listedIds()).to.deep.equal([]);
    const fate = await registry.fates.of(id);
    expect(fate).to.have.property('is', 'expired');
    const { host } = aGameServer();
    const listedAs = { id, host, name: 'Gone', ip: '198.51.100.9', port: 9, client: '' };
    expect(fate)
      .to.have.property('entry')
      .that.includes({ ...listedAs, expiredAt });
    await fixture.ping(id, { ip: '198.51.100.9', port: 9 });
    expect(await registry.fates.of(id)).to.have.property('is', 'listed');
  });

  it('finds what a client let expire, the latest first, until it is back or gone for good', async () => {
    const { clock, registry } = fixture;
    const client: Caller = { address: '8.8.4.4', proof: 'none' };
    const ids: string[] = [];
    for (let port = 1; port <= 5; port += 1) {
      const id = `a${port}`.padEnd(22, 'x');
      await registry.broadcast(id, aGameServer({ port }), client);
      ids.push(id);
      await clock.advance(lifetime.sweepIntervalMs);
    }
    await registry.broadcast('b'.padEnd(22, 'x'), aGameServer(), { ...client, address: '8.8.4.5' });
    const found = async (address: string): Promise<readonly string[]> =>
      (await registry.fates.expiredOf(address)).map(({ id }) => id);
    expect(await found('8.8.4.4')).to.deep.equal([]);
    await clock.advance(2 * lifetime.ttlMs);
    expect(await fixture.listedIds()).to.deep.equal([]);
    expect(await found('8.8.4.4')).to.deep.equal(ids.toReversed());
    for (const nobody of ['8.8.4.6', '']) expect(await found(nobody)).to.deep.equal([]);
    const [first] = await registry.fates.expiredOf('8.8.4.4');
    expect(first).to.include({ port: 5, client: '8.8.4.4', reachability: '' });
    await fixture.ping(ids[4]!, { port: 5 });
    await registry.evict(ids[3]!);
    expect(await found('8.8.4.4')).to.deep.equal(ids.slice(0, 3).toReversed());
    await clock.advance(10 * lifetime.ttlMs);
    expect(await found('8.8.4.4')).to.deep.equal([ids[4]]);
  });

  it('finds no more than the sixteen that a client let expire last', async () => {
    const { clock, registry } = fixture;
    const client: Caller = { address: '8.8.4.4', proof: 'none' };
    for (let port = 1; port <= 40; port += 1)
      await registry.broadcast(createGameServerId(), aGameServer({ port }), client);
    await clock.advance(2 * lifetime.ttlMs);
    expect(await registry.fates.expiredOf('8.8.4.4')).to.have.length(MOST_EXPIRED_OF_CLIENT);
  });

  it('tells when an entry was removed, and nothing of an id that nobody had', async () => {
    const { clock, registry } = fixture;
    const id = await fixture.broadcast();
    await clock.advance(1000);
    await fixture.remove(id);
    expect(await registry.fates.of(id)).to.deep.equal({ is: 'removed', at: clock.now() });
    expect(await registry.fates.of('nobody')).to.deep.equal({ is: 'unknown' });
  });
}
