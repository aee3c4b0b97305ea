/**
 * A page: some neighbouring game servers of the list, rendered as JSON once. A page is immutable, so any number of
 * Snapshots share it and its rendering. Knows nothing of its place in the list, except whether it is the first.
 */

import type { GameServerId, ListedGameServer } from '../game-server.ts';
import { GzipPiece } from './gzip.ts';

/** A game server with its place, as the list shows it. */
export interface Row {
  readonly id: GameServerId;
  readonly registeredVersion: number;
  /** Begins with a comma. Kept, because a page is rendered again each time another of its rows changes. */
  readonly json: string;
}

/** Renders a game server. */
export function createRow({
  id,
  registeredVersion,
  host,
  name,
  port,
  ip,
  players,
  maxPlayers,
}: ListedGameServer): Row {
  const json = `,${JSON.stringify({ id, host, name, port, ip, players, max_players: maxPlayers })}`;
  return { id, registeredVersion, json };
}

/** The game server that the row was made of. To keep it as well would double the memory of an entry. */
export function parseRow({ registeredVersion, json }: Row): ListedGameServer {
  const { max_players: maxPlayers, ...rest } = JSON.parse(json.slice(1)) as Omit<
    ListedGameServer,
    'maxPlayers' | 'registeredVersion'
  > & { readonly max_players: number };
  return { ...rest, maxPlayers, registeredVersion };
}

export class Page {
  /** In order of the list. */
  readonly rows: readonly Row[];
  #piece: GzipPiece | undefined;
  #firstPiece: GzipPiece | undefined;

  constructor(rows: readonly Row[]) {
    this.rows = rows;
  }

  /** Whether the next call of piece() costs next to nothing. */
  get isRendered(): boolean {
    return this.#piece !== undefined;
  }

  /** The JSON of the rows. The first page of a list has no comma at its beginning. */
  piece(isFirst: boolean): GzipPiece {
    this.#piece ??= new GzipPiece(Buffer.from(this.rows.map(({ json }) => json).join('')));
    if (!isFirst) return this.#piece;
    this.#firstPiece ??= new GzipPiece(this.#piece.bytes.subarray(1));
    return this.#firstPiece;
  }
}
