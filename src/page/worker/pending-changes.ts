/** Changes of the list that come while it must not change, merged into one. */

import type { ListedServer } from '../../model/view/listed-server.ts';
import type { ToldChanges } from '../../model/view/listed-server.ts';

export class PendingChanges {
  readonly #servers = new Map<string, ListedServer>();
  readonly #removed = new Set<string>();
  #isFull = false;

  /** How many game servers have changes. */
  get size(): number {
    let size = this.#servers.size;
    for (const id of this.#removed) if (!this.#servers.has(id)) size += 1;
    return size;
  }

  /** `isKnown`: whether the list has a game server with this id. */
  add({ servers, removed, full }: ToldChanges, isKnown: (id: string) => boolean): void {
    if (full) {
      this.clear();
      this.#isFull = true;
    }
    for (const id of removed) {
      this.#servers.delete(id);
      if (isKnown(id)) this.#removed.add(id);
    }
    for (const server of servers) this.#servers.set(server.id, server);
  }

  /** Returns all changes, and forgets them. */
  take(): ToldChanges {
    const changes = { servers: [...this.#servers.values()], removed: [...this.#removed], full: this.#isFull };
    this.clear();
    return changes;
  }

  clear(): void {
    this.#servers.clear();
    this.#removed.clear();
    this.#isFull = false;
  }
}
