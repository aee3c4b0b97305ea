/** The contract of fates: what has become of an id. */

import { expect } from 'chai';
import { aGameServer } from '../builders.ts';
import { lifetime, type RegistryFixture } from '../registry-fixture.ts';

export function describeFates(fixture: RegistryFixture): void {
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

  it('tells when an entry was removed, and nothing of an id that nobody had', async () => {
    const { clock, registry } = fixture;
    const id = await fixture.broadcast();
    await clock.advance(1000);
    await fixture.remove(id);
    expect(await registry.fates.of(id)).to.deep.equal({ is: 'removed', at: clock.now() });
    expect(await registry.fates.of('nobody')).to.deep.equal({ is: 'unknown' });
  });
}
