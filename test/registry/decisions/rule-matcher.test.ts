/** Which ban an entry gets: the rules one by one, and all together against a matcher that compares everything. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { createBanMatcher, type RuleSubject } from '../../../src/registry/decisions/rule-matcher.ts';
import { Details } from '../../../src/model/fields/details.ts';
import { parseGlob } from '../../../src/registry/decisions/glob.ts';
import { fold } from '../../../src/model/fold.ts';
import { parseIp } from '../../../src/model/net/ip.ts';
import type { Ban, Patterns } from '../../../src/registry/decisions/decisions.ts';
import { parseNetworks } from '../../../src/model/net/networks.ts';
import { aBan } from '../../support/a-ban.ts';
import { runs } from '../../support/runs.ts';

const SUBJECT: RuleSubject = {
  id: '_jGC2t-VM0QnfsWfkkPY3w',
  client: '198.51.100.9',
  ip: '203.0.113.7',
  host: 'eu1.example.com',
  name: 'Frankfurt 1',
};

function matches(patterns: Patterns, overrides: Partial<RuleSubject> = {}): boolean {
  return createBanMatcher([aBan(patterns)]).find({ ...SUBJECT, ...overrides }) !== undefined;
}

/** As it would be without any index. */
function findNaively(bans: readonly Ban[], { id, client, ip, host, name }: RuleSubject): Ban | undefined {
  const isMatch = (ban: Ban): boolean =>
    (ban.id ?? id) === id &&
    (ban.address === undefined ||
      [client, ip].some((each) => each !== '' && parseNetworks(ban.address!).has(each))) &&
    (ban.host === undefined || matchesGlob(ban.host, host)) &&
    (ban.name === undefined || matchesGlob(ban.name, name));
  const found = bans.filter(isMatch);
  return found.find(({ mode }) => mode === 'refuse') ?? found[0];
}

function matchesGlob(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.split('?').map(fold).join('.'));
  return new RegExp(`^${parts.join('.*')}$`, 'su').test(fold(text));
}

/** A ban and an entry for every two of these spellings. */
function everyPair(
  spellings: readonly string[],
  banOf: (spelling: string) => Patterns & Partial<RuleSubject>,
  subjectOf: (spelling: string) => Partial<RuleSubject> = banOf,
): readonly (readonly [Patterns, Partial<RuleSubject>])[] {
  return spellings.flatMap((one) => spellings.map((other) => [banOf(one), subjectOf(other)] as const));
}

