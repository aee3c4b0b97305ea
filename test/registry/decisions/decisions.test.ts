/** The document of what moderators decided: its changes, and its form as text. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { ServiceError } from '../../../src/model/service-error.ts';
import { addressOfRule } from '../../../src/registry/decisions/rule-fields.ts';
import { formatDecisions, parseDecisions } from '../../../src/registry/decisions/decisions-document.ts';
import {
  MOST_AUDIT_LINES,
  MOST_BANS,
  NO_DECISIONS,
  withAudit,
  withBan,
  withoutBan,
  withoutExpired,
  type Decisions,
} from '../../../src/registry/decisions/decisions.ts';
import { aBan } from '../../support/a-ban.ts';
import { runs } from '../../support/runs.ts';

const SERVER = { id: 'a', host: 'h', name: 'n', port: 1, ip: '203.0.113.7' };

/** A ban, one that is gone, and a removed entry; all fields somewhere. */
function aModeration(): Decisions {
  const ban = aBan({ id: 'a', address: '203.0.113.0/24', host: '*.example', name: 'n?', expiresAt: 9000 });
  const other = aBan({ address: '2001:db8::1', mode: 'silent', author: '' });
  let now = withBan(withBan(NO_DECISIONS, ban, { from: '198.51.100.0/24' }), other);
  now = withoutBan(now, other.ban, 'bob', 2000, { from: '198.51.100.0/24' })!;
  now = withBan(now, aBan({ name: 'spam*', expiresAt: 2500 }), { key: 'ada' });
  now = withoutExpired(now, 2500);
  return withAudit(now, { at: 3000, author: 'ann', action: 'server_removed', server: SERVER });
}

describe('the moderation', () => {
  it('has each change in the audit, with its time and author', () => {
    const { bans, audit } = aModeration();
    expect(bans).to.have.length(1);
    expect(audit.map(({ at, author, action, from }) => [at, author, action, from])).to.deep.equal([
      [1000, 'ann', 'ban_added', '198.51.100.0/24'],
      [1000, '', 'ban_added', undefined],
      [2000, 'bob', 'ban_removed', '198.51.100.0/24'],
      [1000, 'ann', 'ban_added', undefined],
      [2500, '', 'ban_expired', undefined],
      [3000, 'ann', 'server_removed', undefined],
    ]);
  });

  it('is never changed in place', () => {
    const before = withBan(NO_DECISIONS, aBan({ id: 'a' }));
    const text = formatDecisions(before);
    withBan(before, aBan({ id: 'b' }));
    withoutBan(before, before.bans[0]!.ban, 'bob', 1);
    expect(formatDecisions(before)).to.equal(text);
    expect(NO_DECISIONS).to.deep.equal({ bans: [], labels: [], audit: [] });
  });

  it('without a ban that is not there is no change', () => {
    expect(withoutBan(NO_DECISIONS, 'a', 'bob', 1)).to.equal(undefined);
  });

  it('is the same object while no ban has expired', () => {
    const now = withBan(withBan(NO_DECISIONS, aBan({ id: 'a' })), aBan({ id: 'b', expiresAt: 5000 }));
    expect(withoutExpired(now, 4999)).to.equal(now);
    expect(withoutExpired(now, 5000).bans).to.deep.equal([now.bans[0]]);
  });

  it('has 10,000 bans at most', () => {
    const full: Decisions = {
      ...NO_DECISIONS,
      bans: Array.from({ length: MOST_BANS }, (_, i) => aBan({ id: `${i}` })),
    };
    expect(() => withBan(full, aBan({ id: 'a' })))
      .to.throw(ServiceError)
      .with.property('code', 'too_many_bans');
    const one = withoutBan(full, full.bans[0]!.ban, 'bob', 1)!;
    expect(withBan(one, aBan({ id: 'a' })).bans).to.have.length(MOST_BANS);
  });

  it('keeps the latest lines of the audit', () => {
    let now: Decisions = NO_DECISIONS;
    for (let at = 0; at < MOST_AUDIT_LINES + 10; at += 1)
      now = withAudit(now, { at, author: 'ann', action: 'server_removed', server: SERVER });
    expect(now.audit).to.have.length(MOST_AUDIT_LINES);
    expect(now.audit[0]!.at).to.equal(10);
  });
});

describe('the address of a ban', () => {
  const CANONICAL: Readonly<Record<string, string>> = {
    '203.0.113.7': '203.0.113.7',
    '203.0.113.7/32': '203.0.113.7',
    '203.0.113.0/24': '203.0.113.0/24',
    '::ffff:203.0.113.7': '203.0.113.7',
    '::ffff:203.0.113.0/120': '203.0.113.0/24',
    '2001:DB8:0::/48': '2001:db8::/48',
    '2001:db8::1/128': '2001:db8::1',
  };
  for (const [text, canonical] of Object.entries(CANONICAL))
    it(`${text} is ${canonical}`, () => expect(addressOfRule(text)).to.equal(canonical));

  for (const text of [
    '',
    '0.0.0.0/0',
    '::/0',
    '::ffff:0:0/96',
    '10.0.0.1/8',
    '10.0.0.0/33',
    'private',
    '10.0.0.1,10.0.0.2',
  ])
    it(`is not ${JSON.stringify(text)}`, () => expect(addressOfRule(text)).to.equal(undefined));
});

