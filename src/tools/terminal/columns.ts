/** The columns of a list: what each shows of a game server. */

import type { ListedServer } from '../../model/view/listed-server.ts';
import { detailsOf } from '../../model/fields/detail-fields.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { shownText } from './shown-text.ts';

export type ColumnValue = string | number | boolean | undefined;

export interface TerminalColumn {
  /** As it is asked for. */
  readonly name: string;
  readonly align: 'left' | 'right';
  /** The value. Undefined if the game server has not sent it. Texts may hold anything. */
  readonly valueOf: (server: ListedServer) => ColumnValue;
}

const NUMBERS: readonly string[] = ['players', 'max_players', 'free', 'port', 'near_ms'];

/** The details that one value shows. */
export const SHOWN_DETAILS = detailsOf('text', 'boolean');

const VALUES: Readonly<Record<string, TerminalColumn['valueOf']>> = {
  name: ({ name }) => name,
  players: ({ players }) => players,
  max_players: (server) => server.max_players,
  free: ({ players, max_players: most }) => Math.max(0, most - players),
  ...Object.fromEntries(SHOWN_DETAILS.map((name) => [name, (server: ListedServer) => server[name]])),
  tags: ({ tags }) => tags?.join(', '),
  address: ({ ip, port }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`),
  host: ({ host }) => host,
  ip: ({ ip }) => ip,
  port: ({ port }) => port,
  protocol: ({ protocol }) => protocol,
  game: ({ game }) => game,
  near_ms: (server) => server.near_ms,
  id: ({ id }) => id,
  registered_at: (server) => server.registered_at,
};

export const COLUMN_NAMES: readonly string[] = Object.keys(VALUES);

const META = 'meta.';

/** Undefined if there is none of this name. */
function columnOf(name: string): TerminalColumn | undefined {
  if (name.startsWith(META) && name.length > META.length) {
    const key = name.slice(META.length);
    return { name, align: 'left', valueOf: ({ meta }) => metaValue(meta, key) };
  }
  if (!Object.hasOwn(VALUES, name)) return undefined;
  return { name, align: NUMBERS.includes(name) ? 'right' : 'left', valueOf: VALUES[name]! };
}

/** Renders an object or a list as JSON. */
function metaValue(meta: ListedServer['meta'], key: string): ColumnValue {
  if (meta === undefined || !Object.hasOwn(meta, key)) return undefined;
  const value = meta[key];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : JSON.stringify(value);
}

/** `text`: names, separated by commas. A string is what is wrong with it, in words that follow `--columns`. */
export function parseColumns(text: string): readonly TerminalColumn[] | string {
  const columns: TerminalColumn[] = [];
  for (const name of text.split(',').map((each) => each.trim())) {
    const column = columnOf(name);
    if (column === undefined) {
      const guess = didYouMean(name, COLUMN_NAMES);
      return name === ''
        ? 'has a column without a name'
        : `has no column "${name}"${guess === '' ? `: there are ${COLUMN_NAMES.join(', ')} and meta.<key>` : guess}`;
    }
    if (!columns.some((each) => each.name === name)) columns.push(column);
  }
  return columns;
}

/** Whether the service tells what they show only if it is asked for it. */
export function needMeta(columns: readonly TerminalColumn[]): boolean {
  return columns.some(({ name }) => name.startsWith(META));
}

/** The text of a cell for people. `players` stands with the most there may be, unless those have a column. */
export function cellOf(
  column: TerminalColumn,
  columns: readonly TerminalColumn[],
  server: ListedServer,
): string {
  const value = column.valueOf(server);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (column.name === 'players' && !columns.some(({ name }) => name === 'max_players'))
    return `${value}/${server.max_players}`;
  return value === undefined ? '' : String(value);
}

/** The columns of a table for people. */
export const TABLE_COLUMNS = parseColumns(
  'name,players,map,mode,region,address',
) as readonly TerminalColumn[];
/** The columns of lines for programs. */
export const LINE_COLUMNS = parseColumns(
  'name,players,max_players,map,mode,region,address',
) as readonly TerminalColumn[];

/** What is shown beside them of a list that begins with the nearest. */
export const NEAR_COLUMNS = parseColumns('near_ms') as readonly TerminalColumn[];

const FORMULA = /^[=+\-@\t\r]/;

/**
 * A list as comma-separated values (RFC 4180), with a head. A text that a spreadsheet would take for a formula has an
 * apostrophe before it, which spreadsheets do not show.
 */
export function csvLines(columns: readonly TerminalColumn[], servers: readonly ListedServer[]): string[] {
  const head = columns.map(({ name }) => name);
  return [head, ...servers.map((server) => columns.map(({ valueOf }) => valueOf(server)))].map((values) =>
    values.map(field).join(','),
  );
}

function field(value: ColumnValue): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const text = shownText(FORMULA.test(value) ? `'${value}` : value);
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
