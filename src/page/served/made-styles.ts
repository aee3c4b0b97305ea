/**
 * Styles that the service makes of a few words: of a colour, and of the names of columns. Their names have these words,
 * so that each replica makes the same file of a name, and keeps none for the addresses of strangers. A name also has
 * the hash of what is in the file, so that another release does not answer with another file.
 */

import { hashedName, type ServedFile } from '../../api/http/served-files.ts';
import { COLUMNS, type Column } from '../list/table/columns.ts';
import { columnsStyle } from '../list/table/columns-style.ts';
import { accentStyle } from './accent.ts';
import type { PageAddress } from './page-address.ts';

interface MadeStyle extends ServedFile {
  readonly name: string;
}

const NAME = /^(?:accent-(?<color>[\da-f]{6})|columns-(?<columns>[a-z.]+))-[\w-]{12}\.css$/;

/** `color`: `#rrggbb`. */
export function accentFile(color: string): MadeStyle {
  return fileOf(`accent-${color.slice(1)}`, accentStyle(color));
}

export function columnsFile(columns: readonly Column[]): MadeStyle {
  return fileOf(`columns-${columns.map(({ name }) => name).join('.')}`, columnsStyle(columns));
}

/** Undefined for what is no name of such a file. */
export function madeFile(name: string): MadeStyle | undefined {
  const { color, columns } = NAME.exec(name)?.groups ?? {};
  const names = columns?.split('.');
  const made =
    color !== undefined
      ? accentFile(`#${color}`)
      : names && columnsFile(COLUMNS.filter((column) => names.includes(column.name)));
  return made?.name === name ? made : undefined;
}

/** An embedded page has no stars, since favourites cannot be seen there. A row is of no use without its name. */
export function shownColumns({ isEmbedded, look }: PageAddress): readonly Column[] {
  if (!isEmbedded) return COLUMNS;
  const named = COLUMNS.filter(({ name }) => look.columns?.includes(name));
  const wanted = named.length === 0 ? COLUMNS : named;
  return COLUMNS.filter(
    (column) => column.name === 'name' || (column.name !== 'favourite' && wanted.includes(column)),
  );
}

function fileOf(words: string, style: string): MadeStyle {
  const bytes = Buffer.from(style);
  return {
    name: hashedName(words, 'css', bytes),
    bytes,
    headers: { 'Content-Type': 'text/css; charset=utf-8' },
  };
}
