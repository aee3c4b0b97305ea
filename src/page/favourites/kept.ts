/** A choice of the reader, kept in the browser from visit to visit. */

import { parseJson } from '../../model/json.ts';

/** The part of localStorage that is used; its methods may throw. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

export interface KeptOptions<T> {
  /** Undefined if there is no storage: the choice then lasts for the visit. */
  readonly storage: TextStorage | undefined;
  readonly key: string;
  /** Parses a value from this or another tab, or another program: any JSON, or undefined for none. Never throws. */
  readonly parse: (value: unknown) => T;
}

export class Kept<T> {
  readonly #options: KeptOptions<T>;
  readonly #subscribers = new Set<() => void>();
  #value: T;

  constructor(options: KeptOptions<T>) {
    this.#options = options;
    this.#value = this.#read() ?? options.parse(undefined);
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    const { storage, key } = this.#options;
    this.#value = value;
    try {
      storage?.setItem(key, JSON.stringify(value));
    } catch {
      // The storage is blocked or full: the choice lasts for the visit.
    }
    this.#notify();
  }

  /** Handles the `storage` event. `key`: the key that another tab has changed; null for all keys. */
  follow(key: string | null): void {
    if (key !== null && key !== this.#options.key) return;
    this.#value = this.#read() ?? this.#value;
    this.#notify();
  }

  /** Calls `listener` after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#subscribers.add(listener);
    return () => this.#subscribers.delete(listener);
  }

  /** The stored value; undefined if the storage is blocked, so that the present value stays. */
  #read(): T | undefined {
    const { storage, key, parse } = this.#options;
    try {
      return parse(parseJson(storage?.getItem(key) ?? ''));
    } catch {
      return undefined;
    }
  }

  #notify(): void {
    for (const listener of this.#subscribers) listener();
  }
}

/** Opens a kept choice, and follows the changes that other tabs make. */
export function openKept<T extends Pick<Kept<unknown>, 'follow'>>(
  window: Window,
  open: (storage: TextStorage | undefined) => T,
): T {
  const kept = open(storageOf(window));
  window.addEventListener('storage', ({ key }) => kept.follow(key));
  return kept;
}

function storageOf(window: Window): TextStorage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
