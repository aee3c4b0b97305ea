/** Globs, as bans compare them with hosts and names. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { parseGlob } from '../../../src/registry/decisions/glob.ts';
import { fold } from '../../../src/model/fold.ts';
import { runs } from '../../support/runs.ts';

function matches(pattern: string, text: string): boolean {
  return parseGlob(pattern)!.matches(fold(text));
}

describe('a glob', () => {
  const CASES: readonly (readonly [
    pattern: string,
    matching: readonly string[],
    others: readonly string[],
  ])[] = [
    ['casino', ['casino', 'CASINO', 'Casino'], ['casino 1', 'my casino', 'casin', '']],
    ['*casino*', ['casino', 'the best CASINO!', '1casino1'], ['cas ino', 'casin', '']],
    ['casino*', ['casino', 'Casino 7'], ['a casino']],
    ['*casino', ['casino', '7 Casino'], ['casino 7']],
    ['c?sino', ['casino', 'cAsino', 'c🎰sino', 'c*sino'], ['csino', 'caasino']],
    ['??b', ['aab', '🎰🎰b'], ['ab', 'aaab', '🎰b']],
    ['a*b?c', ['abxc', 'axxbxc', 'abbxbxc', 'ab🎰c'], ['abc', 'abxcx']],
    ['*?a', ['ba', 'bba'], ['a']],
    ['a?*', ['ab', 'abc'], ['a']],
    ['*a*a*', ['aa', 'xaxax'], ['a']],
    ['aba*aba', ['abaaba', 'aba-aba'], ['aba', 'ababa']],
    ['a**b', ['ab', 'a*b', 'axb'], ['a']],
    ['ab*bc', ['abbc', 'ab bc'], ['abc']],
    ['[a-z]+', ['[A-Z]+'], ['b']],
    ['a.c', ['A.C'], ['abc']],
  ];
  for (const [pattern, matching, others] of CASES)
    it(`${pattern} matches ${matching[0]!} and the like`, () => {
      for (const text of matching) expect(matches(pattern, text), text).to.equal(true);
      for (const text of others) expect(matches(pattern, text), text).to.equal(false);
    });

  const LOOK_ALIKES: readonly (readonly [string, string])[] = [
    ['casino', 'ＣＡＳＩＮＯ'],
    ['ＣＡＳＩＮＯ', 'casino'],
    ['casino', '𝓒𝓐𝓢𝓘𝓝𝓞'],
    ['casino', 'Ⓒⓐⓢⓘⓝⓞ'],
    ['casino', 'caſino'],
    ['casino', 'cas\u200dino'],
    ['straße', 'STRASSE'],
    ['STRAẞE', 'strasse'],
    ['ΌΣΟΣ', 'όσος'],
    ['όσ*', 'ΌΣΟΣ'],
    ['café', 'cafe\u0301'],
    ['diyarbakır', 'DIYARBAKIR'],
    ['file', 'ﬁle'],
    ['❤', '❤\ufe0f'],
  ];
  for (const [pattern, text] of LOOK_ALIKES)
    it(`${pattern} matches ${JSON.stringify(text)}`, () => {
      expect(matches(pattern, text)).to.equal(true);
    });

  it('needs a character to compare', () => {
    for (const pattern of ['', '*', '**', '?', '?*', '*?*', '????', '\u200d', '*\ufe0f*'])
      expect(parseGlob(pattern), JSON.stringify(pattern)).to.equal(undefined);
  });

  it('takes a full-width asterisk for itself', () => {
    expect(matches('a＊', 'a*')).to.equal(true);
    expect(matches('a＊', 'ab')).to.equal(false);
  });

  /** Few different characters, so that much of it matches in part. */
  const aText = fc.string({ unit: fc.constantFrom('a', 'b', 'B', '🎰', 'ß', 'σ', 'ς'), maxLength: 12 });
  const aPattern = fc.string({ unit: fc.constantFrom('a', 'b', '🎰', 'Σ', '*', '?'), maxLength: 8 });

  it('matches as the regular expression of the same meaning does', () => {
    fc.assert(
      fc.property(aPattern, aText, (pattern, text) => {
        const glob = parseGlob(pattern);
        if (glob === undefined) return;
        const parts = pattern.split('*').map((part) => part.split('?').map(fold).join('.'));
        expect(glob.matches(fold(text))).to.equal(new RegExp(`^${parts.join('.*')}$`, 'su').test(fold(text)));
      }),
      { numRuns: runs(500) },
    );
  });

  it('matches the text it was made of, whatever characters become wildcards', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 20 }),
        fc.infiniteStream(fc.boolean()),
        (text, hide) => {
          // Between characters that do not combine.
          const characters = [...new Intl.Segmenter().segment(fold(text))].map(({ segment }) => segment);
          const pattern = characters.map((each) => (hide.next().value === true ? '*' : each)).join('');
          expect(parseGlob(pattern)?.matches(fold(text)) ?? true).to.equal(true);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('takes no longer for a text that nearly matches many times', () => {
    const glob = parseGlob(`${'*a?'.repeat(40)}*b`)!;
    const text = 'a'.repeat(253);
    const beganAt = process.cpuUsage();
    for (let i = 0; i < 1000; i += 1) expect(glob.matches(text)).to.equal(false);
    expect(process.cpuUsage(beganAt).user / 1000).to.be.below(1000);
  });
});

describe('the folding of a text', () => {
  it('changes nothing when it is done again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
        expect(fold(fold(text))).to.equal(fold(text));
      }),
      { numRuns: runs(500) },
    );
  });

  it('is the same for upper and lower case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
        expect(fold(text.toUpperCase())).to.equal(fold(text));
      }),
      { numRuns: runs(500) },
    );
  });
});
