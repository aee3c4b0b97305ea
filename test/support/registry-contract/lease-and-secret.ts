/** The contract of leases and of the secret. */

import { expect } from 'chai';
import type { RegistryFixture } from '../registry-fixture.ts';

export function describeLeaseAndSecret(fixture: RegistryFixture): void {
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

  it('says that it has a list', () => {
    expect(fixture.registry.hasList).to.equal(true);
  });
}
