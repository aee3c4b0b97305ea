/**
 * The servers that a reader has marked, kept in the browser. A game server that registers anew gets another id, so a
 * favourite is also known by its address.
 */

import { isUnlistedServer } from '../parts/is-unlisted-server.ts';
import { keptKey } from '../parts/kept-text.ts';
import { Kept, type TextStorage } from './kept.ts';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useWatched } from '../hooks/use-watched.ts';

/** The facts about a favourite that are kept. */
export interface Favourite {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  readonly ip: string;
  readonly name: string;
}

export const MOST_FAVOURITES = 500;

export function isSameServer(a: Favourite, b: Favourite): boolean {
  return a.id === b.id || addressKey(a) === addressKey(b);
}

/** The address, with whether it is unlisted: a listed server is not an unlisted favourite, even with its address. */
function addressKey({ id, host, ip, port }: Favourite): string {
  return `${isUnlistedServer({ id })}\n${host}\n${ip}\n${port}`;
}

/** The favourites in a value; anything else in it is dropped. */
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
    this.#kept = new Kept({ storage, key: keptKey('favourites'), parse });
    this.#index();
    this.#kept.subscribe(() => this.#index());
  }

  /** All favourites, the latest first. */
  get all(): readonly Favourite[] {
    return this.#kept.value;
  }

  get isFull(): boolean {
    return this.all.length >= MOST_FAVOURITES;
  }

  has(server: Favourite): boolean {
    return this.#keys.has(server.id) || this.#keys.has(addressKey(server));
  }

  /** Marks a server, or removes the mark. A mark beyond the limit changes nothing. */
  toggle(server: Favourite): void {
    const others = this.all.filter((each) => !isSameServer(each, server));
    if (others.length < this.all.length) this.#kept.set(others);
    else if (!this.isFull) this.#kept.set([only(server), ...this.all]);
  }

  /** Replaces the ids and names of favourites by the present ones. */
  update(servers: readonly Favourite[]): void {
    const next = this.all.map((favourite) => {
      const now =
        servers.find(({ id }) => id === favourite.id) ??
        servers.find((server) => isSameServer(favourite, server));
      return now === undefined ? favourite : only(now);
    });
    // Two favourites may have become one, since an entry may take the address of another.
    const each = [...new Map(next.map((favourite) => [favourite.id, favourite])).values()];
    if (JSON.stringify(each) !== JSON.stringify(this.all)) this.#kept.set(each);
  }

  /** Handles the `storage` event, as in kept.ts. */
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

/** The favourites; the component renders again when they change. */
export function useFavourites(): { readonly favourites: Favourites; readonly all: readonly Favourite[] } {
  const favourites = useContext(FavouritesContext)!;
  return { favourites, all: useWatched(favourites, () => favourites.all) };
}
