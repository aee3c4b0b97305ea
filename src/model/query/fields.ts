/**
 * The fields by which entries can be filtered and sorted. The service and the page keep entries in different forms, and
 * each defines once how its form is read.
 */

import type { DetailFields, DetailNameOf } from '../fields/detail-fields.ts';

/** The functions that read an entry in one of its forms. */
export interface RowReader<Row> {
  readonly id: (row: Row) => string;
  /** The IP in canonical form (parseIp). */
  readonly ip: (row: Row) => string;
  readonly host: (row: Row) => string;
  readonly name: (row: Row) => string;
  readonly players: (row: Row) => number;
  readonly maxPlayers: (row: Row) => number;
  readonly details: (row: Row) => Omit<DetailFields, 'meta'>;
  readonly labels: (row: Row) => readonly string[] | undefined;
}

/** The values of fields by kind. */
interface Values {
  readonly text: string;
  /** A filter holds for a list of texts if it holds for one of them. */
  readonly texts: readonly string[];
  readonly number: number;
  readonly boolean: boolean;
}

export type FieldKind = keyof Values;

type Named<Name extends string, Row, Value> = Readonly<Record<Name, (row: Row) => Value | undefined>>;

/** The readers of fields, by kind and name; undefined if an entry lacks the field. All details are among them. */
export type QueryFields<Row> = {
  readonly [Kind in FieldKind]: Named<string, Row, Values[Kind]> &
    Named<DetailNameOf<Kind>, Row, Values[Kind]>;
};

/** All fields, in the order in which the API describes them. */
export function createFields<Row>(reader: RowReader<Row>): QueryFields<Row> {
  const { id, ip, host, name, players, maxPlayers, details, labels } = reader;
  return {
    text: {
      id,
      ip,
      host,
      name,
      map: (row) => details(row).map,
      mode: (row) => details(row).mode,
      version: (row) => details(row).version,
      region: (row) => details(row).region,
      country: (row) => details(row).country,
      protocol: (row) => details(row).protocol,
      game: (row) => details(row).game,
      origin: (row) => details(row).origin,
    },
    texts: { tags: (row) => details(row).tags, labels },
    number: {
      players,
      max_players: maxPlayers,
      // Some game servers have more players than their own maximum.
      free: (row) => Math.max(0, maxPlayers(row) - players(row)),
    },
    boolean: {
      password: (row) => details(row).password,
      full: (row) => isFull(players(row), maxPlayers(row)),
      empty: (row) => players(row) === 0,
    },
  };
}

export function isFull(players: number, maxPlayers: number): boolean {
  return players >= maxPlayers;
}
