/** Redis keeps these numbers, and every release has to count by the same ones. */

import { expect } from 'chai';
import { networkNumber } from '../../../src/registry/redis/client-network.ts';

describe('the number of the network of a client', () => {
  it('stays the same from release to release', () => {
    expect(networkNumber('203.0.113.7')).to.equal('280122689432076');
    expect(networkNumber('2001:db8:1:2:3:4:5:6')).to.equal('127783294189607');
  });

  it('is empty where the address is not known', () => {
    expect(networkNumber('')).to.equal('');
  });
});
