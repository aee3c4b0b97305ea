/** Ids of very many game servers in one Buffer, one after the other. */

/** In bytes: 16 bytes in base64url. */
export const ID_LENGTH = 22;

/** Finds the number of a game server by its id, without a string for each: some eight bytes for each. */
export class IdIndex {
  readonly #ids: Buffer;
  readonly #table: Int32Array;

  /** `isKnown`: for each number whether it has an id. */
  constructor(ids: Buffer, isKnown: (n: number) => boolean) {
    const count = ids.length / ID_LENGTH;
    this.#ids = ids;
    this.#table = new Int32Array(2 ** Math.ceil(Math.log2(2 * count + 1))).fill(-1);
    for (let n = 0; n < count; n += 1) if (isKnown(n)) this.#table[this.#slotOf(ids, n * ID_LENGTH)] = n;
  }

  /** The number of the game server whose id begins at `at`; -1 for none. */
  find(bytes: Buffer, at: number): number {
    return this.#table[this.#slotOf(bytes, at)]!;
  }

  /** Where the id is, or could be put. */
  #slotOf(bytes: Buffer, at: number): number {
    const mask = this.#table.length - 1;
    let hash = 0x81_1c_9d_c5;
    for (let i = at; i < at + ID_LENGTH; i += 1) hash = Math.imul(hash ^ bytes[i]!, 0x01_00_01_93);
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const n = this.#table[slot]!;
      if (n === -1) return slot;
      const own = n * ID_LENGTH;
      if (this.#ids.compare(bytes, at, at + ID_LENGTH, own, own + ID_LENGTH) === 0) return slot;
    }
  }
}
