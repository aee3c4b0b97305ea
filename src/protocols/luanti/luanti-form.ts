/** The list of Luanti as a mirror joins it. */

import { isRecord } from '../../model/json.ts';
import { documentOf } from '../json-document.ts';
import type { ListedNatively, NativeForm } from '../native-form.ts';
import { areOfEntry } from './list-entry.ts';

export const LUANTI_FORM: NativeForm = {
  path: '/luanti/list',
  member: 'list',
  read(value) {
    const text = isRecord(value) && areOfEntry(value) ? documentOf(value) : undefined;
    if (text === undefined) return undefined;
    const { address, port, clients } = value as { address: string; port: number; clients: number };
    return { text, addresses: [`${address} ${port}`], players: clients };
  },
  frame: frameOf,
};

/** The texts before and behind the entries. */
export function frameOf(
  entries: readonly Pick<ListedNatively, 'players'>[],
): readonly [before: string, behind: string] {
  const clients = entries.reduce((sum, { players }) => sum + players, 0);
  const total = JSON.stringify({ servers: entries.length, clients });
  return [`{"total":${total},"total_max":${total},"list":[`, ']}'];
}
