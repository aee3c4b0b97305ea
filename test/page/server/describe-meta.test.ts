/** `meta` in words: its conventions, and what hostile game servers send in place of them. */

import { expect } from 'chai';
import {
  describeMeta,
  type MetaDescription,
  type MetaValue,
} from '../../../src/page/server/describe-meta.ts';
import { labelOfKey } from '../../../src/page/parts/meta-words.ts';
import { DE } from '../../../src/page/texts/de.ts';
import { EN } from '../../../src/page/texts/en.ts';

const ENGLISH = { texts: EN, language: 'en' };

/** Short for what is compared: links as `→ address`, lists as arrays, groups as objects. */
function said(value: MetaValue): unknown {
  switch (value.is) {
    case 'text':
      return value.text;
    case 'link':
      return `→ ${value.host} ${value.href}`;
    case 'list':
      return value.values.map(said);
    case 'group':
      break;
  }
  return value.entries.map(({ label, value: each }) => [label, said(each)]);
}

function describeOf(meta: Readonly<Record<string, unknown>>, words = ENGLISH): unknown {
  return describeMeta(meta, words).entries.map(({ label, value }) => [label, said(value)]);
}

function sizeOf({ entries }: Pick<MetaDescription, 'entries'>): number {
  const count = (value: MetaValue): number => {
    if (value.is === 'list') return 1 + value.values.reduce((sum, each) => sum + count(each), 0);
    return value.is === 'group' ? 1 + sizeOf(value) : 1;
  };
  return entries.reduce((sum, { value }) => sum + count(value), 0);
}

