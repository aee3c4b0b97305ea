/**
 * The servers that a reader has marked, kept in the browser. An id ends when a game server registers anew, so that a
 * favourite is known by its address too.
 */

/** What is remembered of a server. */
export interface Favourite {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  readonly ip: string;
  readonly name: string;
}

/** As localStorage; its methods may throw. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const KEY = 'gsls-favourites';
export const MOST_FAVOURITES = 500;

export function isSameServer(a: Favourite, b: Favourite): boolean {
  return a.id === b.id || addressKey(a) === addressKey(b);
}

function addressKey({ host, ip, port }: Favourite): string {
  return `${host}\n${ip}\n${port}`;
}

/** A text of another tab, or of another program: what is no favourite is left out. */
function parse(text: string | null): readonly Favourite[] {
  try {
    const values: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(values) ? values.filter(isFavourite).slice(0, MOST_FAVOURITES).map(only) : [];
  } catch {
    return [];
  }
}

function isFavourite(value: unknown): value is Favourite {
  const { id, host, port, ip, name } = (value ?? {}) as Partial<Record<keyof Favourite, unknown>>;
  return [id, host, ip, name].every((each) => typeof each === 'string') && Number.isInteger(port);
}

function only({ id, host, port, ip, name }: Favourite): Favourite {
  return { id, host, port, ip, name };
}

export class Favourites {
  readonly #storage: TextStorage | undefined;
  readonly #subscribers = new Set<() => void>();
  #all: readonly Favourite[] = [];
  #keys: ReadonlySet<string> = new Set();

  /** Without a storage, favourites last for the visit. */
  constructor(storage: TextStorage | undefined) {
    this.#storage = storage;
    this.#read();
  }

  /** The latest first. */
  get all(): readonly Favourite[] {
    return this.#all;
  }

  get isFull(): boolean {
    return this.#all.length >= MOST_FAVOURITES;
  }

  has(server: Favourite): boolean {
    return this.#keys.has(server.id) || this.#keys.has(addressKey(server));
  }

  /** Marks a server, or takes the mark away. A mark beyond the most that there may be changes nothing. */
  toggle(server: Favourite): void {
    const others = this.#all.filter((each) => !isSameServer(each, server));
    if (others.length < this.#all.length) this.#write(others);
    else if (!this.isFull) this.#write([only(server), ...this.#all]);
  }

  /** Takes over the present ids and names of those that are favourites. */
  update(servers: readonly Favourite[]): void {
    const next = this.#all.map((favourite) => {
      const now =
        servers.find(({ id }) => id === favourite.id) ??
        servers.find((server) => isSameServer(favourite, server));
      return now === undefined ? favourite : only(now);
    });
    // Two may have become one: an entry may take the address of another.
    const each = [...new Map(next.map((favourite) => [favourite.id, favourite])).values()];
    if (JSON.stringify(each) !== JSON.stringify(this.#all)) this.#write(each);
  }

  /** For the `storage` event: `key` is that which another tab has changed; null for all. */
  follow(key: string | null): void {
    if (key !== null && key !== KEY) return;
    this.#read();
    this.#notify();
  }

  /** Calls `listener` after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#subscribers.add(listener);
    return () => this.#subscribers.delete(listener);
  }

  #read(): void {
    try {
      this.#take(parse(this.#storage?.getItem(KEY) ?? null));
    } catch {
      // The storage is blocked: what is known stays.
    }
  }

  #write(all: readonly Favourite[]): void {
    this.#take(all);
    try {
      this.#storage?.setItem(KEY, JSON.stringify(all));
    } catch {
      // The storage is blocked or full: the favourites last for the visit.
    }
    this.#notify();
  }

  #take(all: readonly Favourite[]): void {
    this.#all = all;
    this.#keys = new Set(all.flatMap((each) => [each.id, addressKey(each)]));
  }

  #notify(): void {
    for (const listener of this.#subscribers) listener();
  }
}

/** The favourites of this browser. */
export function openFavourites(window: Window): Favourites {
  const favourites = new Favourites(storageOf(window));
  window.addEventListener('storage', ({ key }) => favourites.follow(key));
  return favourites;
}

function storageOf(window: Window): TextStorage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
