/** Files of countries: what is found in them, and that no file, whatever it holds, stops or delays the service. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { groupsOf, parseIp } from '../../../src/model/net/ip.ts';
import { readCountries } from '../../../src/service/countries/read-countries.ts';
import {
  encode,
  head,
  inCountry,
  MARKER,
  mmdb,
  pointer,
  type Mmdb,
  type MmdbValue,
} from '../../support/mmdb.ts';
import { runs } from '../../support/runs.ts';

/** The countries of a file that is not refused. */
const countriesOf = (file: Buffer) => readCountries(file)!;

const CODES = ['DE', 'FR', 'US', 'JP', 'BR', 'ZA', 'AU'];
const byte = fc.integer({ min: 0, max: 255 });
const anyIpv4 = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.'));
const anyIpv6 = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 7, maxLength: 7 })
  .map((groups) => parseIp(['2a00', ...groups.map((group) => group.toString(16))].join(':'))!);
/** Networks that often lie within each other. */
const anyNetwork = fc.oneof(
  fc.tuple(anyIpv4, fc.integer({ min: 1, max: 32 })).map(([ip, length]) => `${ip}/${length}`),
  fc.tuple(anyIpv6, fc.integer({ min: 16, max: 128 })).map(([ip, length]) => `${ip}/${length}`),
);

const bitsOf = (ip: string): string =>
  groupsOf(ip)
    .map((group) => group.toString(2).padStart(16, '0'))
    .join('');

/** The country of the narrowest network around the address. */
function countryAmong(networks: Readonly<Record<string, string>>, ip: string): string | undefined {
  const around = Object.entries(networks)
    .map(([network, code]) => {
      const [base, length] = network.split('/') as [string, string];
      return {
        bits: base.includes(':') === ip.includes(':') ? bitsOf(base).slice(0, Number(length)) : 'x',
        code,
      };
    })
    .filter(({ bits }) => bitsOf(ip).startsWith(bits))
    .toReversed()
    .toSorted((one, other) => other.bits.length - one.bits.length);
  return around[0]?.code;
}

const fileOf = (countries: Readonly<Record<string, string>>, form: Partial<Mmdb> = {}): Buffer =>
  mmdb({
    networks: Object.fromEntries(Object.entries(countries).map(([at, code]) => [at, inCountry(code)])),
    ...form,
  });

/** A file in which all of 1.0.0.0/8 has this value, behind a sound network. */
const withValue = (value: MmdbValue, further = {}): Buffer =>
  mmdb({ networks: { '0.0.0.0/8': inCountry('DE'), '1.0.0.0/8': value, ...further }, ipVersion: 4 });

describe('the countries of a file', () => {
  for (const recordSize of [24, 28, 32] as const)
    it(`are those of the narrowest networks, in records of ${recordSize} bits`, () => {
      fc.assert(
        fc.property(
          fc.dictionary(anyNetwork, fc.constantFrom(...CODES), {
            minKeys: 1,
            maxKeys: 20,
            noNullPrototype: true,
          }),
          fc.array(fc.oneof(anyIpv4, anyIpv6), { minLength: 1 }),
          (random, ips) => {
            const networks = { '0.0.0.0/16': 'SE', ...random };
            const countryOf = countriesOf(fileOf(networks, { recordSize }));
            for (const ip of [...ips, ...Object.keys(networks).map((each) => each.split('/')[0]!)])
              expect(countryOf(ip), ip).to.equal(countryAmong(networks, ip));
          },
        ),
        { numRuns: runs(100) },
      );
    });

  it('are found by IPv4 addresses in IPv6 ones, and in a tree of IPv4 alone by no other', () => {
    for (const ipVersion of [4, 6] as const) {
      const countryOf = countriesOf(fileOf({ '203.0.113.0/24': 'DE', '32.0.0.0/8': 'US' }, { ipVersion }));
      expect(countryOf(parseIp('::ffff:203.0.113.7')!)).to.equal('DE');
      expect(countryOf(parseIp('64:ff9b::203.0.113.7')!)).to.equal('DE');
      expect(countryOf('2001:db8::1')).to.equal(undefined);
    }
  });

  it('are those of registration where there is no other', () => {
    const registered = { registered_country: { iso_code: 'FR' } };
    expect(countriesOf(withValue(registered))('1.2.3.4')).to.equal('FR');
    expect(countriesOf(withValue({ ...registered, country: { iso_code: 'BE' } }))('1.2.3.4')).to.equal('BE');
    expect(countriesOf(withValue({ ...registered, country: { iso_code: 'T1' } }))('1.2.3.4')).to.equal('FR');
  });

  it('are found in values that point to parts of others', () => {
    const shared = { country: { iso_code: 'JP' } };
    const file = mmdb({
      networks: { '0.0.0.0/8': shared, '1.0.0.0/8': pointer(0) },
      ipVersion: 4,
    });
    expect(countriesOf(file)('1.2.3.4')).to.equal('JP');
  });
});

