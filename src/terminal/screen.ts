/** A screen of a terminal as cells, and what to send a terminal that shows one for it to show another. */

import { isolated, isRightToLeft } from './shown-text.ts';
import { charactersOf, widthOf } from './widths.ts';

/** What stands in one column, or in several. */
interface Cell {
  readonly text: string;
  readonly width: number;
  /** Parameters of SGR (ECMA-48), such as `1;33`; '' for none. */
  readonly style: string;
}

const BLANK: Cell = { text: ' ', width: 1, style: '' };
const PRINTABLE_ASCII = /^[ -~]$/;

export class Screen {
  readonly columns: number;
  readonly rows: number;
  /** Undefined behind a cell of several columns. */
  readonly #cells: (Cell | undefined)[][];

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
    this.#cells = Array.from({ length: rows }, () => Array.from({ length: columns }, () => BLANK));
  }

  /**
   * Puts a text without control characters there, as far as there is room. What runs from right to left is one cell: a
   * terminal may turn it round as a whole alone.
   */
  put(row: number, column: number, text: string, style = ''): void {
    if (row < 0 || row >= this.rows) return;
    let at = column;
    const parts = isRightToLeft(text) ? [text] : charactersOf(text);
    for (const part of parts) {
      const width = widthOf(part);
      if (at + width > this.columns) return;
      // A mark that belongs to nothing takes no column.
      if (width === 0) continue;
      this.#set(row, at, { text: isolated(part), width, style });
      at += width;
    }
  }

  cellAt(row: number, column: number): Cell | undefined {
    return this.#cells[row]![column];
  }

  #set(row: number, column: number, cell: Cell): void {
    const cells = this.#cells[row]!;
    this.#free(cells, column);
    for (let behind = column + 1; behind < column + cell.width; behind += 1) this.#free(cells, behind);
    cells[column] = cell;
    for (let behind = column + 1; behind < column + cell.width; behind += 1) cells[behind] = undefined;
  }

  /** A cell of several columns that loses one of them is no more. */
  #free(cells: (Cell | undefined)[], column: number): void {
    let start = column;
    while (cells[start] === undefined) start -= 1;
    const { width } = cells[start]!;
    for (let each = start; each < start + width; each += 1) cells[each] = BLANK;
  }
}

const CLEAR = '\u001b[0m\u001b[2J';

/**
 * The bytes for a terminal that shows `before`: the cells that differ, and no others. Undefined: what it shows is not
 * known. The terminal does not wrap lines (DECAWM).
 */
export function changesBetween(before: Screen | undefined, after: Screen): string {
  const isKnown = before?.columns === after.columns && before.rows === after.rows;
  const parts: string[] = isKnown ? [] : [CLEAR];
  const shown = isKnown ? before : new Screen(after.columns, after.rows);
  let style = '';
  /** Where the cursor is for certain; undefined where terminals may differ. */
  let cursor: number | undefined;
  for (let row = 0; row < after.rows; row += 1) {
    cursor = undefined;
    for (let column = 0; column < after.columns; column += 1) {
      const cell = after.cellAt(row, column);
      if (cell === undefined || isSame(shown.cellAt(row, column), cell)) continue;
      if (cursor !== column) parts.push(`\u001b[${row + 1};${column + 1}H`);
      if (cell.style !== style) parts.push(cell.style === '' ? '\u001b[0m' : `\u001b[0;${cell.style}m`);
      style = cell.style;
      parts.push(cell.text);
      // Terminals do not agree on how wide all characters are.
      cursor = PRINTABLE_ASCII.test(cell.text) ? column + 1 : undefined;
    }
  }
  if (style !== '') parts.push('\u001b[0m');
  return parts.join('');
}

function isSame(a: Cell | undefined, b: Cell): boolean {
  return a === b || (a?.text === b.text && a.style === b.style && a.width === b.width);
}
