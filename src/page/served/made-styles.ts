/**
 * Styles that the service makes from a few words: from a colour, and from names of columns. The words are in the file
 * names, so that each replica makes the same file for a name, and stores none for the addresses of strangers. A name
 * also has the hash of the content, so that another release does not answer with another file.
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

/** Undefined for any other file name. */
export function madeFile(name: string): MadeStyle | undefined {
  const { color, columns } = NAME.exec(name)?.groups ?? {};
  const names = columns?.split('.');
  const made =
    color !== undefined
      ? accentFile(`#${color}`)
      : names && columnsFile(COLUMNS.filter((column) => names.includes(column.name)));
  return made?.name === name ? made : undefined;
}

/** The columns of the page. An embedded page shows no favourites, and so no stars. The name is always there. */
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
