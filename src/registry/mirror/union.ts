/**
 * The lists of several origins as one. Entries of several origins with one IP and port are one game server: the origin
 * that has listed it first holds it, until the entry leaves or the origin goes stale. Nothing depends on which origin
 * was heard of first, so that all mirrors of the same origins show the same.
 */

import { Details } from '../../model/fields/details.ts';
import {
  saysTheSame,
  UNKNOWN_STANDING,
  type GameServer,
  type GameServerId,
  type ListedGameServer,
} from '../../model/game-server.ts';
import { inTurns } from '../snapshot/in-turns.ts';
import type { VersionedList } from '../memory/versioned-list.ts';

/** An entry as one origin lists it. */
export interface OriginEntry {
  readonly id: GameServerId;
  readonly gameServer: GameServer & Pick<ListedGameServer, 'details'>;
  readonly registeredVersion: number;
}

/** The entries of one origin. */
export interface OriginEntries {
  /** No two origins have the same. */
  readonly name: string;
  /** Only the union changes them. */
  readonly entries: Map<GameServerId, OriginEntry>;
  /** Whether they are what the origin has now, as far as is known. Whoever changes it must call refresh(). */
  readonly isFresh: boolean;
}

interface Candidate {
  readonly origin: OriginEntries;
  readonly entry: OriginEntry;
}

/** All that is listed at one address. */
interface Place {
  readonly candidates: Candidate[];
  shown: readonly GameServerId[];
}

export class Union {
  readonly #origins: readonly OriginEntries[];
  readonly #list: VersionedList<ListedGameServer>;
  readonly #places = new Map<string, Place>();

  constructor(origins: readonly OriginEntries[], list: VersionedList<ListedGameServer>) {
    this.#origins = origins;
    this.#list = list;
  }

  /** The row that has this id, or the row of the game server whose entry at another origin has it. */
  known(id: GameServerId): ListedGameServer | undefined {
    const row = this.#list.get(id);
    if (row !== undefined) return row;
    const entry = this.#origins.map(({ entries }) => entries.get(id)).find((each) => each !== undefined);
    const [shown] = (entry && this.#places.get(addressOf(entry.gameServer))?.shown) ?? [];
    return shown === undefined ? undefined : this.#list.get(shown);
  }

  /** The ids that the origin has at this address. */
  idsAt(origin: OriginEntries, gameServer: Pick<GameServer, 'ip' | 'port'>): readonly GameServerId[] {
    const candidates = this.#places.get(addressOf(gameServer))?.candidates ?? [];
    return candidates.filter((each) => each.origin === origin).map(({ entry }) => entry.id);
  }

  /** Takes an entry of the origin, in place of the one with its id. */
  set(origin: OriginEntries, entry: OriginEntry): void {
    this.#change(origin, entry.id, entry);
  }

  delete(origin: OriginEntries, id: GameServerId): void {
    this.#change(origin, id, undefined);
  }

  /** Shows what is to be shown after the origin became fresh or stale. */
  async refresh(origin: OriginEntries): Promise<void> {
    await inTurns(origin.entries.keys(), (id) => this.#settleEverywhere(id));
  }

  #change(origin: OriginEntries, id: GameServerId, entry: OriginEntry | undefined): void {
    const before = origin.entries.get(id);
    const [from, to] = [before, entry].map((each) => each && addressOf(each.gameServer));
    if (entry === undefined) origin.entries.delete(id);
    else origin.entries.set(id, entry);
    if (from !== undefined) {
      const { candidates } = this.#places.get(from)!;
      candidates.splice(
        candidates.findIndex((each) => each.origin === origin && each.entry === before),
        1,
      );
    }
    if (entry !== undefined) {
      const place = this.#places.get(to!) ?? { candidates: [], shown: [] };
      place.candidates.push({ origin, entry });
      this.#places.set(to!, place);
    }
    if (from !== undefined && from !== to) this.#settle(from);
    this.#settleEverywhere(id);
  }

  /** Settles each place at which an origin has an entry with this id. */
  #settleEverywhere(id: GameServerId): void {
    for (const { entries } of this.#origins) {
      const entry = entries.get(id);
      if (entry !== undefined) this.#settle(addressOf(entry.gameServer));
    }
  }

  #settle(address: string): void {
    const place = this.#places.get(address)!;
    const holders = place.candidates.filter((each) => this.#holdsItsId(each)).toSorted(compare);
    const [first] = holders;
    const rows = holders.filter(({ origin }) => origin === first!.origin).map(({ entry }) => entry);
    const others = new Set(place.candidates.map(({ origin }) => origin.name));
    others.delete(first?.origin.name ?? '');
    const wanted = rows.map(({ id }) => id);
    const left = place.shown.filter((id) => !wanted.includes(id));
    place.shown = wanted;
    // The id may be shown at another place by now.
    for (const id of left) if (addressOf(this.#list.get(id) ?? NOWHERE) === address) this.#list.delete(id);
    for (const row of rows) this.#show(row, first!.origin.name, [...others].toSorted());
    if (place.candidates.length === 0) this.#places.delete(address);
  }

  #show({ id, gameServer, registeredVersion }: OriginEntry, origin: string, others: readonly string[]): void {
    const details = Details.of({ ...gameServer.details.fields, origin, also_at: others });
    const said = { ...gameServer, details };
    const known = this.#list.get(id);
    if (known?.registeredVersion === registeredVersion && saysTheSame(said, known)) return;
    const version = this.#list.nextVersion();
    this.#list.set({ ...UNKNOWN_STANDING, ...said, id, registeredVersion, version });
  }

  /** Whether no other origin has a better right to show an entry with this id. */
  #holdsItsId({ origin, entry }: Candidate): boolean {
    return this.#origins.every((other) => {
      const its = other === origin ? undefined : other.entries.get(entry.id);
      return its === undefined || compare({ origin, entry }, { origin: other, entry: its }) < 0;
    });
  }
}

const NOWHERE = { ip: '', port: 0 };

function addressOf({ ip, port }: Pick<GameServer, 'ip' | 'port'>): string {
  return `${ip} ${port}`;
}

/** The one with the better right comes first. */
function compare(a: Candidate, b: Candidate): number {
  return (
    Number(b.origin.isFresh) - Number(a.origin.isFresh) ||
    a.entry.registeredVersion - b.entry.registeredVersion ||
    compareTexts(a.origin.name, b.origin.name) ||
    compareTexts(a.entry.id, b.entry.id)
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
