/**
 * A map by id that grows without a pause. V8 copies the whole of a Map when it is full, which stops the event loop for
 * 0.2 s at a million entries; here one part of many is copied at a time. Keeps no order.
 */

import type { GameServerId } from '../../model/game-server.ts';

/** Of a million entries each part has some 4,000. */
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

  /** Ids are random from their first character on. */
  #partOf(id: GameServerId): Map<GameServerId, Value> {
    // The bits also make a number of NaN, for an id of one character.
    return this.#parts[(id.charCodeAt(0) * 64 + id.charCodeAt(1)) & (PARTS - 1)]!;
  }
}
