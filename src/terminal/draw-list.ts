/** A watched list as a screen, whatever its size. */

import type { ListedRow } from '../client/listed-row.ts';
import type { ListedServer } from '../client/listed-server.ts';
import { cellOf, type Column } from './columns.ts';
import { cut } from './fit.ts';
import { Screen } from './screen.ts';
import { shownText } from './shown-text.ts';
import { widthsWithin } from './table.ts';
import { widthOf } from './widths.ts';
import type { WatchedRows } from './watched-list.ts';

export interface ListLook {
  readonly columns: readonly Column[];
  /** Of the terminal. */
  readonly size: { readonly columns: number; readonly rows: number };
  readonly isColorful: boolean;
}

export interface ListTexts {
  /** What is watched. */
  readonly title: string;
  /** How it stands to the service; `isGood`: the list is current. */
  readonly state: string;
  readonly isGood: boolean;
  /** What the list comes to, and how it is ordered. */
  readonly counts: string;
  /** The keys, or what is typed. */
  readonly foot: string;
}

const BOLD = '1';
const DIM = '2';
const REVERSE = '7';
const GREEN = '32';
const RED = '31';
const YELLOW = '33';

/** Before the columns: a sign of what has changed, and a space. */
const MARGIN = 2;
const GAP = 2;
/** What the columns take where there is room for all. */
const WIDTHS: Readonly<Record<string, number>> = {
  name: 28,
  players: 9,
  map: 16,
  mode: 10,
  region: 6,
  address: 21,
  tags: 20,
};
const USUAL_WIDTH = 12;

/** How many rows of the list there is room for: at least one. */
export function roomFor(rows: number): number {
  return Math.max(1, rows - linesAround(rows).length);
}

/** The lines above and below the list, by what is left out first where there are few. */
function linesAround(rows: number): readonly ('title' | 'counts' | 'head' | 'foot')[] {
  return (['title', 'foot', 'counts', 'head'] as const).slice(0, Math.max(0, rows - 1));
}

export function drawList(view: WatchedRows, texts: ListTexts, look: ListLook): Screen {
  const { columns: width, rows: height } = look.size;
  const screen = new Screen(width, height);
  const around = linesAround(height);
  const color = (style: string): string => (look.isColorful ? style : '');
  let row = 0;
  if (around.includes('title')) {
    const state = cut(texts.state, Math.max(0, width - 8));
    const beside = width - widthOf(state) - GAP;
    screen.put(row, 0, cut(texts.title, Math.max(0, beside)), BOLD);
    screen.put(row, Math.max(0, width - widthOf(state)), state, color(texts.isGood ? GREEN : RED));
    row += 1;
  }
  if (around.includes('counts')) {
    screen.put(row, 0, cut(texts.counts, width));
    row += 1;
  }
  const widths = widthsOf(look.columns, width - MARGIN);
  if (around.includes('head')) {
    const head = look.columns.map(({ name }) => shownText(name.toUpperCase()));
    screen.put(row, 0, ' '.repeat(width), REVERSE);
    putCells(screen, row, head, { columns: look.columns, widths, styles: head.map(() => REVERSE) });
    row += 1;
  }
  for (const [index, each] of view.rows.entries()) {
    const isChosen = index === view.chosen;
    drawRow(screen, row + index, each, { ...look, widths, isChosen });
  }
  if (around.includes('foot')) screen.put(height - 1, 0, cut(texts.foot, width), DIM);
  return screen;
}

interface RowLook extends ListLook {
  readonly widths: readonly number[];
  readonly isChosen: boolean;
}