describe('a ban', () => {
  const MATCHING: Readonly<Record<string, Patterns>> = {
    'its id': { id: SUBJECT.id },
    'the address of its client': { address: '198.51.100.9' },
    'the network of its client': { address: '198.51.100.0/24' },
    'the address that it announced': { address: '203.0.113.7' },
    'the network of the address that it announced': { address: '203.0.0.0/16' },
    'its host': { host: 'EU1.example.com' },
    'a glob of its host': { host: '*.example.com' },
    'its name': { name: 'frankfurt 1' },
    'a glob of its name': { name: '*furt*' },
    'everything of it': {
      id: SUBJECT.id,
      address: '203.0.113.0/24',
      host: 'eu?.example.com',
      name: 'frankfurt*',
    },
  };
  for (const [what, patterns] of Object.entries(MATCHING))
    it(`matches an entry by ${what}`, () => expect(matches(patterns)).to.equal(true));

  const OTHERS: Readonly<Record<string, Patterns>> = {
    'the id in another case': { id: SUBJECT.id.toUpperCase() },
    'a network that has neither address': { address: '192.0.2.0/24' },
    'the beginning of the host': { host: 'eu1' },
    'a part of the name': { name: 'Frankfurt' },
    'one pattern that matches and one that does not': { name: 'Frankfurt*', host: '*.net' },
    'two globs of the wrong field': { host: 'Frankfurt*', name: '*.example.com' },
  };
  for (const [what, patterns] of Object.entries(OTHERS))
    it(`leaves an entry alone with ${what}`, () => expect(matches(patterns)).to.equal(false));

  it('leaves an entry of an unknown client alone, and takes its own address', () => {
    expect(matches({ address: '198.51.100.0/24' }, { client: '' })).to.equal(false);
    expect(matches({ address: '203.0.113.7' }, { client: '' })).to.equal(true);
  });

  it('matches a further address that its game server announced', () => {
    const details = Details.of({ addresses: [{ ip: '2001:db8::7', port: 7777 }] });
    expect(matches({ address: '2001:db8::/32' }, { details })).to.equal(true);
    expect(matches({ address: '2001:db9::/32' }, { details })).to.equal(false);
  });

  it('of IPv6 matches an address in its network, and none of IPv4', () => {
    const ban = { address: '2001:db8::/47' };
    expect(matches(ban, { client: '2001:db8:1:2::3' })).to.equal(true);
    expect(matches(ban, { client: '2001:db8:2::' })).to.equal(false);
    expect(matches({ address: '::/1' })).to.equal(false);
  });

  const SPELLINGS: Readonly<Record<string, readonly (readonly [Patterns, Partial<RuleSubject>])[]>> = {
    'a host': everyPair(
      [
        'eu1.example.com',
        'EU1.example.com.',
        ' eu1.example.com',
        'eu1。example。com',
        'eu1.example.com:7777',
      ],
      (host) => ({ host }),
    ),
    'a host in another script': everyPair(
      ['bücher.example', 'xn--bcher-kva.example', 'BU\u0308CHER.example.', 'bücher.example:1'],
      (host) => ({ host }),
    ),
    'a host that is an address': everyPair(
      ['203.0.113.9', '203.0.113.9.', '[::ffff:203.0.113.9]:7777', '64:ff9b::cb00:7109', '2002:cb00:7109::'],
      (host) => ({ host }),
    ),
    'an address': everyPair(
      ['203.0.113.9', '::203.0.113.9', '64:ff9b::cb00:7109', '2002:cb00:7109::7'].map((ip) => parseIp(ip)!),
      (address) => ({ address }),
      (ip) => ({ ip }),
    ),
    'a name': everyPair(['cafe', 'Café', 'cafe\u0301', 'ｃａｆｅ', 'c\u0336a\u0336f\u0336e'], (name) => ({
      name,
    })),
  };
  for (const [what, pairs] of Object.entries(SPELLINGS))
    it(`holds for ${what} however the ban and the entry spell it`, () => {
      for (const [patterns, subject] of pairs)
        expect(matches(patterns, subject), JSON.stringify([patterns, subject])).to.equal(true);
    });

  it('of a network holds for the addresses in it that have become IPv6, and for hosts that are addresses', () => {
    for (const ip of ['203.0.113.9', '::203.0.113.9', '64:ff9b::cb00:7109', '2002:cb00:7109::7'])
      for (const address of ['203.0.113.0/24', '2002:cb00:7100::/40', '64:ff9b::cb00:7100/120']) {
        expect(matches({ address }, { ip: parseIp(ip)! })).to.equal(true);
        expect(matches({ address }, { ip: '192.0.2.1', client: parseIp(ip)! })).to.equal(true);
        expect(matches({ address }, { ip: '192.0.2.1', host: ip })).to.equal(true);
        expect(matches({ address }, { ip: '192.0.2.1', host: '198.51.100.1' })).to.equal(false);
      }
    expect(matches({ address: '64:ff9b::/96' }, { ip: '192.0.2.1' })).to.equal(false);
    expect(matches({ address: '64:ff9b::/96' }, { ip: '64:ff9b::c000:201' })).to.equal(true);
  });

  it('of a glob sees a host as people read it, without its port', () => {
    for (const host of [
      '*.bücher.example',
      '*.xn--bcher-kva.example',
      '*büch*',
      '*.Bücher.Example.',
      'a?.b*',
    ])
      for (const spelling of ['a1.bücher.example', 'A1.xn--bcher-kva.example:7777', 'a1。bücher。example。'])
        expect(matches({ host }, { host: spelling }), `${host} ${spelling}`).to.equal(true);
    expect(matches({ host: '*:7777' }, { host: 'eu1.example.com' })).to.equal(false);
    expect(matches({ host: '*:7777' }, { host: 'eu1.example.com:7777' })).to.equal(true);
  });

  it('holds for whatever it held for when texts were folded alone', () => {
    const unit = fc.constantFrom(
      'a',
      'É',
      '\u0301',
      'ß',
      '.',
      ':',
      '7',
      ' ',
      '。',
      'xn--',
      '*',
      '?',
      'ﬀ',
      '̶',
    );
    const aPattern = fc
      .string({ unit, minLength: 1, maxLength: 8 })
      .filter((text) => parseGlob(text) !== undefined);
    fc.assert(
      fc.property(aPattern, fc.string({ unit, minLength: 1, maxLength: 8 }), (pattern, fill) => {
        const text = pattern.replaceAll('?', 'x').replaceAll('*', fill);
        fc.pre(parseGlob(pattern)!.matches(fold(text)));
        expect(matches({ host: pattern }, { host: text })).to.equal(true);
        expect(matches({ name: pattern }, { name: text })).to.equal(true);
      }),
      { numRuns: runs(300) },
    );
  });

  it('that refuses wins over one that is silent, and the older over the newer', () => {
    const silent = aBan({ name: '*furt*', mode: 'silent' });
    const refusing = [aBan({ address: '203.0.113.7' }), aBan({ id: SUBJECT.id })];
    expect(createBanMatcher([silent, ...refusing]).find(SUBJECT)).to.equal(refusing[0]);
    expect(createBanMatcher([silent, ...refusing.toReversed()]).find(SUBJECT)).to.equal(refusing[1]);
    expect(createBanMatcher([silent]).find(SUBJECT)).to.equal(silent);
  });
});

