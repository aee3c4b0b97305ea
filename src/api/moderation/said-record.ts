/**
 * What game servers said of themselves within the last hour, beside their players: for a moderator who asks under which
 * names an entry was listed. It is of this replica alone, in memory, and its size is bounded.
 */

import type { GameServer, GameServerId, ListedGameServer } from '../../model/game-server.ts';

/** What an entry said until then, ms since the epoch. */
export interface SaidThen {
  readonly at: number;
  readonly name: string;
  readonly host: string;
  readonly ip: string;
  readonly port: number;
  readonly max_players: number;
}

const KEPT_MS = 3_600_000;
const MOST_OF_ONE = 20;
const MOST_ENTRIES = 10_000;

export class SaidRecord {
  /** The entry that changed last is at the end. */
  readonly #entries = new Map<GameServerId, readonly SaidThen[]>();
  readonly #now: () => number;

  /** `now`: ms since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Remembers what the entry said before, if it is known, and says something else now. */
  note(before: ListedGameServer | undefined, now: GameServer): void {
    if (before === undefined) return;
    const { id, name, host, ip, port, maxPlayers } = before;
    const isTheSame = name === now.name && host === now.host && ip === now.ip && port === now.port;
    if (isTheSame && maxPlayers === now.maxPlayers) return;
    const said: SaidThen = { at: this.#now(), name, host, ip, port, max_players: maxPlayers };
    const known = [...this.of(id), said].slice(-MOST_OF_ONE);
    this.#entries.delete(id);
    this.#entries.set(id, known);
    if (this.#entries.size <= MOST_ENTRIES) return;
    const [oldest] = this.#entries.keys();
    this.#entries.delete(oldest!);
  }

  /** What the entry said before, the latest last. */
  of(id: GameServerId): readonly SaidThen[] {
    const since = this.#now() - KEPT_MS;
    return (this.#entries.get(id) ?? []).filter(({ at }) => at > since);
  }
}
