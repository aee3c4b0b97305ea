/**
 * The order of game servers, as `GET /servers` has it: missing values last in both directions, texts by their UTF-16
 * units, and those with equal values in order of registration.
 */

import type { ListedServer as GameServer } from '../connection/messages.ts';
import { DEFAULT_SORT } from '../address/sort-order.ts';

/** What is compared. */
export interface Sortable {
  readonly server: GameServer;
  /** ms. */
  readonly registeredAt: number;
  /** Decides among those that were registered in the same ms: the later, the greater. */
  readonly arrival: number;
}

export type Compare = (a: Sortable, b: Sortable) => number;

type Value = string | number | undefined;

const MOST_FIELDS = 4;

const VALUES: ReadonlyMap<string, (server: GameServer) => Value> = new Map([
  ...(
    ['id', 'ip', 'host', 'name', 'map', 'mode', 'version', 'region', 'players', 'max_players'] as const
  ).map((name) => [name, (server: GameServer): Value => server[name]] as const),
  ['free', (server: GameServer): Value => Math.max(0, server.max_players - server.players)],
] as const);

const compareRegistration: Compare = (a, b) => a.registeredAt - b.registeredAt || a.arrival - b.arrival;

function compareBy(name: string, isDescending: boolean, further: Compare): Compare {
  if (name === 'registered_at')
    return isDescending ? (a, b) => compareRegistration(b, a) : compareRegistration;
  const valueOf = VALUES.get(name)!;
  const less = isDescending ? 1 : -1;
  return (a, b) => {
    const valueOfA = valueOf(a.server);
    const valueOfB = valueOf(b.server);
    if (valueOfA === valueOfB) return further(a, b);
    if (valueOfA === undefined) return 1;
    if (valueOfB === undefined) return -1;
    return valueOfA < valueOfB ? less : -less;
  };
}

/** Undefined for a text that is no order. */
function parseFields(sort: string): ReadonlyMap<string, boolean> | undefined {
  const isDescendingByName = new Map<string, boolean>();
  for (const each of sort.split(',')) {
    const isDescending = each.startsWith('-');
    const name = isDescending ? each.slice(1) : each;
    if (name !== 'registered_at' && !VALUES.has(name)) return undefined;
    if (!isDescendingByName.has(name)) isDescendingByName.set(name, isDescending);
  }
  return isDescendingByName.size > MOST_FIELDS ? undefined : isDescendingByName;
}

/** Reads the value of `sort`, decoded. '' means the order of the page, and so does a wrong one. */
export function parseOrder(sort: string): { readonly compare: Compare; readonly isWrong: boolean } {
  const fields = parseFields(sort === '' ? DEFAULT_SORT : sort);
  const used = fields ?? parseFields(DEFAULT_SORT)!;
  let compare = compareRegistration;
  for (const [name, isDescending] of [...used].toReversed()) compare = compareBy(name, isDescending, compare);
  return { compare, isWrong: fields === undefined };
}
