/**
 * The lists of several origins as one. Entries of several origins with one IP and port are one game server: the origin
 * that has listed it first holds it, until the entry leaves or the origin goes stale. Nothing depends on which origin
 * was heard of first, so that all mirrors of the same origins show the same.
 */

import { Details } from '../../model/fields/details.ts';
import {
  hasSameLabels,
  saysTheSame,
  type GameServer,
  type GameServerId,
  type ListedGameServer,
  type Standing,
} from '../../model/game-server.ts';
import { inTurns } from '../snapshot/in-turns.ts';
import type { VersionedList } from '../memory/versioned-list.ts';

/** An entry as one origin lists it. Its details name the origin. */
export interface OriginEntry extends Omit<ListedGameServer, keyof Standing | 'version'> {
  readonly origin: string;
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

export class Union {
  readonly #origins: ReadonlyMap<string, OriginEntries>;
  readonly #list: VersionedList<ListedGameServer>;
  /** The entries of all origins by their addresses. */
  readonly #places = new Map<string, OriginEntry[]>();

  constructor(origins: readonly OriginEntries[], list: VersionedList<ListedGameServer>) {
    this.#origins = new Map(origins.map((origin) => [origin.name, origin]));
    this.#list = list;
  }

  /** The row that has this id, or the row of the game server whose entry at another origin has it. */
  known(id: GameServerId): ListedGameServer | undefined {
    const row = this.#list.get(id);
    if (row !== undefined) return row;
    for (const { entries } of this.#origins.values()) {
      const entry = entries.get(id);
      if (entry === undefined) continue;
      for (const each of this.#places.get(addressOf(entry))!) {
        const shown = this.#shownAt(addressOf(entry), each.id);
        if (shown !== undefined) return shown;
      }
    }
    return undefined;
  }

  /** The ids that the origin has at this address. */
  idsAt({ origin, ...entry }: OriginEntry): readonly GameServerId[] {
    const entries = this.#places.get(addressOf(entry)) ?? [];
    return entries.filter((each) => each.origin === origin).map(({ id }) => id);
  }

  /** Takes an entry of its origin, in place of the one with its id. */
  set(entry: OriginEntry): void {
    const { entries } = this.#origins.get(entry.origin)!;
    const before = entries.get(entry.id);
    const address = addressOf(entry);
    entries.set(entry.id, entry);
    if (before !== undefined) this.#leave(before);
    const place = this.#places.get(address);
    if (place === undefined) this.#places.set(address, [entry]);
    else place.push(entry);
    if (before !== undefined && addressOf(before) !== address) this.#settle(addressOf(before), entry.id);
    this.#settleAll(entry.id);
  }

  delete(origin: OriginEntries, id: GameServerId): void {
    const before = origin.entries.get(id);
    if (before === undefined) return;
    origin.entries.delete(id);
    this.#leave(before);
    this.#settle(addressOf(before), id);
    this.#settleAll(id);
  }

  /** Shows what is to be shown after the origin became fresh or stale. */
  async refresh({ entries }: OriginEntries): Promise<void> {
    await inTurns(entries.keys(), (id) => this.#settleAll(id));
  }

  #leave(entry: OriginEntry): void {
    const address = addressOf(entry);
    const place = this.#places.get(address)!;
    if (place.length === 1) this.#places.delete(address);
    else place.splice(place.indexOf(entry), 1);
  }

  /** Settles each place at which an origin has an entry with this id. */
  #settleAll(id: GameServerId): void {
    for (const { entries } of this.#origins.values()) {
      const entry = entries.get(id);
      if (entry !== undefined) this.#settle(addressOf(entry));
    }
  }

  /** `left`: the id of an entry that was there before. */
  #settle(address: string, left?: GameServerId): void {
    const place = this.#places.get(address) ?? [];
    const holders = place.length === 1 ? place : place.toSorted(this.#compare);
    const first = holders.find((each) => this.#holdsItsId(each));
    const isShown = (each: OriginEntry): boolean =>
      each.origin === first?.origin && (each === first || this.#holdsItsId(each));
    const shown = place.filter(isShown);
    const gone = place.length === shown.length ? [] : place.map(({ id }) => id);
    // The id may be shown at another place by now.
    for (const id of left === undefined ? gone : [...gone, left])
      if (!shown.some((each) => each.id === id) && this.#shownAt(address, id) !== undefined)
        this.#list.delete(id);
    for (const entry of shown) this.#show(entry, place);
  }

  /** Shows the entry, with the other origins that have one at its place. */
  #show(entry: OriginEntry, place: readonly OriginEntry[]): void {
    const { id, host, name, port, ip, players, maxPlayers, labels, registeredVersion, origin } = entry;
    const others = place.length === 1 ? [] : othersAt(place, origin);
    const details =
      others.length === 0 ? entry.details : Details.of({ ...entry.details.fields, also_at: others });
    const known = this.#list.get(id);
    const said = { host, name, port, ip, players, maxPlayers, details };
    const isKnown = known?.registeredVersion === registeredVersion;
    if (isKnown && saysTheSame(said, known) && hasSameLabels(entry, known)) return;
    this.#list.set({
      id,
      host,
      name,
      port,
      ip,
      players,
      maxPlayers,
      details,
      labels,
      isClaimed: false,
      client: '',
      reachability: '',
      registeredVersion,
      version: this.#list.nextVersion(),
    });
  }

  /** The row with this id, if it is shown at this address. */
  #shownAt(address: string, id: GameServerId): ListedGameServer | undefined {
    const row = this.#list.get(id);
    return row !== undefined && addressOf(row) === address ? row : undefined;
  }

  /** Whether no other origin has a better right to show an entry with this id. */
  #holdsItsId(entry: OriginEntry): boolean {
    for (const { name, entries } of this.#origins.values()) {
      const its = name === entry.origin ? undefined : entries.get(entry.id);
      if (its !== undefined && this.#compare(its, entry) < 0) return false;
    }
    return true;
  }

  /** The one with the better right comes first. */
  readonly #compare = (a: OriginEntry, b: OriginEntry): number =>
    Number(this.#isFresh(b)) - Number(this.#isFresh(a)) ||
    a.registeredVersion - b.registeredVersion ||
    compareTexts(a.origin, b.origin) ||
    compareTexts(a.id, b.id);

  #isFresh({ origin }: OriginEntry): boolean {
    return this.#origins.get(origin)!.isFresh;
  }
}

function addressOf({ ip, port }: Pick<GameServer, 'ip' | 'port'>): string {
  return `${ip} ${port}`;
}

function othersAt(place: readonly OriginEntry[], origin: string): readonly string[] {
  return [...new Set(place.map((each) => each.origin))].filter((name) => name !== origin).toSorted();
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
