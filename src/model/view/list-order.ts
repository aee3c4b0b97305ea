/** The order of a list, as `sort` of `GET /servers` defines it: equal values come in order of registration. */

import { createFields } from '../query/fields.ts';
import { comparatorOf, createSortables, type Compare, type SortKey } from '../query/sort.ts';
import type { ListedServer } from './listed-server.ts';

/** The fields of a game server in the form that the service sends. */
export const FIELDS = createFields<{ readonly server: ListedServer }>({
  id: ({ server }) => server.id,
  ip: ({ server }) => server.ip,
  host: ({ server }) => server.host,
  name: ({ server }) => server.name,
  players: ({ server }) => server.players,
  maxPlayers: ({ server }) => server.max_players,
  details: ({ server }) => server,
  labels: ({ server }) => server.labels,
});

/** An entry as it is compared. */
export interface Arranged {
  readonly server: ListedServer;
  /** ms. */
  readonly registeredAt: number;
  /** The order among those that were registered in the same ms: a later one has a greater number. */
  readonly arrival: number;
}

export const SORTABLES = createSortables<Arranged>(FIELDS, ({ registeredAt }) => registeredAt);

const compareRegistration: Compare<Arranged> = (a, b) =>
  a.registeredAt - b.registeredAt || a.arrival - b.arrival;

/** No two entries are registered at once, so that fields behind `registered_at` are never compared. */
export function compareBy(fields: readonly SortKey<Arranged>[]): Compare<Arranged> {
  const at = fields.findIndex(({ name }) => name === 'registered_at');
  if (at === -1) return comparatorOf(fields, compareRegistration);
  return comparatorOf(
    fields.slice(0, at),
    fields[at]!.isDescending ? (a, b) => compareRegistration(b, a) : compareRegistration,
  );
}
