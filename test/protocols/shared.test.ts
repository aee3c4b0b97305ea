/** What protocols of other games share: ids, challenges, clean texts. */

import { expect } from 'chai';
import { assert, integer, property, string } from 'fast-check';
import { createChallenges } from '../../src/protocols/challenges.ts';
import { isClear } from '../../src/model/text-rules.ts';
import { cleanText, withoutColours } from '../../src/protocols/clean-text.ts';
import { entryIdOf } from '../../src/protocols/identity.ts';
import { ManualClock } from '../support/manual-clock.ts';

const HOUR_MS = 60 * 60 * 1000;

describe('the id of an entry of a protocol', () => {
  it('follows from the secret of the registry, the protocol and the parts, and from nothing else', () => {
    const id = entryIdOf('secret', 'ddnet', 'a', 'b');
    expect(id).to.match(/^[\w-]{22}$/);
    expect(entryIdOf('secret', 'ddnet', 'a', 'b')).to.equal(id);
    const others = [
      entryIdOf('other', 'ddnet', 'a', 'b'),
      entryIdOf('secret', 'luanti', 'a', 'b'),
      entryIdOf('secret', 'ddnet', 'ab'),
      entryIdOf('secret', 'ddnet', 'a', 'b', ''),
    ];
    expect(new Set([id, ...others]).size).to.equal(5);
  });
});

describe('a challenge', () => {
  const clock = new ManualClock();
  const of = (protocol: string, secret = 'secret') =>
    createChallenges({ protocol, secret: () => secret, now: () => clock.now() });

  it('is valid at every replica, for what it was issued for, in its hour and the next', async () => {
    const token = of('ddnet').issue('192.0.2.1', '8303');
    const isValid = (): boolean => of('ddnet').isValid(token, '192.0.2.1', '8303');
    expect(isValid()).to.equal(true);
    await clock.advance(HOUR_MS);
    expect(isValid()).to.equal(true);
    await clock.advance(HOUR_MS);
    expect(isValid()).to.equal(false);
  });

  it('is not valid for another address, protocol or secret, nor when it is no token', () => {
    const token = of('ddnet').issue('192.0.2.1');
    expect(of('ddnet').isValid(token, '192.0.2.2')).to.equal(false);
    expect(of('luanti').isValid(token, '192.0.2.1')).to.equal(false);
    expect(of('ddnet', 'other').isValid(token, '192.0.2.1')).to.equal(false);
    for (const other of ['', 'ä', token.slice(1), `${token}a`, token.toUpperCase()])
      expect(of('ddnet').isValid(other, '192.0.2.1'), other).to.equal(false);
  });
});

describe('a text of an old game', () => {
  it('loses its colours where its game has any', () => {
    expect(withoutColours('^1Red ^xF0Aand^7 ^blue^')).to.equal('Red and lue^');
  });

  it('loses its controls, what turns other text around, and what does not show', () => {
    expect(cleanText('a\u0007 \u202eb\nl\tue\u2028!', 64)).to.equal('a b l ue !');
    expect(cleanText('half \ud800 pair\ufffd', 64)).to.equal('half pair');
    expect(cleanText('in\u200bvisible \u{1f469}\u200d\u{1f680}', 64)).to.equal(
      'invisible \u{1f469}\u200d\u{1f680}',
    );
    for (const blank of ['', ' \t', '\u200b', '\u2800', '\u3164'])
      expect(cleanText(blank, 64), blank).to.equal('');
  });

  it('is cut between characters', () => {
    expect(cleanText('ab😀', 3)).to.equal('ab');
    expect(cleanText('ab😀', 4)).to.equal('ab😀');
  });

  it('is well-formed, short and what a broadcast may say, or empty, whatever comes in', () => {
    assert(
      property(string({ unit: 'binary' }), integer({ min: 1, max: 32 }), (text, length) => {
        const cleaned = cleanText(text, length);
        expect(cleaned.length).to.be.at.most(length);
        expect(() => encodeURIComponent(cleaned)).to.not.throw();
        expect(cleaned === '' || isClear(cleaned), cleaned).to.equal(true);
      }),
    );
  });
});