describe('the matcher of bans', () => {
  it('without bans says that it is empty', () => {
    expect(createBanMatcher([])).to.include({ isEmpty: true });
    expect(createBanMatcher([]).find(SUBJECT)).to.equal(undefined);
    expect(createBanMatcher([aBan({ id: 'a' })])).to.include({ isEmpty: false });
  });

  /** Few different characters and addresses, so that much of it matches. */
  const aText = fc.string({ unit: fc.constantFrom('a', 'b', 'C', '🎰', 'ﬀ'), minLength: 1, maxLength: 8 });
  const aGlob = fc
    .string({ unit: fc.constantFrom('a', 'B', 'c', '🎰', 'f', '*', '?'), minLength: 1, maxLength: 6 })
    .filter((text) => /[^*?]/.test(text));
  const anId = fc.constantFrom('a', 'b', 'c');
  const anIp = fc.constantFrom('10.0.0.1', '10.0.0.2', '10.1.0.1', '2001:db8::1', '2001:db8:0:1::1', '::1');
  const anAddress = fc.constantFrom(
    '10.0.0.1',
    '10.0.0.0/30',
    '10.0.0.0/15',
    '2001:db8::/64',
    '2001:db8::/63',
    '::1',
    '8000::/1',
  );
  const patterns = fc
    .record({ id: anId, address: anAddress, host: aGlob, name: aGlob }, { requiredKeys: [] })
    .filter((each) => Object.keys(each).length > 0);
  const someBans = fc.array(
    fc.tuple(patterns, fc.constantFrom('refuse', 'silent')).map(([each, mode]) => aBan({ ...each, mode })),
    { maxLength: 30 },
  );
  const aSubject = fc.record({
    id: anId,
    client: fc.oneof(anIp, fc.constant('')),
    ip: anIp,
    host: aText,
    name: aText,
  });

  it('finds what a comparison with every ban finds', () => {
    fc.assert(
      fc.property(someBans, fc.array(aSubject, { maxLength: 20 }), (bans, subjects) => {
        const matcher = createBanMatcher(bans);
        for (const subject of subjects) expect(matcher.find(subject)).to.equal(findNaively(bans, subject));
      }),
      { numRuns: runs(200) },
    );
  });

  it('with 10,000 bans of all kinds is far faster than a comparison with each', () => {
    const kinds: ((i: number) => Patterns)[] = [
      (i) => ({ id: `id-${i}` }),
      (i) => ({ address: `10.${i >> 8}.${i & 255}.7` }),
      (i) => ({ address: `2001:db8:${i.toString(16)}::/48` }),
      (i) => ({ host: `*.spam-${i}.example` }),
      (i) => ({ name: `*casino ${i}!` }),
      (i) => ({ name: `Fake Server ${i}` }),
    ];
    const bans = Array.from({ length: 10_000 }, (_, i) => aBan(kinds[i % kinds.length]!(i)));
    const matcher = createBanMatcher(bans);
    const cpuOf = (find: typeof matcher.find, rounds: number): number => {
      const beganAt = process.cpuUsage();
      for (let i = 0; i < rounds; i += 1)
        expect(find({ ...SUBJECT, name: `Frankfurt ${i}` })).to.equal(undefined);
      return process.cpuUsage(beganAt).user / rounds;
    };
    // Some microseconds, and some milliseconds.
    const naively = cpuOf((subject) => findNaively(bans, subject), 5);
    expect(cpuOf((subject) => matcher.find(subject), 2000)).to.be.below(naively / 5);
    expect(matcher.find({ ...SUBJECT, name: 'THE ＣＡＳＩＮＯ 1000!' })).to.equal(bans[1000]);
  });
});
