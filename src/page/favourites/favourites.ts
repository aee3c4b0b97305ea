/**
 * The servers that a reader has marked, kept in the browser. An id ends when a game server registers anew, so that a
 * favourite is known by its address too.
 */

import { isUnlistedServer } from '../parts/is-unlisted-server.ts';
import { Kept, type TextStorage } from './kept.ts';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useWatched } from '../parts/use-watched.ts';

/** What is remembered of a server. */
export interface Favourite {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  readonly ip: string;
  readonly name: string;
}

const KEY = 'gsls-favourites';
export const MOST_FAVOURITES = 500;

export function isSameServer(a: Favourite, b: Favourite): boolean {
  return a.id === b.id || addressKey(a) === addressKey(b);
}

/** A listed server is not the unlisted one that was marked, whatever address it says that it has. */
function addressKey({ id, host, ip, port }: Favourite): string {
  return `${isUnlistedServer({ id })}\n${host}\n${ip}\n${port}`;
}

/** What is no favourite is left out. */
function parse(value: unknown): readonly Favourite[] {
  return Array.isArray(value) ? value.filter(isFavourite).slice(0, MOST_FAVOURITES).map(only) : [];
}

function isFavourite(value: unknown): value is Favourite {
  const { id, host, port, ip, name } = (value ?? {}) as Partial<Record<keyof Favourite, unknown>>;
  return [id, host, ip, name].every((each) => typeof each === 'string') && Number.isInteger(port);
}

function only({ id, host, port, ip, name }: Favourite): Favourite {
  return { id, host, port, ip, name };
}

export class Favourites {
  readonly #kept: Kept<readonly Favourite[]>;
  #keys: ReadonlySet<string> = new Set();

  constructor(storage: TextStorage | undefined) {
    this.#kept = new Kept({ storage, key: KEY, parse });
    this.#index();
    this.#kept.subscribe(() => this.#index());
  }

  /** The latest first. */
  get all(): readonly Favourite[] {
    return this.#kept.value;
  }

  get isFull(): boolean {
    return this.all.length >= MOST_FAVOURITES;
  }

  has(server: Favourite): boolean {
    return this.#keys.has(server.id) || this.#keys.has(addressKey(server));
  }

  /** Marks a server, or takes the mark away. A mark beyond the most that there may be changes nothing. */
  toggle(server: Favourite): void {
    const others = this.all.filter((each) => !isSameServer(each, server));
    if (others.length < this.all.length) this.#kept.set(others);
    else if (!this.isFull) this.#kept.set([only(server), ...this.all]);
  }

  /** Takes over the present ids and names of those that are favourites. */
  update(servers: readonly Favourite[]): void {
    const next = this.all.map((favourite) => {
      const now =
        servers.find(({ id }) => id === favourite.id) ??
        servers.find((server) => isSameServer(favourite, server));
      return now === undefined ? favourite : only(now);
    });
    // Two may have become one: an entry may take the address of another.
    const each = [...new Map(next.map((favourite) => [favourite.id, favourite])).values()];
    if (JSON.stringify(each) !== JSON.stringify(this.all)) this.#kept.set(each);
  }

  /** For the `storage` event, as kept.ts has it. */
  follow(key: string | null): void {
    this.#kept.follow(key);
  }

  /** Calls `listener` after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    return this.#kept.subscribe(listener);
  }

  #index(): void {
    this.#keys = new Set(this.all.flatMap((each) => [each.id, addressKey(each)]));
  }
}

export const FavouritesContext = createContext<Favourites | undefined>(undefined);

/** The component is drawn again when the favourites change. */
export function useFavourites(): { readonly favourites: Favourites; readonly all: readonly Favourite[] } {
  const favourites = useContext(FavouritesContext)!;
  return { favourites, all: useWatched(favourites, () => favourites.all) };
}
