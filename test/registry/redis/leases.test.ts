/** Leases of several replicas of one registry. */

import { expect } from 'chai';
import { needs } from '../../support/needs.ts';
import { useReplicas } from '../../support/use-replicas.ts';

needs('redis-server').describe('a lease in Redis', () => {
  const fixture = useReplicas();

  it('is that of one replica, which may take it again', async () => {
    const [one, other] = [await fixture.open(), await fixture.open()];
    expect(await one.lease.take('probe', 60_000)).to.equal(true);
    expect(await other.lease.take('probe', 60_000)).to.equal(false);
    expect(await one.lease.take('probe', 60_000)).to.equal(true);
    expect(await other.lease.take('another', 60_000)).to.equal(true);
    expect(await one.lease.take('another', 60_000)).to.equal(false);
  });
});
