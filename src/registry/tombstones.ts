/** The latest removals, as a registry in memory and each replica's copy of the list remember them. */

import type { GameServerId } from '../model/game-server.ts';
import { mayForget } from './lifetime.ts';

/** `version`: the version of the removal. */
interface AnyTombstone {
  readonly id: GameServerId;
  readonly version: number;
}

export class Tombstones<Tombstone extends AnyTombstone> {
  /** In order of their removals. */
  readonly #byId = new Map<GameServerId, Tombstone>();
  #floor = 0;

  get size(): number {
    return this.#byId.size;
  }

  /** The version up to which tombstones may be forgotten; 0 while none is. */
  get floor(): number {
    return this.#floor;
  }

  get(id: GameServerId): Tombstone | undefined {
    return this.#byId.get(id);
  }

  /** Forgets the oldest one, if it may be forgotten by now. */
  add(tombstone: Tombstone): void {
    this.#byId.delete(tombstone.id);
    this.#byId.set(tombstone.id, tombstone);
    const { id, version } = this.#oldest;
    if (!mayForget(this.size, version, tombstone.version)) return;
    this.#byId.delete(id);
    this.#floor = Math.max(this.#floor, version);
  }

  delete(id: GameServerId): void {
    this.#byId.delete(id);
  }

  values(): Iterable<Tombstone> {
    return this.#byId.values();
  }

  get #oldest(): Tombstone {
    return this.#byId.values().next().value!;
  }
}
