/** Texts of game servers in a terminal: what is shown of them, how wide that is, and how they are cut. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { cutToColumns, fill } from '../../../src/tools/terminal/fit.ts';
import { isolated, shownText } from '../../../src/tools/terminal/shown-text.ts';
import { isCommon, loadWidths, widthOf } from '../../../src/tools/terminal/widths.ts';
import { anyText } from '../../support/any-text.ts';
import { HOSTILE_NAMES } from './a-server.ts';

/** All of the first two planes that are characters. */
const CHARACTERS = Array.from({ length: 0x1_f000 }, (_, code) => code)
  .filter((code) => code >= 0x20 && (code < 0xd800 || code > 0xdfff))
  .map((code) => String.fromCodePoint(code));
const COMMON = CHARACTERS.filter(isCommon);

const aText = fc.oneof(fc.string({ unit: 'grapheme' }), anyText(), fc.constantFrom(...HOSTILE_NAMES));

describe('a text in a terminal', () => {
  before(loadWidths);

  it('has no control, format or direction character left, and no line', () => {
    fc.assert(
      fc.property(aText, (text) => {
        expect(shownText(text)).to.not.match(
          /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u,
        );
      }),
    );
    expect(shownText('\u001b[2J\n\u202e')).to.equal('\\u{1b}[2J\\u{a}\\u{202e}');
  });

  it('keeps what joins emojis and letters, and shows what joins nothing', () => {
    for (const kept of [
      '👨‍👩‍👧',
      'می\u200cخواهم',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
      'Ünïcode ★',
    ])
      expect(shownText(kept)).to.equal(kept);
    expect(shownText('a\u200db\u200c \u{e0067}')).to.equal('a\u200db\\u{200c} \\u{e0067}');
    expect(shownText('\u200d')).to.equal('\\u{200d}');
  });

  it('stands in a direction of its own if it runs from right to left', () => {
    expect(isolated('صقر 1')).to.equal('\u2068صقر 1\u2069');
    expect(isolated('Frankfurt 夜猫')).to.equal('Frankfurt 夜猫');
  });

  it('is as wide as string-width says, also where that is not asked', () => {
    expect(COMMON).to.have.length.above(30_000);
    expect(COMMON.filter((each) => widthOf(each) !== stringWidth(each))).to.deep.equal([]);
    const common = fc.array(fc.constantFrom(...COMMON)).map((each) => each.join(''));
    fc.assert(fc.property(common, (text) => void expect(widthOf(text)).to.equal(stringWidth(text))));
    expect(['夜猫', '👨‍👩‍👧', 'e\u0301', 'صقر'].map(widthOf)).to.deep.equal([4, 2, 1, 3]);
  });

  it('is cut to the columns that there are, with an ellipsis, and filled to them', () => {
    fc.assert(
      fc.property(aText, fc.integer({ min: 0, max: 40 }), (text, columns) => {
        const shown = cutToColumns(shownText(text), columns);
        expect(widthOf(shown)).to.be.at.most(columns);
        expect(widthOf(fill(shown, columns, 'left'))).to.equal(columns);
      }),
    );
    expect(cutToColumns('夜猫の宿', 6)).to.equal('夜猫…');
    expect(cutToColumns('夜猫の宿', 8)).to.equal('夜猫の宿');
    expect(cutToColumns('Frankfurt', 1)).to.equal('…');
    expect(fill('5', 3, 'right')).to.equal('  5');
  });
});
