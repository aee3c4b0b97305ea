/**
 * The style of the columns, made of their records: the tracks of the table, and which columns a list of some width has.
 * Rows are grids of the same tracks, so that those that are drawn line up without those that are not. Lengths are in
 * rem: so larger type has fewer columns.
 */

import { CARDS_BELOW, COLUMNS, LIGHT_COLUMNS, type Column } from './columns.ts';

/** Between two columns, and at the ends of a row with its borders: as in server-table.css. */
const GAP = 0.625;
const ENDS = 1.375;
/** Likewise on a card, which reaches into the gutters of the page. */
const CARD_GAP = 0.5;
const CARD_ENDS = -0.5;
/** Before the text that begins a line of a card. */
const CARD_START = 0.5;

/** `columns`: those to be shown where there is room, in their order; the others are hidden at any width. */
export function columnsStyle(columns: readonly Column[]): string {
  const hidden = COLUMNS.filter((column) => !columns.includes(column)).map(({ name }) => hide(name));
  const screen = [
    tracksRule(columns),
    // Also in a light row, which has no cells before and between them.
    ...LIGHT_COLUMNS.map(({ name }) => `.row .${name} { grid-column-start: ${name}; }`),
    ...narrowerTables(columns),
    within(CARDS_BELOW, cardRules(columns)),
    ...narrowerCards(columns),
  ];
  const parts = [`@media screen {`, ...screen, `}`, `@media print {`, ...paperRules(columns), `}`];
  return [...hidden, ...parts, ''].join('\n');
}

/** Of a list whose table has these columns at their least. */
export function tableWidth(columns: readonly Column[]): number {
  return sum(columns.map(({ width }) => width.least)) + GAP * (columns.length - 1) + ENDS;
}

/** What goes first comes first. */
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
  // What the name leaves of its line is too little for what comes after the lock.
  const beside = columns.filter(({ name, card }) => name !== 'name' && card?.line === 1);
  const taken = sum([CARD_START, ...beside.map(({ card }) => card!.least + CARD_GAP)]);
  // A light row leaves its room free.
  const star = columns.find(({ name }) => name === 'favourite');
  return [
    ...rules,
    `.row .name { min-inline-size: calc(100% - ${taken}rem); }`,
    ...(star === undefined
      ? []
      : [`.row .name:first-child { margin-inline-start: ${star.card!.least}rem; }`]),
  ];
}

/** The second line, if there is one, loses what has a share of what is left over, and becomes two lines at last. */
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

/** A sheet of paper is as wide as it is: each column has its part of it. */
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

/** To a thousandth, as lengths and shares are written. */
function rounded(number: number): number {
  return Math.round(1000 * number) / 1000;
}
