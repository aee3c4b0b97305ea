/** A screen of a terminal, and that what is sent for another one makes a terminal show it. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { changesBetween, Screen } from '../../src/terminal/screen.ts';
import { isRightToLeft } from '../../src/terminal/shown-text.ts';
import { charactersOf, loadWidths, widthOf } from '../../src/terminal/widths.ts';

/** What a terminal shows: characters and their styles, by column. It obeys what changesBetween sends, and no more. */
class Emulator {
  readonly cells: string[][];
  readonly #columns: number;
  #row = 0;
  #column = 0;
  #style = '';

  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.cells = Array.from({ length: rows }, () => Array.from({ length: columns }, () => ' |'));
  }

  feed(bytes: string): void {
    const [first = '', ...others] = bytes.split('\u001b[');
    this.#print(first);
    for (const each of others) {
      const [, csi, text] = /^([\d;]*[A-Za-z])(.*)$/s.exec(each)!;
      this.#obey(csi!);
      this.#print(text!);
    }
  }

  #obey(csi: string): void {
    const numbers = csi.slice(0, -1).split(';').map(Number);
    if (csi.endsWith('H')) [this.#row, this.#column] = [numbers[0]! - 1, numbers[1]! - 1];
    else if (csi === '2J') for (const row of this.cells) row.fill(' |');
    else if (csi.endsWith('m')) this.#style = csi.slice(0, -1).replace(/^0;?/, '');
    else throw new Error(`an unknown sequence: ${csi}`);
  }

  #print(text: string): void {
    const row = this.cells[this.#row]!;
    for (const character of charactersOf(text)) {
      const width = widthOf(character);
      // A direction, which takes no column.
      if (width === 0) continue;
      expect(this.#column + width, 'a line is not wrapped').to.be.at.most(this.#columns);
      for (let at = this.#column; at < this.#column + width; at += 1) this.#split(row, at);
      row[this.#column] = `${character}|${this.#style}`;
      for (let at = this.#column + 1; at < this.#column + width; at += 1) row[at] = '';
      this.#column += width;
    }
  }

  /** A character that loses one of its columns is gone. */
  #split(row: string[], at: number): void {
    let start = at;
    while (row[start] === '') start -= 1;
    let end = start + 1;
    while (row[end] === '') end += 1;
    if (end - start > 1) row.fill(' |', start, end);
  }
}

interface Put {
  readonly row: number;
  readonly column: number;
  readonly text: string;
  readonly style: string;
}

const COLUMNS = 12;
const ROWS = 4;
const aPut = fc.record({
  row: fc.integer({ min: -1, max: ROWS }),
  column: fc.integer({ min: 0, max: COLUMNS - 1 }),
  text: fc
    .array(fc.constantFrom('a', 'Z', ' ', '夜', '猫', '👨‍👩‍👧', 'e\u0301', '…', '★', 'صقر', '\u0301'), {
      maxLength: 8,
    })
    .map((parts) => parts.join('')),
  style: fc.constantFrom('', '1', '7', '1;33'),
});
const puts = fc.array(aPut, { maxLength: 12 });

function screenOf(all: readonly Put[]): Screen {
  const screen = new Screen(COLUMNS, ROWS);
  for (const { row, column, text, style } of all) screen.put(row, column, text, style);
  return screen;
}

function shownBy(...bytes: readonly string[]): string[][] {
  const emulator = new Emulator(COLUMNS, ROWS);
  for (const each of bytes) emulator.feed(each);
  return emulator.cells;
}

describe('a screen', () => {
  before(loadWidths);

  it('is shown by a terminal that gets the changes from any other one', () => {
    fc.assert(
      fc.property(fc.array(puts, { minLength: 1, maxLength: 4 }), (all) => {
        const screens = all.map(screenOf);
        const changes = screens.map((screen, index) => changesBetween(screens[index - 1], screen));
        expect(shownBy(...changes)).to.deep.equal(shownBy(changesBetween(undefined, screens.at(-1)!)));
      }),
      { numRuns: 500 },
    );
  });

  it('has in its cells what was put there', () => {
    fc.assert(
      fc.property(aPut, (put) => {
        const [text, width] = [isRightToLeft(put.text) ? '' : put.text, COLUMNS - put.column];
        const cells = shownBy(changesBetween(undefined, screenOf([{ ...put, text }])))[put.row];
        if (cells === undefined) return;
        const shown = cells
          .slice(put.column)
          .map((cell) => cell.replace(/\|.*$/, ''))
          .join('');
        const expected = [...charactersOf(text)].filter((each) => widthOf(each) > 0).join('');
        if (widthOf(expected) <= width) expect(shown.trimEnd()).to.equal(expected.trimEnd());
        else expect(expected.startsWith(shown.trimEnd())).to.equal(true);
      }),
    );
  });

  it('sends nothing for the same one, and few bytes for few changes', () => {
    const put = { row: 1, column: 2, text: 'Frankfurt', style: '' };
    expect(changesBetween(screenOf([put]), screenOf([put]))).to.equal('');
    expect(changesBetween(screenOf([put]), screenOf([{ ...put, text: 'Frankfort' }]))).to.equal(
      '\u001b[2;9Ho',
    );
    const styled = changesBetween(
      screenOf([put]),
      screenOf([put, { row: 0, column: 0, text: 'ab', style: '7' }]),
    );
    expect(styled).to.equal('\u001b[1;1H\u001b[0;7mab\u001b[0m');
  });

  it('begins anew where the size is another one', () => {
    expect(changesBetween(new Screen(3, 1), new Screen(2, 1))).to.equal('\u001b[0m\u001b[2J');
  });

  it('sends what runs from right to left as a whole, in a direction of its own', () => {
    const [before, after] = ['صقر 1', 'صقر 2'].map((text) =>
      screenOf([{ row: 0, column: 0, text, style: '' }]),
    );
    expect(changesBetween(before, after!)).to.equal('\u001b[1;1H\u2068صقر 2\u2069');
  });
});