describe('meta in words', () => {
  it('has the conventions first, in one order, and then the rest in that of the game server', () => {
    const meta = {
      zone: 'north',
      mods: ['Better Doors', { name: 'Maps', version: 2 }, { name: 'Sky' }],
      language: 'de',
      level: 5,
      discord: 'https://discord.gg/abc',
      friendly_fire: false,
      website: 'https://example.com/@us?a=1#b',
      description: 'A friendly place.',
    };
    const { description } = describeMeta(meta, ENGLISH);
    expect(description).to.equal('A friendly place.');
    expect(describeOf(meta)).to.deep.equal([
      ['Website', '→ example.com https://example.com/@us?a=1#b'],
      ['Discord', '→ discord.gg https://discord.gg/abc'],
      ['Language', 'German'],
      ['Mods', ['Better Doors', 'Maps 2', 'Sky']],
      ['Zone', 'north'],
      ['Level', '5'],
      ['Friendly fire', 'off'],
    ]);
  });

  it('is in the language of the reader', () => {
    expect(
      describeOf({ language: ['en', 'pt', 'any'], pvp: true }, { texts: DE, language: 'de' }),
    ).to.deep.equal([
      ['Sprache', ['Englisch', 'Portugiesisch', 'any']],
      ['Pvp', 'an'],
    ]);
  });

  it('shows a convention that has another value as it shows any other key', () => {
    expect(
      describeOf({ description: 7, mods: { a: 1 }, language: [['de']], website: ['https://a.example'] }),
    ).to.deep.equal([
      ['Website', ['https://a.example']],
      ['Language', [['de']]],
      ['Mods', [['A', '1']]],
      ['Description', '7'],
    ]);
  });

  it('has words for keys of all usual kinds', () => {
    const keys = {
      friendly_fire: 'Friendly fire',
      friendlyFire: 'Friendly fire',
      'friendly-fire': 'Friendly fire',
      FriendlyFire: 'Friendly fire',
      maxHTTPConnections: 'Max HTTP connections',
      enablePVP: 'Enable PVP',
      PvP: 'PvP',
      level2: 'Level2',
      'Wipe on Fridays': 'Wipe on Fridays',
      größteKarte: 'Größte karte',
      карта_мира: 'Карта мира',
      __proto__x: 'Proto x',
      ___: '___',
      '': '',
    };
    for (const [key, words] of Object.entries(keys)) expect(labelOfKey(key)).to.equal(words);
  });

  it('says nested values, and none', () => {
    expect(
      describeOf({ links: { mapUrl: 'a', on: [true, null] }, nothing: [], empty: {}, blank: '' }),
    ).to.deep.equal([
      [
        'Links',
        [
          ['Map url', 'a'],
          ['On', ['on', 'none']],
        ],
      ],
      ['Nothing', 'none'],
      ['Empty', 'none'],
      ['Blank', 'none'],
    ]);
  });

  it('links to https alone, by the host that is meant and in ASCII', () => {
    const links = {
      'HTTPS://EXAMPLE.com:443/a': '→ example.com https://example.com/a',
      'https://example.com:8443': '→ example.com:8443 https://example.com:8443/',
      'https://пример.example/я': '→ xn--e1afmkfd.example https://xn--e1afmkfd.example/%D1%8F',
      'https://аpple.com': '→ xn--pple-43d.com https://xn--pple-43d.com/',
      'https://0x7f.1/': '→ 127.0.0.1 https://127.0.0.1/',
      'https://example.com/\u202etxt.exe': '→ example.com https://example.com/%E2%80%AEtxt.exe',
      'https://example.com/"><script>': '→ example.com https://example.com/%22%3E%3Cscript%3E',
    };
    for (const [website, shown] of Object.entries(links))
      expect(describeOf({ website }), website).to.deep.equal([['Website', shown]]);
  });

  it('shows every other address as text', () => {
    for (const website of [
      'javascript:alert(1)',
      'JaVaScRiPt://example.com/%0aalert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x',
      'http://example.com',
      'steam://connect/203.0.113.7',
      '//example.com',
      'example.com',
      'https:example.com',
      'https:/example.com',
      'https:///example.com',
      'https://',
      'https://example.com@evil.example',
      'https://example.com:pass@evil.example/',
      'https://@evil.example/',
      'https://good.example\\@evil.example',
      'https://good.example\\evil',
      ' https://example.com',
      'https://example.com /',
      'https://exa\tmple.com',
      'https://exa\u202emple.com',
      'https://%00.example',
      'https://example.com:99999',
      `https://${'a'.repeat(254)}/`,
    ])
      for (const key of ['website', 'discord'])
        expect(describeOf({ [key]: website }), website).to.deep.equal([
          [key === 'website' ? 'Website' : 'Discord', website],
        ]);
    expect(describeOf({ url: 'https://example.com' })).to.deep.equal([['Url', 'https://example.com']]);
  });

  it('keeps names of objects of the language as any other key', () => {
    const meta = JSON.parse('{"__proto__": {"polluted": true}, "constructor": "c", "toString": 1}') as object;
    expect(describeOf(meta as Record<string, unknown>)).to.deep.equal([
      ['Proto', [['Polluted', 'on']]],
      ['Constructor', 'c'],
      ['To string', '1'],
    ]);
  });

  it('is bounded: long texts, thousands of keys, and what is deep', () => {
    const long = describeMeta(
      { description: '😀'.repeat(5000), ['k'.repeat(5000)]: '😀'.repeat(5000) },
      ENGLISH,
    );
    expect(long.description).to.not.match(/\p{Cs}/u);
    expect(long.description).to.have.length.below(1010);
    expect(long.entries[0]!.label).to.have.length.below(90);
    expect(said(long.entries[0]!.value)).to.have.length.below(510);

    const many = Object.fromEntries(
      Array.from({ length: 5000 }, (_, n) => [`key_${n}`, { a: n, b: [n, n] }]),
    );
    const wide = describeMeta(many, ENGLISH);
    expect(wide.hasMore).to.equal(true);
    expect(sizeOf(wide)).to.be.within(100, 200);
    const { entries } = describeMeta({ mods: Array.from({ length: 5000 }, String) }, ENGLISH);
    expect(entries[0]!.value).to.include({ is: 'list', hasMore: true });
    expect(sizeOf({ entries })).to.equal(200);

    let deep: unknown = 'bottom';
    for (let level = 0; level < 16; level += 1) deep = level % 2 === 0 ? { deep } : [deep];
    expect(JSON.stringify(describeOf({ deep })))
      .to.include('…')
      .and.not.include('bottom');
  });
});