/** Nested values of five bytes each, every one of which claims to have 16 million members. */
const NESTED = Buffer.concat(Array.from({ length: 1000 }, () => head(11, 16_000_000)));
const DATA_AT = encode(inCountry('DE')).length;
/** Forty lists, each of them the one before twice: 2^40 values in all. The last one begins 12 bytes before the end. */
const DOUBLED = Buffer.concat([
  encode('x'),
  ...Array.from({ length: 40 }, (_, list) => {
    const before = pointer(list === 0 ? DATA_AT : DATA_AT + 2 + (list - 1) * 12);
    return Buffer.concat([head(11, 2), before, before]);
  }),
]);

/** Values that no file of countries has. */
const HOSTILE: Readonly<Record<string, MmdbValue>> = {
  'a pointer to itself': pointer(DATA_AT),
  'a pointer behind the end': pointer(0xffff_ffff),
  'lists that claim to be endless': NESTED,
  'a map that claims 16 million members': Buffer.concat([head(7, 16_000_000), Buffer.alloc(1000, 0x40)]),
  'a text that claims 16 million bytes': head(2, 16_000_000),
  'a size that is cut off': Buffer.of(0x5f),
  'a text for a map': 'DE',
  'a list for a map': [inCountry('DE')],
  'a number for a code': inCountry(276),
  'bytes for a code': inCountry(Buffer.concat([head(4, 2), Buffer.from('DE')])),
  'a map for a code': inCountry({ iso_code: 'DE' }),
  'a code of no country': inCountry('XX'),
  'a code in small letters': inCountry('de'),
  'a long text for a code': inCountry('DE'.repeat(1000)),
  'a country that is a text': { country: 'DE' },
  'a type that there is not': Buffer.of(0x01, 0xff),
  'keys that are maps': Buffer.concat([head(7, 1), encode({ country: 'x' }), encode('y')]),
  'a prototype': { ['__proto__']: 'DE', constructor: 'DE' },
};

describe('a file with', () => {
  for (const [what, value] of Object.entries(HOSTILE))
    it(`${what} names no country there, at once`, () => {
      const countryOf = countriesOf(withValue(value));
      const before = performance.now();
      for (let time = 0; time < 100; time += 1) expect(countryOf('1.2.3.4')).to.equal(undefined);
      expect(performance.now() - before).to.be.below(1000);
      expect(countryOf('0.2.3.4')).to.equal('DE');
    });

  it('lists that double and double names no country there, at once', () => {
    const last = pointer(DATA_AT + DOUBLED.length - 12);
    expect(countriesOf(withValue(DOUBLED, { '2.0.0.0/8': last }))('2.3.4.5')).to.equal(undefined);
  });
});

const SOUND = fileOf({ '0.0.0.0/8': 'DE', '203.0.113.0/24': 'FR', '2001:db8::/32': 'US' });

/** Files that are refused. */
const REFUSED: Readonly<Record<string, Buffer>> = {
  'an empty one': Buffer.of(),
  'a text': Buffer.from('{"country":"DE"}\n'.repeat(1000)),
  'a marker alone': MARKER,
  'one without its tree': SOUND.subarray(500),
  'one with no value of countries': mmdb({ networks: { '0.0.0.0/1': { autonomous_system_number: 64_496 } } }),
  'one with countries as texts': mmdb({ networks: { '0.0.0.0/1': { country: 'DE' } } }),
  'one of no networks': mmdb({ networks: {} }),
  'one with records of 16 bits': fileOf({ '0.0.0.0/8': 'DE' }, { metadata: { record_size: 16 } }),
  'one with more nodes than bytes': fileOf({ '0.0.0.0/8': 'DE' }, { metadata: { node_count: 2 ** 31 } }),
  'one with a text for a number': fileOf({ '0.0.0.0/8': 'DE' }, { metadata: { node_count: '9' } }),
  'metadata that claim to be endless': Buffer.concat([MARKER, NESTED]),
  'metadata of which one part is endless': fileOf({ '0.0.0.0/8': 'DE' }, { metadata: { languages: NESTED } }),
  'metadata that point to themselves': fileOf({ '0.0.0.0/8': 'DE' }, { metadata: { languages: pointer(0) } }),
  // mmdb-lib takes these for a part of the marker, finds none, and would read the tree as metadata.
  'metadata that look like the marker': Buffer.concat([NESTED, MARKER, MARKER.subarray(2)]),
};

describe('a file of countries is refused:', () => {
  for (const [what, file] of Object.entries(REFUSED))
    it(what, () => {
      const before = performance.now();
      expect(readCountries(file)).to.equal(undefined);
      expect(performance.now() - before).to.be.below(1000);
    });

  it('one that is cut off anywhere', () => {
    for (let bytes = 0; bytes < SOUND.length; bytes += 1)
      expect(readCountries(SOUND.subarray(0, bytes)), String(bytes)).to.equal(undefined);
  });

  it('or else answers with countries, whatever bytes are changed', () => {
    const ips = ['0.1.2.3', '203.0.113.7', '2001:db8::7', '255.255.255.255', '::'];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(SOUND.length - 1), byte), { minLength: 1, maxLength: 8 }),
        (changes) => {
          const file = Buffer.from(SOUND);
          for (const [at, value] of changes) file[at] = value;
          const countryOf = readCountries(file);
          for (const ip of ips) expect(countryOf?.(ip) ?? 'DE').to.match(/^[A-Z]{2}$/);
        },
      ),
      { numRuns: runs(1000) },
    );
  });
});
