/**
 * The columns of the list, in their order. The live table and the plain one, their heads, the cards of a narrow list,
 * print, and the style that says which of them are there (columns-style.ts) are made of these records.
 */

import type { ListedServer } from '../../../model/view/listed-server.ts';
import type { SortField } from '../../address/sort-order.ts';
import { addressOf } from '../../parts/connect.ts';
import type { Texts } from '../../texts/en.ts';

/** Lengths are in rem. */
export interface Width {
  readonly least: number;
  /** Its part of what is left over; without one it is never wider. */
  readonly share?: number;
}

export interface Column {
  readonly name: keyof Texts['columns'];
  /** Its head is for screen readers alone. */
  readonly isHeadHidden?: true;
  /** Undefined: the service does not sort by it. */
  readonly sortField?: SortField;
  /** A change of one of them is a change of its cell. */
  readonly fields: readonly (keyof ListedServer)[];
  /** Of a cell that is a text and nothing else; undefined where the server does not say it. */
  readonly text?: (server: ListedServer) => string | undefined;
  /** In the table. */
  readonly width: Width;
  /** Where room is short, the one with the greatest goes first. Those of 0 are always there. */
  readonly priority: number;
  /** On a card, whose first line has the name. Undefined: a card does not have it. */
  readonly card?: Width & { readonly line: 1 | 2 };
  /** It is drawn also while rows pass by quickly, and then alone. */
  readonly isInLightRow?: true;
  /** Of no use on paper. */
  readonly isForScreen?: true;
}

/** A list that is narrower shows cards in place of a table, in rem. The styles name it, too. */
export const CARDS_BELOW = 42;

/** More than these do not fit; the details have them all. */
export const TAGS_SHOWN = 2;

/** What makes a column of a text that servers say, by which the service sorts. */
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

/** Those of a row that passes by quickly. */
export const LIGHT_COLUMNS = COLUMNS.filter(({ isInLightRow }) => isInLightRow);
