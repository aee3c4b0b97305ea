/**
 * What the address of an embedded page says of its look. Anybody may write it: what means nothing is left out, and what
 * is kept is a word, a colour or a switch.
 */

export const LOOK_PARAMETERS = ['theme', 'accent', 'columns', 'search'] as const;

export interface EmbedLook {
  /** Undefined for that of the reader's system. */
  readonly theme: 'light' | 'dark' | undefined;
  /** `#rrggbb`; undefined for that of the operator. */
  readonly accent: string | undefined;
  /** Names of columns, which need not exist; undefined for all. */
  readonly columns: readonly string[] | undefined;
  /** Whether there is a field to search. */
  readonly hasSearch: boolean;
}

export const DEFAULT_LOOK: EmbedLook = {
  theme: undefined,
  accent: undefined,
  columns: undefined,
  hasSearch: true,
};

/** More names than there are columns. */
const MOST_COLUMNS = 20;
const COLUMN_NAME = /^[a-z]{1,20}$/;

/** `valueOf`: of a parameter, decoded; undefined if there is none, or an empty one. */
export function parseEmbedLook(
  valueOf: (name: (typeof LOOK_PARAMETERS)[number]) => string | undefined,
): EmbedLook {
  const theme = valueOf('theme');
  const columns = (valueOf('columns') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => COLUMN_NAME.test(name))
    .slice(0, MOST_COLUMNS);
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
    accent: colorOf(valueOf('accent') ?? ''),
    columns: columns.length === 0 ? undefined : columns,
    hasSearch: valueOf('search') !== '0',
  };
}

/** As parts of an address, with nothing in them to encode. */
export function lookParts({ theme, accent, columns, hasSearch }: EmbedLook): readonly string[] {
  return [
    ...(theme === undefined ? [] : [`theme=${theme}`]),
    ...(accent === undefined ? [] : [`accent=${accent.slice(1)}`]),
    ...(columns === undefined ? [] : [`columns=${columns.join(',')}`]),
    ...(hasSearch ? [] : ['search=0']),
  ];
}

/** Of three or six digits, with or without the sign before them, which an address has to escape. */
function colorOf(text: string): string | undefined {
  const [, short, long] = /^#?(?:([\da-f]{3})|([\da-f]{6}))$/i.exec(text) ?? [];
  const digits = long ?? short?.replaceAll(/./g, '$&$&');
  return digits === undefined ? undefined : `#${digits.toLowerCase()}`;
}
