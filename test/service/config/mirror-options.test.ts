/** The options of a mirror: its origins, their keys, and what a mirror cannot be. */

import { expect } from 'chai';
import { complaintOf, configOf } from './config-of.ts';

const ORIGIN = { GSLS_MIRRORS: 'eu=https://eu.example.com' };

describe('the options of a mirror', () => {
  it('name each origin, by the name of its host if nothing else is said', () => {
    const { mirrors } = configOf({
      flags: { mirrors: ['eu=https://eu.example.com/list/', 'http://[::1]:53600, https://us.example.com'] },
    });
    expect(mirrors).to.deep.equal([
      { name: 'eu', url: 'https://eu.example.com/list' },
      { name: '--1', url: 'http://[::1]:53600' },
      { name: 'us.example.com', url: 'https://us.example.com' },
    ]);
  });

  it('have keys by the names of origins, which may hold any character of a key but a comma', () => {
    const { mirrorKeys } = configOf({ environment: { ...ORIGIN, GSLS_MIRROR_KEYS: 'eu=a=b c' } });
    expect(mirrorKeys).to.deep.equal([{ name: 'eu', key: 'a=b c' }]);
  });

  const REFUSED: readonly (readonly [environment: Record<string, string>, complaint: string])[] = [
    ...['nowhere', 'ftp://a', 'eu=', 'eu=eu.example.com', ','].map(
      (text) =>
        [
          { GSLS_MIRRORS: text },
          'GSLS_MIRRORS must be URLs like https://eu.example.com, each with a name or without: eu=https://…',
        ] as const,
    ),
    [
      { GSLS_MIRRORS: 'https://user:secret@eu.example.com' },
      'GSLS_MIRRORS must have no password in a URL: a key belongs to --mirror-keys',
    ],
    [{ GSLS_MIRRORS: 'https://a/?b' }, 'GSLS_MIRRORS must be URLs without a query or a fragment'],
    [
      { GSLS_MIRRORS: 'e u=https://a' },
      'GSLS_MIRRORS must have names of 1 to 32 letters, digits, dots or dashes',
    ],
    [{ GSLS_MIRRORS: 'a=https://a,b=https://a' }, 'GSLS_MIRRORS names https://a twice'],
    [
      { GSLS_MIRRORS: 'https://a/1,https://a/2' },
      'GSLS_MIRRORS has two origins with the name a: write eu=https://… for each',
    ],
    [
      { GSLS_MIRRORS: Array.from({ length: 17 }, (_, n) => `https://a${n}`).join() },
      'GSLS_MIRRORS must name at most 16 origins',
    ],
    [{ ...ORIGIN, GSLS_MIRROR_KEYS: 'secret' }, 'GSLS_MIRROR_KEYS must be like eu=secret,us=other'],
    [{ ...ORIGIN, GSLS_MIRROR_KEYS: 'eu= ' }, 'GSLS_MIRROR_KEYS must not be empty'],
    [
      { ...ORIGIN, GSLS_MIRROR_KEYS: 'us=secret' },
      'GSLS_MIRROR_KEYS names us, which is no origin of --mirrors',
    ],
    [{ GSLS_MIRROR_KEYS: 'eu=secret' }, 'GSLS_MIRROR_KEYS needs --mirrors, the origins that it is for'],
    [{ GSLS_MIRROR_KEEP: 'list' }, 'GSLS_MIRROR_KEEP needs --mirrors, the origins that it is for'],
    ...(
      [
        ['GSLS_REDIS', 'redis://a'],
        ['GSLS_DATA_FILE', 'list'],
        ['GSLS_TTL', '30'],
        ['GSLS_VERIFY', 'tcp'],
        ['GSLS_MAX_SERVERS', '5'],
        ['GSLS_GEO_FILE', 'country.mmdb'],
      ] as const
    ).map(
      ([name, value]) =>
        [
          { ...ORIGIN, [name]: value },
          `${name} is for a registry that takes writes, and a mirror takes none`,
        ] as const,
    ),
    [
      { ...ORIGIN, GSLS_DPMASTER_PORT: '27950' },
      '--dpmaster-port cannot be used with --mirrors: the game servers of dpmaster are in the lists of their origins alone',
    ],
    [
      { ...ORIGIN, GSLS_WORKERS: '2' },
      '--workers cannot be used with --mirrors: start several mirrors, which need nothing of each other',
    ],
  ];

  for (const [environment, complaint] of REFUSED)
    it(`refuse ${JSON.stringify(environment)}`, () => {
      expect(complaintOf({ environment }).replace(/ \(and \d more: see gsls check\)$/, '')).to.equal(
        complaint,
      );
    });
});
