import { expect } from 'chai';
import { ClientCounts } from '../../src/registry/client-counts.ts';

describe('the counts of clients', () => {
  it('are those of networks: all addresses of an IPv6 network count together', () => {
    const counts = new ClientCounts();
    for (const client of ['203.0.113.1', '203.0.113.1', '2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'])
      counts.add(client);
    expect(
      ['203.0.113.1', '203.0.113.2', '2001:db8::3', '2001:db8:0:1::9'].map((each) => counts.of(each)),
    ).to.deep.equal([2, 0, 2, 1]);
    expect([counts.networks, counts.total]).to.deep.equal([3, 5]);
  });

  it('have no network of which there are none left', () => {
    const counts = new ClientCounts();
    counts.add('2001:db8::1');
    counts.add('203.0.113.1');
    counts.subtract('2001:db8::2');
    expect([counts.networks, counts.total, counts.of('2001:db8::1')]).to.deep.equal([1, 1, 0]);
  });

  it('do not have clients that are not known', () => {
    const counts = new ClientCounts();
    counts.add('');
    counts.subtract('');
    expect([counts.networks, counts.total, counts.of('')]).to.deep.equal([0, 0, 0]);
  });

  it('may go by another text than an address', () => {
    const counts = new ClientCounts((text) => text.slice(0, 1));
    for (const client of ['ab', 'ac', 'b']) counts.add(client);
    expect([counts.networks, counts.of('a')]).to.deep.equal([2, 2]);
  });
});