function drawRow(screen: Screen, row: number, listed: ListedRow, look: RowLook): void {
  const { server, changed, isNew, isGone } = listed;
  const { columns, widths, isChosen, isColorful } = look;
  const also = isChosen ? `;${REVERSE}` : '';
  if (isChosen) screen.put(row, 0, ' '.repeat(screen.columns), REVERSE);
  const sign = isGone ? '-' : isNew ? '+' : changed.length > 0 ? '~' : ' ';
  const plain = isGone ? DIM : isNew ? (isColorful ? GREEN : BOLD) : '0';
  screen.put(row, 0, sign, plain + also);
  const fresh = isColorful ? `${BOLD};${YELLOW}` : BOLD;
  const styles = columns.map(({ name }) => (showsOneOf(name, changed) ? fresh : plain) + also);
  const texts = columns.map((each) => shownText(cellOf(each, columns, server)));
  putCells(screen, row, texts, {
    columns,
    widths,
    styles: styles.map((style) => (style === '0' ? '' : style)),
  });
}

/** Whether a column shows a field that has changed. */
function showsOneOf(name: string, changed: readonly (keyof ListedServer)[]): boolean {
  return changed.some(
    (field) =>
      field === name ||
      (name === 'address' && (field === 'ip' || field === 'port')) ||
      (field === 'max_players' && (name === 'players' || name === 'free')) ||
      (field === 'players' && name === 'free') ||
      (field === 'meta' && name.startsWith('meta.')),
  );
}

interface CellsLook {
  readonly columns: readonly Column[];
  readonly widths: readonly number[];
  readonly styles: readonly string[];
}

function putCells(
  screen: Screen,
  row: number,
  texts: readonly string[],
  { columns, widths, styles }: CellsLook,
): void {
  let at = MARGIN;
  for (const [index, text] of texts.entries()) {
    const width = widths[index]!;
    if (width === 0) continue;
    const shown = cut(text, width);
    const place = columns[index]!.align === 'left' ? at : at + width - widthOf(shown);
    screen.put(row, place, shown, styles[index]);
    at += width + GAP;
  }
}

/** The name takes what the others leave. */
function widthsOf(columns: readonly Column[], room: number): readonly number[] {
  const wanted = columns.map(({ name }) => Math.max(WIDTHS[name] ?? USUAL_WIDTH, name.length));
  const inAll = wanted.reduce((sum, width) => sum + width, 0) + GAP * (columns.length - 1);
  const name = columns.findIndex((each) => each.name === 'name');
  if (name !== -1 && inAll < room) wanted[name]! += room - inAll;
  return widthsWithin(columns, wanted, Math.max(1, room));
}

/** The lines of one server: each a field and what it says. */
export function detailLines(server: ListedServer): readonly (readonly [field: string, text: string])[] {
  const { meta = {}, ...fields } = server;
  const lines = [
    ...Object.entries(fields),
    ...Object.entries(meta).map(([key, value]) => [`meta.${key}`, value] as const),
  ];
  return lines.map(([field, value]) => [
    shownText(field),
    shownText(
      Array.isArray(value) && value.every((each) => typeof each === 'string')
        ? value.join(', ')
        : textOf(value),
    ),
  ]);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export interface DetailsTexts {
  readonly title: string;
  readonly lines: readonly (readonly [field: string, text: string])[];
  /** How many of the lines are above the screen. */
  readonly above: number;
  readonly foot: string;
}

export function drawDetails({ title, lines, above, foot }: DetailsTexts, { size }: ListLook): Screen {
  const { columns: width, rows: height } = size;
  const screen = new Screen(width, height);
  const around = linesAround(height);
  let row = 0;
  if (around.includes('title')) {
    screen.put(row, 0, cut(title, width), BOLD);
    row += 1;
  }
  const end = around.includes('foot') ? height - 1 : height;
  const beside = Math.min(
    Math.floor(width / 3),
    Math.max(0, ...lines.map(([field]) => widthOf(field))) + GAP,
  );
  for (const [field, text] of lines.slice(above)) {
    if (row >= end) break;
    screen.put(row, 0, cut(field, Math.max(0, beside - 1)), DIM);
    screen.put(row, beside, cut(text, Math.max(0, width - beside)));
    row += 1;
  }
  if (around.includes('foot')) screen.put(height - 1, 0, cut(foot, width), DIM);
  return screen;
}
