import { expect } from 'chai';
import * as fc from 'fast-check';
import { BeaconMap, nearMs, nearText, parseNear, type Latency } from '../../src/model/near.ts';
import { BEACONS, CITIES, latencyFrom, roundTrip } from '../support/round-trips.ts';
import { createRandom } from '../support/fuzz-requests.ts';

const map = new BeaconMap(BEACONS);
const pointOf = (latency: Latency) => map.pointOf(latency)!;

/** In a plane; rounded up, so that no way over a third place gets shorter. */
const distance = (a: readonly number[], b: readonly number[]): number =>
  Math.ceil(Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!));

/** What is estimated between two cities, and what is true. */
const pairs = CITIES.map((reader) =>
  CITIES.filter((city) => city !== reader).map((city) => ({
    estimated: nearMs(pointOf(latencyFrom(reader)), pointOf(latencyFrom(city)))!,
    true: roundTrip(reader, city),
  })),
);

describe('how near two places are', () => {
  it('lies between the way over a beacon and the difference of two distances, in any plane', () => {
    const place = fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 500 }));
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 12 }), place, place, (beacons, one, other) => {
        const [a, b] = [one, other].map((from) => Uint16Array.from(beacons, (to) => distance(from, to))) as [
          Uint16Array,
          Uint16Array,
        ];
        const near = nearMs(a, b)!;
        const detour = Math.min(...a.map((ms, at) => ms + b[at]!));
        expect(near).to.be.within(Math.floor(distance(one, other)), Math.ceil(detour));
      }),
    );
  });

  it('is told for 40 cities with a median error of at most 15 %', () => {
    const errors = pairs
      .flat()
      .map((pair) => Math.abs(pair.estimated - pair.true) / pair.true)
      .toSorted((a, b) => a - b);
    expect(errors[errors.length >> 1]).to.be.below(0.15);
  });

  it('puts at least 85 % of game servers that are more than 20 ms apart in the order of their round trips', () => {
    const judged = pairs.flatMap((servers) =>
      servers.flatMap((one, at) =>
        servers
          .slice(at + 1)
          .filter((other) => Math.abs(one.true - other.true) > 20)
          .map((other) => one.estimated < other.estimated === one.true < other.true),
      ),
    );
    expect(judged.filter(Boolean).length / judged.length).to.be.above(0.85);
  });

  it('is not told without a beacon in common', () => {
    expect(nearMs(pointOf({ fra: 3 }), pointOf({ nyc: 80 }))).to.equal(undefined);
    expect(map.pointOf({ unknown: 3 })).to.equal(undefined);
    expect(map.pointOf({})).to.equal(undefined);
  });

  it('bears with beacons that are named like what every object has', () => {
    const ids = ['constructor', 'tostring', 'hasownproperty'];
    const odd = new BeaconMap(
      ids.map((id) => ({ id, url: 'https://a.example.com/', latency: { constructor: 90 } })),
    );
    expect(odd.pointOf({})).to.equal(undefined);
    expect(odd.isPossible(odd.pointOf({ constructor: 3, tostring: 3 })!)).to.equal(false);
    expect(odd.isPossible(odd.pointOf({ constructor: 3, tostring: 80 })!)).to.equal(true);
  });

  it('needs one beacon alone', () => {
    const one = new BeaconMap([{ id: 'fra', url: 'https://fra.example.com/', latency: {} }]);
    expect(nearMs(one.pointOf({ fra: 10 })!, one.pointOf({ fra: 30 })!)).to.equal(40);
    expect(one.isPossible(one.pointOf({ fra: 0 })!)).to.equal(true);
  });
});

describe('a game server that says it is near to all beacons', () => {
  const random = createRandom(46);
  const liars: readonly Latency[] = Array.from({ length: 100 }, (_, n) => {
    const honest = Object.entries(latencyFrom(CITIES[n % CITIES.length]!));
    // Some say that they are next to each beacon, some have halved what they measured, and some moved one beacon.
    if (n % 3 === 0) return Object.fromEntries(honest.map(([id]) => [id, Math.floor(30 * random())]));
    if (n % 3 === 1) return Object.fromEntries(honest.map(([id, ms]) => [id, 0.4 * ms]));
    const [farthest] = honest.toSorted(([, a], [, b]) => b - a)[0]!;
    return { ...Object.fromEntries(honest), [farthest]: 5 };
  });

  it('is found, 95 of 100 times at least', () => {
    expect(liars.filter((liar) => !map.isPossible(pointOf(liar))).length).to.be.at.least(95);
  });

  it('is no honest one: of those at most 2 % are taken for it', () => {
    const lost = CITIES.filter((city) => !map.isPossible(pointOf(latencyFrom(city))));
    expect(lost.length / CITIES.length).to.be.at.most(0.02);
  });

  it('is not found where it copies what another one says', () => {
    expect(map.isPossible(pointOf(latencyFrom('Paris')))).to.equal(true);
  });
});

describe('what a reader says of beacons', () => {
  it('is rounded to 5 ms', () => {
    expect(nearText({ fra: 12, nyc: 83.4, lax: 2 })).to.equal('fra:10,nyc:85,lax:0');
  });

  it('is read as it was written, whatever it is', () => {
    const latency = fc.dictionary(fc.stringMatching(/^[a-z\d-]{1,16}$/), fc.nat(400), {
      minKeys: 1,
      maxKeys: 16,
    });
    fc.assert(
      fc.property(latency, (steps) => {
        const said = Object.fromEntries(Object.entries(steps).map(([id, step]) => [id, 5 * step]));
        expect(parseNear(nearText(said))).to.deep.equal(said);
      }),
    );
  });

  for (const text of [
    '',
    'fra',
    'fra:',
    'fra:-1',
    'fra:1.5',
    'fra:2001',
    'FRA:1',
    'fra:1,',
    `${'a'.repeat(17)}:1`,
    'fra:1;nyc:2',
  ])
    it(`is not read from ${JSON.stringify(text)}`, () => expect(parseNear(text)).to.equal(undefined));

  it('is not read from 17 beacons', () => {
    const many = Array.from({ length: 17 }, (_, n) => `b${n}:1`).join(',');
    expect(parseNear(many)).to.equal(undefined);
  });
});
