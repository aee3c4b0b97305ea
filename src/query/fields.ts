/** What can be asked of an entry, and by what entries can be sorted. Undefined is what an entry does not say. */

import type { ListedGameServer } from '../registry/game-server.ts';

type Fields<T> = Readonly<Record<string, (row: ListedGameServer) => T>>;

export const TEXT_FIELDS: Fields<string | undefined> = {
  id: (row) => row.id,
  ip: (row) => row.ip,
  host: (row) => row.host,
  name: (row) => row.name,
  map: (row) => row.details.fields.map,
  mode: (row) => row.details.fields.mode,
  version: (row) => row.details.fields.version,
  region: (row) => row.details.fields.region,
};

export const NUMBER_FIELDS: Fields<number> = {
  players: (row) => row.players,
  max_players: (row) => row.maxPlayers,
  // Some game servers have more players than they say they take.
  free: ({ players, maxPlayers }) => Math.max(0, maxPlayers - players),
};

export const BOOLEAN_FIELDS = {
  password: (row) => row.details.fields.password,
  full: ({ players, maxPlayers }) => players >= maxPlayers,
  empty: ({ players }) => players === 0,
} as const satisfies Fields<boolean | undefined>;
