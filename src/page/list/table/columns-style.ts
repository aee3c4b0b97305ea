/**
 * The style of the columns, made from their records: the tracks of the table, and which columns a list of some width
 * has. Rows are grids of the same tracks, so that rendered rows line up without the others. Lengths are in rem, so that
 * larger type has fewer columns.
 */

import { CARDS_BELOW, COLUMNS, LIGHT_COLUMNS, type Column } from './columns.ts';

/** The gap between two columns, and the ends of a row with its borders, as in server-table.css. */
const GAP = 0.625;
const ENDS = 1.375;
/** The same on a card, which reaches into the gutters of the page. */
const CARD_GAP = 0.5;
const CARD_ENDS = -0.5;
/** The space before the text that begins a line of a card. */
const CARD_START = 0.5;

/** `columns`: those to show where there is room, in their order. The others are hidden at any width. */
export function columnsStyle(columns: readonly Column[]): string {
  const hidden = COLUMNS.filter((column) => !columns.includes(column)).map(({ name }) => hide(name));
  const screen = [
    tracksRule(columns),
    // The start is also set in a light row, which has no cells before and between them.
    ...LIGHT_COLUMNS.map(({ name }) => `.row .${name} { grid-column-start: ${name}; }`),
    ...narrowerTables(columns),
    within(CARDS_BELOW, cardRules(columns)),
    ...narrowerCards(columns),
  ];
  const parts = [`@media screen {`, ...screen, `}`, `@media print {`, ...paperRules(columns), `}`];
  return [...hidden, ...parts, ''].join('\n');
}

/** The width of a list whose table has these columns at their least widths. */
export function tableWidth(columns: readonly Column[]): number {
  return sum(columns.map(({ width }) => width.least)) + GAP * (columns.length - 1) + ENDS;
}

/** The columns in the order in which they are dropped. */
function byPriority(columns: readonly Column[]): readonly Column[] {
  return columns.toSorted((one, other) => other.priority - one.priority);
}

function narrowerTables(columns: readonly Column[]): readonly string[] {
  let shown = columns;
  return byPriority(columns.filter(({ priority }) => priority > 0)).map((column) => {
    const width = tableWidth(shown);
    shown = shown.filter((each) => each !== column);
    return within(width, [tracksRule(shown), hide(column.name)]);
  });
}

function tracksRule(columns: readonly Column[]): string {
  return `.servers { --columns: ${columns.map(trackOf).join(' ')}; }`;
}

function trackOf({ name, isInLightRow, width: { least, share } }: Column): string {
  const size = share === undefined ? `${least}rem` : `minmax(${least}rem, ${share}fr)`;
  return isInLightRow ? `[${name}] ${size}` : size;
}

function cardRules(columns: readonly Column[]): readonly string[] {
  const first = [1, 2].map((line) => columns.find(({ card }) => card?.line === line));
  const rules = columns.flatMap((column) => {
    const { name, isHeadHidden, card } = column;
    if (card === undefined) return [hide(name)];
    const { line, least, share = 0 } = card;
    return [
      `.row .${name} { order: ${line}; flex: ${share} 0 ${least}rem; }`,
      // Buttons and pictures have room of their own.
      ...(isHeadHidden
        ? [`.servers tr > th.${name} { display: none; }`]
        : first.includes(column)
          ? [`.row .${name} { margin-inline-start: ${CARD_START}rem; }`]
          : []),
    ];
  });
  // The name leaves too little of its line for the columns behind the lock.
  const beside = columns.filter(({ name, card }) => name !== 'name' && card?.line === 1);
  const taken = sum([CARD_START, ...beside.map(({ card }) => card!.least + CARD_GAP)]);
  // A light row has no star, but leaves room for it.
  const star = columns.find(({ name }) => name === 'favourite');
  return [
    ...rules,
    `.row .name { min-inline-size: calc(100% - ${taken}rem); }`,
    ...(star === undefined
      ? []
      : [`.row .name:first-child { margin-inline-start: ${star.card!.least}rem; }`]),
  ];
}

/** A second line loses the columns that have a share of the free width, and finally becomes two lines. */
function narrowerCards(columns: readonly Column[]): readonly string[] {
  let shown = columns.filter(({ card }) => card?.line === 2);
  if (shown.length === 0) return [within(CARDS_BELOW, ['.servers { --row-height: 2.75rem; }'])];
  const width = (): number =>
    sum(shown.map(({ card }) => card!.least)) + CARD_GAP * (shown.length - 1) + CARD_ENDS;
  const losses = byPriority(shown.filter(({ card }) => card!.share !== undefined)).map((column) => {
    const rule = within(width(), [hide(column.name)]);
    shown = shown.filter((each) => each !== column);
    return rule;
  });
  return [...losses, within(width(), ['.servers { --row-height: 8.25rem; }'])];
}

/** The columns on paper: the sheet has a fixed width, of which each column gets a part. */
function paperRules(columns: readonly Column[]): readonly string[] {
  const whole = sum(columns.map(({ isForScreen, width }) => (isForScreen ? 0 : width.least)));
  return columns.map(({ name, isForScreen, width }) =>
    isForScreen
      ? hide(name)
      : `.servers th.${name} { inline-size: ${rounded((100 * width.least) / whole)}%; }`,
  );
}

function within(width: number, rules: readonly string[]): string {
  return `@container list (width < ${width}rem) {\n${rules.join('\n')}\n}`;
}

function hide(name: string): string {
  return `.servers tr > .${name} { display: none; }`;
}

function sum(numbers: readonly number[]): number {
  return rounded(numbers.reduce((total, number) => total + number, 0));
}

/** Rounded to a thousandth, as lengths and shares are written. */
function rounded(number: number): number {
  return Math.round(1000 * number) / 1000;
}
