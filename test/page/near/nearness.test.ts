import { expect } from 'chai';
import { Nearness } from '../../../src/page/near/nearness.ts';
import { aServer } from '../worker/support/page-servers.ts';

const BEACONS = [
  { id: 'fra', url: 'https://fra.example.com/', place: 'Frankfurt', latency: { nyc: 82 } },
  { id: 'nyc', url: 'https://nyc.example.com/', latency: {} },
];

describe('how near a server is', () => {
  const nearness = new Nearness({ at: 1, beacons: BEACONS, latency: { fra: 10, nyc: 90 } });
  const msOf = (latency?: Record<string, number>): number | undefined =>
    nearness.msOf(aServer('a', latency && { latency }));

  it('is an estimate over the beacon that is nearest to both', () => {
    expect(msOf({ fra: 5, nyc: 85 })).to.equal(15);
    expect(msOf({ nyc: 3 })).to.equal(93);
  });

  it('is unknown for a server that has measured nothing, other beacons, or what cannot be', () => {
    for (const latency of [undefined, {}, { tyo: 5 }, { fra: 1, nyc: 1 }])
      expect(msOf(latency), JSON.stringify(latency)).to.equal(undefined);
  });

  it('follows a server that changes', () => {
    const before = aServer('a', { latency: { fra: 5 } });
    expect(nearness.msOf(before)).to.equal(15);
    expect(nearness.msOf({ ...before, latency: { fra: 20 } })).to.equal(30);
    expect(nearness.msOf(before)).to.equal(15);
  });

  it('names its beacons by their places', () => {
    expect(nearness.places).to.deep.equal(['Frankfurt', 'nyc']);
  });
});
