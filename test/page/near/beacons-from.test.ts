import { expect } from 'chai';
import { beaconsFrom, latencyFrom } from '../../../src/page/near/beacons-from.ts';

const FRA = { id: 'fra', url: 'https://fra.example.com/', place: 'Frankfurt', latency: { nyc: 82 } };

describe('the beacons that a service names', () => {
  it('are taken as they are', () => {
    expect(beaconsFrom([FRA])).to.deep.equal([FRA]);
    expect(beaconsFrom([{ id: 'nyc', url: 'https://nyc.example.com/' }])).to.deep.equal([
      { id: 'nyc', url: 'https://nyc.example.com/', latency: {} },
    ]);
  });

  it('are left out where they are none', () => {
    for (const wrong of [
      null,
      7,
      {},
      { ...FRA, id: '<b>' },
      { ...FRA, id: 'f'.repeat(17) },
      { ...FRA, url: 'javascript:alert(1)' },
      { ...FRA, url: '//fra.example.com/' },
      { ...FRA, url: 7 },
    ])
      expect(beaconsFrom([wrong, FRA]), JSON.stringify(wrong)).to.deep.equal([FRA]);
    for (const wrong of [undefined, 'beacons', { length: 3 }]) expect(beaconsFrom(wrong)).to.deep.equal([]);
  });

  it('are sixteen at most', () => {
    const many = Array.from({ length: 10_000 }, (_, n) => ({ ...FRA, id: `b${n}` }));
    expect(beaconsFrom(many)).to.have.length(16);
  });

  it('have short places', () => {
    const [beacon] = beaconsFrom([{ ...FRA, place: 'x'.repeat(1000) }]);
    expect(beacon!.place).to.have.length.below(100);
  });
});

describe('latencies', () => {
  it('are the numbers among them that can be', () => {
    const said = JSON.parse('{"fra":8.5,"nyc":0,"a":-1,"b":1e999,"c":"5","d":null,"<b>":5,"__proto__":5}');
    expect(latencyFrom(said)).to.deep.equal({ fra: 8.5, nyc: 0 });
    for (const wrong of [undefined, null, 7, 'text']) expect(latencyFrom(wrong)).to.deep.equal({});
  });
});
