/** One form for comparison, however something is spelled, and another one for whatever is something else. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { comparableHost } from '../../src/model/comparable.ts';
import { comparableName } from '../../src/model/fold.ts';
import { comparableIp, parseIp } from '../../src/model/net/ip.ts';
import { runs } from '../support/runs.ts';

/** Spellings of one host each. The first is its comparable form. */
const HOSTS: readonly (readonly string[])[] = [
  [
    'eu1.example.com',
    'EU1.Example.COM',
    'eu1.example.com.',
    ' eu1.example.com ',
    'eu1.example.com:7777',
    'eu1.example.com.:7777',
    'eu1.example.com:7777.',
    'eu1。example．com｡',
    'ｅｕ１.example.com：７７７７',
    'eu1\u00ad.example.com',
  ],
  [
    'xn--bcher-kva.example',
    'bücher.example',
    'BÜCHER.Example.',
    'bu\u0308cher.example',
    'XN--BCHER-KVA.example:1',
  ],
  ['xn--strae-oqa.example', 'straße.example'],
  [
    '203.0.113.7',
    '203.0.113.7:7777',
    '203.0.113.7.',
    '２０３.0.113.7',
    '0xcb007107',
    '203.0.28935',
    '::ffff:203.0.113.7',
    '[::ffff:203.0.113.7]:7777',
    '::203.0.113.7',
    '64:ff9b::cb00:7107',
    '[64:FF9B::203.0.113.7]',
    '2002:cb00:7107::1',
  ],
  ['2001:db8::1', '2001:DB8:0::1', '[2001:db8::1]', '[2001:db8::1]:7777', ' [2001:db8::1].'],
  ['my server!', 'My Server!', 'Ｍy Server!', ' my server!'],
];

/** Any that lead elsewhere. */
const OTHER_HOSTS = [
  'eu1.example.co',
  'eu1.example.com.net',
  'eu1.example.com/path',
  'eu1.example.com#1',
  'eu1.example.com@evil.example',
  'eu-1.example.com',
  'bucher.example',
  'strasse.example',
  '203.0.113.70',
  '203.0.113.7.example',
  '2001:db8::2',
  '64:ff9b:1::cb00:7107',
  '::',
  '::1',
  'my server',
  'myserver!',
];

describe('the comparable form of a host', () => {
  for (const [form, ...spellings] of HOSTS)
    for (const spelling of [form!, ...spellings])
      it(`of ${JSON.stringify(spelling)} is ${form}`, () => expect(comparableHost(spelling)).to.equal(form));

  it('differs for hosts that differ', () => {
    const all = [...HOSTS.map(([form]) => form!), ...OTHER_HOSTS].map(comparableHost);
    expect(new Set(all).size).to.equal(all.length);
  });

  it('is its own form, and never empty', () => {
    const aPart = fc.oneof(
      fc.constantFrom(
        '.',
        '。',
        ':',
        ':7777',
        '[',
        ']',
        ' ',
        'xn--',
        'ß',
        'ü',
        '1',
        '0x',
        'K',
        '\u200d',
        '%2e',
        '/',
      ),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }),
      fc.ipV4(),
      fc.ipV6(),
      fc.domain(),
    );
    const aHost = fc.oneof(
      fc.array(aPart, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
    );
    fc.assert(
      fc.property(aHost, (host) => {
        const form = comparableHost(host);
        expect(comparableHost(form)).to.equal(form);
        expect(form === '').to.equal(/^(\s|\p{Default_Ignorable_Code_Point})*$/u.test(host));
      }),
      { numRuns: runs(600) },
    );
  });

  it('takes no longer for a text made to be slow', () => {
    const texts = [
      '.'.repeat(253),
      ':'.repeat(253),
      'a.'.repeat(126),
      '1:'.repeat(126),
      'a-'.repeat(126) + '!',
    ];
    const beganAt = process.cpuUsage();
    for (let i = 0; i < 100; i += 1) texts.forEach(comparableHost);
    expect(process.cpuUsage(beganAt).user / 500).to.be.below(500);
  });
});

describe('the comparable form of an address', () => {
  it('is the IPv4 address in it, by whatever way it came to be IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.array(fc.nat(0xffff), { minLength: 5, maxLength: 5 }), (ipv4, rest) => {
        fc.pre(!ipv4.startsWith('0.'));
        const [a, b, c, d] = ipv4.split('.').map(Number) as [number, number, number, number];
        const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
        const more = rest.map((group) => group.toString(16)).join(':');
        for (const text of [`::ffff:${ipv4}`, `::${ipv4}`, `64:ff9b::${ipv4}`, `2002:${hex}:${more}`])
          expect(comparableIp(parseIp(text)!)).to.equal(parseIp(ipv4));
      }),
      { numRuns: runs(100) },
    );
  });

  it('is the address itself where there is none', () => {
    for (const ip of [
      '::',
      '::1',
      '2001:db8::cb00:7107',
      '64:ff9b:1::cb00:7107',
      'fe80::1',
      '203.0.113.7',
      '',
    ])
      expect(comparableIp(ip)).to.equal(ip);
  });
});

describe('the comparable form of a name', () => {
  it('has neither case, nor width, nor marks', () => {
    for (const name of ['cafe', 'Café', 'cafe\u0301', 'ＣＡＦＥ', 'c\u0336a\u0336f\u0336e\u0336'])
      expect(comparableName(name)).to.equal('cafe');
  });

  it('is its own form', () => {
    const aName = fc.string({
      unit: fc.oneof(
        fc.constantFrom('é', '\u0301', 'ﬀ', 'ς'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
    });
    fc.assert(
      fc.property(aName, (name) => {
        expect(comparableName(comparableName(name))).to.equal(comparableName(name));
      }),
      { numRuns: runs(300) },
    );
  });
});
