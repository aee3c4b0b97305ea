/** The list of Luanti as a mirror joins it. */

import { isRecord } from '../../model/json.ts';
import { documentOf } from '../json-document.ts';
import type { ListedNatively, NativeForm } from '../native-form.ts';
import { areOfEntry } from './list-entry.ts';

export const LUANTI_FORM: NativeForm = {
  path: '/luanti/list',
  member: 'list',
  read(value) {
    const { geo_continent: continent, ...entry } = isRecord(value) ? value : {};
    const document = areOfEntry(entry) ? documentOf(entry) : undefined;
    if (document === undefined) return undefined;
    const { address, port, clients } = entry as { address: string; port: number; clients: number };
    return { text: withContinent(document, continent), addresses: [`${address} ${port}`], players: clients };
  },
  frame: frameOf,
};

/** The continents that clients know: another one stops them with an error. */
export const CONTINENTS: ReadonlySet<unknown> = new Set(['AF', 'AS', 'EU', 'NA', 'OC', 'SA']);

/** The document of an entry as it is listed: with its continent, if clients know that. */
export function withContinent(document: string, continent: unknown): string {
  if (!CONTINENTS.has(continent)) return document;
  return `${document.slice(0, -1)},"geo_continent":${JSON.stringify(continent)}}`;
}

/** The texts before and behind the entries. */
export function frameOf(
  entries: readonly Pick<ListedNatively, 'players'>[],
): readonly [before: string, behind: string] {
  const clients = entries.reduce((sum, { players }) => sum + players, 0);
  const total = JSON.stringify({ servers: entries.length, clients });
  return [`{"total":${total},"total_max":${total},"list":[`, ']}'];
}