describe('the text of the moderation', () => {
  it('is read to what was written', () => {
    for (const now of [NO_DECISIONS, aModeration()])
      expect(parseDecisions(formatDecisions(now))).to.deep.equal(now);
  });

  it('has the names of keys beside its lines, so that releases without them can read those', () => {
    const [named, plain] = [{ key: 'ada' }, {}].map((asker) =>
      JSON.parse(
        formatDecisions(
          withBan(withBan(NO_DECISIONS, aBan({ ban: '1', id: 'a' })), aBan({ ban: '2', id: 'b' }), asker),
        ),
      ),
    );
    expect(Object.keys(plain)).to.deep.equal(['version', 'bans', 'audit', 'labels']);
    expect(named).to.deep.equal({ ...plain, keys: ['', 'ada'] });
  });

  const ban = { ...aBan({ id: 'a' }) };
  const line = { at: 1, author: '', action: 'ban_added', ban };
  const DAMAGED: Readonly<Record<string, unknown>> = {
    'no document': [],
    nothing: null,
    'a document of another version': { version: 2, bans: [], audit: [] },
    'no bans': { version: 1, audit: [] },
    'no audit': { version: 1, bans: [] },
    'bans that are no list': { version: 1, bans: {}, audit: [] },
    'a ban twice': { version: 1, bans: [ban, ban], audit: [] },
    ...Object.fromEntries(
      Object.entries<Record<string, unknown>>({
        'without patterns': { id: undefined },
        'without an id of its own': { ban: undefined },
        'without a reason': { reason: '' },
        'with a long reason': { reason: 'x'.repeat(513) },
        'with a reason longer than moderators can give': { reason: 'x'.repeat(257) },
        'with a reason that is no text': { reason: ['x'] },
        'with a name that is no text': { name: 7 },
        'of another mode': { mode: 'loud' },
        'without an author': { author: undefined },
        'made at no time': { createdAt: 1.5 },
        'made at a time beyond all dates': { createdAt: 8_640_000_000_000_001 },
        'that expires at no time': { expiresAt: '2026-11-22' },
        'of every address': { address: '0.0.0.0/0' },
        'of an address in another form': { address: '2001:DB8::1' },
        'of no address': { address: 7 },
        'of every name': { name: '*' },
        'of every host': { host: '?*' },
        'with a pattern that is not known': { port: 7777 },
        'with a name from the prototype': { constructor: 1 },
      }).map(([what, overrides]) => [
        `a ban ${what}`,
        { version: 1, bans: [{ ...ban, ...overrides }], audit: [] },
      ]),
    ),
    'a line of another action': { version: 1, bans: [], audit: [{ ...line, action: 'ban_found' }] },
    'a line with a field that is not known': { version: 1, bans: [], audit: [{ ...line, by: 'x' }] },
    'a line whose ban is damaged': {
      version: 1,
      bans: [],
      audit: [{ ...line, ban: { ...ban, mode: 'loud' } }],
    },
    'a line without its ban': { version: 1, bans: [], audit: [{ ...line, ban: undefined }] },
    'a line about another thing': { version: 1, bans: [], audit: [{ ...line, action: 'server_removed' }] },
    'names of keys that are no list': { version: 1, bans: [], audit: [], keys: 'ada' },
    'too many lines': {
      version: 1,
      bans: [],
      audit: Array.from({ length: MOST_AUDIT_LINES + 1 }, () => line),
    },
  };
  for (const [what, document] of Object.entries(DAMAGED))
    it(`is refused with ${what}`, () => {
      expect(parseDecisions(JSON.stringify(document))).to.equal(undefined);
    });

  it('is refused when it is cut off or empty', () => {
    const text = formatDecisions(aModeration());
    for (let length = 0; length < text.length; length += 1)
      expect(parseDecisions(text.slice(0, length))).to.equal(undefined);
  });

  it('is refused, or safe to use, whatever another program makes of it', () => {
    const text = formatDecisions(aModeration());
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.string({ maxLength: 3 }), fc.nat(3), (at, put, cut) => {
        const now = parseDecisions(text.slice(0, at) + put + text.slice(at + cut));
        for (const { id, address, host, name } of now?.bans ?? [])
          expect(id ?? address ?? host ?? name)
            .to.be.a('string')
            .and.not.equal('');
        // As text: JSON has a -0, but writes it as 0.
        if (now !== undefined)
          expect(JSON.stringify(parseDecisions(formatDecisions(now)))).to.equal(JSON.stringify(now));
      }),
      { numRuns: runs(500) },
    );
  });
});
