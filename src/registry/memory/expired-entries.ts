/**
 * The expired entries of a registry in memory: by id in order of their deadlines, and the latest of each client. A
 * client may let any number expire, so that only the latest are found by its address.
 */

import type { GameServerId } from '../../model/game-server.ts';
import { MOST_EXPIRED_OF_CLIENT } from '../backend.ts';
import { DeadlineMap } from './deadline-map.ts';
import type { MemoryEntry } from './memory-entry.ts';

export class ExpiredEntries {
  readonly #entries = new DeadlineMap();
  /** The ids that each client let expire last, the latest at the end. */
  readonly #latest = new Map<string, GameServerId[]>();

  get size(): number {
    return this.#entries.size;
  }

  has(id: GameServerId): boolean {
    return this.#entries.has(id);
  }

  get(id: GameServerId): MemoryEntry | undefined {
    return this.#entries.get(id);
  }

  values(): Generator<MemoryEntry, undefined> {
    return this.#entries.values();
  }

  /** The entries that this client let expire last, the latest first. */
  latestOf(client: string): readonly MemoryEntry[] {
    return (this.#latest.get(client) ?? []).map((id) => this.#entries.get(id)!).toReversed();
  }

  append(entry: MemoryEntry): void {
    this.delete(entry.id);
    this.#entries.append(entry);
    const { id, client } = entry;
    if (client !== '')
      this.#latest.set(client, [...(this.#latest.get(client) ?? []), id].slice(-MOST_EXPIRED_OF_CLIENT));
  }

  delete(id: GameServerId): void {
    const client = this.#entries.get(id)?.client;
    if (client === undefined) return;
    this.#entries.delete(id);
    const others = this.#latest.get(client)?.filter((each) => each !== id) ?? [];
    if (others.length > 0) this.#latest.set(client, others);
    else this.#latest.delete(client);
  }
}
