/**
 * The look of an embedded page, as its address asks for it. Anybody may write the address: parameters without a meaning
 * are ignored, and each value that is kept is a word, a colour or a switch.
 */

export const LOOK_PARAMETERS = ['theme', 'accent', 'columns', 'search'] as const;

export interface EmbedLook {
  /** Undefined for the theme of the reader's system. */
  readonly theme: 'light' | 'dark' | undefined;
  /** `#rrggbb`; undefined for the operator's accent. */
  readonly accent: string | undefined;
  /** Names of columns, which need not exist; undefined for all columns. */
  readonly columns: readonly string[] | undefined;
  /** Whether there is a search field. */
  readonly hasSearch: boolean;
}

export const DEFAULT_LOOK: EmbedLook = {
  theme: undefined,
  accent: undefined,
  columns: undefined,
  hasSearch: true,
};

/** A limit above the number of columns. */
const MOST_COLUMNS = 20;
const COLUMN_NAME = /^[a-z]{1,20}$/;

/** `valueOf`: the decoded value of a parameter; undefined if it is absent or empty. */
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

/** The look as parts of an address, in which nothing needs encoding. */
export function lookParts({ theme, accent, columns, hasSearch }: EmbedLook): readonly string[] {
  return [
    ...(theme === undefined ? [] : [`theme=${theme}`]),
    ...(accent === undefined ? [] : [`accent=${accent.slice(1)}`]),
    ...(columns === undefined ? [] : [`columns=${columns.join(',')}`]),
    ...(hasSearch ? [] : ['search=0']),
  ];
}

/** A colour of three or six digits, with or without the # before them, which an address must escape. */
function colorOf(text: string): string | undefined {
  const [, short, long] = /^#?(?:([\da-f]{3})|([\da-f]{6}))$/i.exec(text) ?? [];
  const digits = long ?? short?.replaceAll(/./g, '$&$&');
  return digits === undefined ? undefined : `#${digits.toLowerCase()}`;
}
