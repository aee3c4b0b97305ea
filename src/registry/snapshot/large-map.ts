/**
 * A map by id that grows without a pause. V8 copies the whole of a Map when it is full, which stops the event loop for
 * 0.2 s at a million entries; this map copies one of its many parts at a time. It keeps no order.
 */

import type { GameServerId } from '../../model/game-server.ts';

/** The number of parts: at a million entries each has some 4,000. */
const PARTS = 2 ** 8;

export class LargeMap<Value> {
  readonly #parts = Array.from({ length: PARTS }, () => new Map<GameServerId, Value>());

  has(id: GameServerId): boolean {
    return this.#partOf(id).has(id);
  }

  get(id: GameServerId): Value | undefined {
    return this.#partOf(id).get(id);
  }

  set(id: GameServerId, value: Value): void {
    this.#partOf(id).set(id, value);
  }

  delete(id: GameServerId): void {
    this.#partOf(id).delete(id);
  }

  *values(): Iterable<Value> {
    for (const part of this.#parts) yield* part.values();
  }

  /** The part that holds this id. The first two characters choose it: ids are random from their first one on. */
  #partOf(id: GameServerId): Map<GameServerId, Value> {
    // For an id of one character charCodeAt(1) is NaN, of which `&` makes 0.
    return this.#parts[(id.charCodeAt(0) * 64 + id.charCodeAt(1)) & (PARTS - 1)]!;
  }
}
