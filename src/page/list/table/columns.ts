/**
 * The columns of the list, in their order. The live table and the plain one, their heads, the cards of a narrow list,
 * print, and the style that chooses columns by width (columns-style.ts) are all made from these records.
 */

import type { ListedServer } from '../../../model/view/listed-server.ts';
import type { SortField } from '../../address/sort-order.ts';
import { addressOf } from '../../parts/connect.ts';
import type { Texts } from '../../texts/en.ts';

/** Lengths are in rem. */
export interface Width {
  readonly least: number;
  /** Its share of the free width; a column without one is never wider. */
  readonly share?: number;
}

export interface Column {
  readonly name: keyof Texts['columns'];
  /** Whether the head is for screen readers alone. */
  readonly isHeadHidden?: true;
  /** Undefined if the service does not sort by it. */
  readonly sortField?: SortField;
  /** The fields whose change is a change of the cell. */
  readonly fields: readonly (keyof ListedServer)[];
  /** The text of a cell that is nothing else; undefined if the server has none. */
  readonly text?: (server: ListedServer) => string | undefined;
  /** The width in the table. */
  readonly width: Width;
  /** The column with the greatest number is dropped first where room is short. Those with 0 always stay. */
  readonly priority: number;
  /** The width on a card, whose first line has the name. Undefined if a card does not have the column. */
  readonly card?: Width & { readonly line: 1 | 2 };
  /** Whether it is also rendered while rows pass by quickly. All other columns are not. */
  readonly isInLightRow?: true;
  /** Whether it is useless on paper. */
  readonly isForScreen?: true;
}

/** The width in rem below which a list shows cards instead of a table. The styles name it, too. */
export const CARDS_BELOW = 42;

/** How many tags fit; the details have them all. */
export const TAGS_SHOWN = 2;

/** The record of a column for a text field by which the service sorts. */
function ofText(
  name: 'map' | 'mode' | 'region' | 'version',
): Pick<Column, 'name' | 'sortField' | 'fields' | 'text'> {
  return { name, sortField: name, fields: [name], text: (server) => server[name] };
}

export const COLUMNS: readonly Column[] = [
  {
    name: 'favourite',
    isHeadHidden: true,
    fields: [],
    width: { least: 2.25 },
    priority: 0,
    card: { line: 1, least: 2.75 },
    isForScreen: true,
  },
  {
    name: 'name',
    sortField: 'name',
    fields: ['name'],
    width: { least: 10, share: 3 },
    priority: 0,
    card: { line: 1, least: 4, share: 1 },
    isInLightRow: true,
  },
  {
    name: 'players',
    sortField: 'players',
    fields: ['players', 'max_players'],
    width: { least: 8.5 },
    priority: 0,
    card: { line: 2, least: 8.5 },
    isInLightRow: true,
  },
  {
    ...ofText('map'),
    width: { least: 5.5, share: 1.3 },
    priority: 0,
    card: { line: 2, least: 3.5, share: 3 },
  },
  {
    ...ofText('mode'),
    width: { least: 4.5, share: 0.8 },
    priority: 3,
  },
  {
    ...ofText('region'),
    width: { least: 4, share: 0.6 },
    priority: 1,
    card: { line: 2, least: 2.5, share: 2 },
  },
  {
    ...ofText('version'),
    width: { least: 4.25, share: 0.6 },
    priority: 5,
  },
  { name: 'tags', fields: ['tags'], width: { least: 8, share: 1.4 }, priority: 4 },
  {
    name: 'password',
    isHeadHidden: true,
    fields: ['password'],
    width: { least: 1 },
    priority: 0,
    card: { line: 1, least: 1.5 },
  },
  {
    name: 'address',
    sortField: 'ip',
    fields: ['ip', 'port'],
    text: ({ ip, port }) => addressOf(ip, port),
    width: { least: 9.5, share: 1 },
    priority: 2,
  },
  {
    name: 'actions',
    isHeadHidden: true,
    fields: [],
    width: { least: 9.5 },
    priority: 0,
    card: { line: 2, least: 5.5 },
    isForScreen: true,
  },
];

/** The columns of a row that passes by quickly. */
export const LIGHT_COLUMNS = COLUMNS.filter(({ isInLightRow }) => isInLightRow);
