/**
 * The parts of a split reply of A2S, put together. As https://developer.valvesoftware.com/wiki/Server_queries has it;
 * each part begins in one of three forms, and the datagram does not say in which:
 *
 *   Source             fe ff ff ff id: 4 total: 1 number: 1 size: 2   the highest bit of the id: compressed by bzip2
 *   Source before 2007 fe ff ff ff id: 4 total: 1 number: 1
 *   GoldSource         fe ff ff ff id: 4 number and total: 4 bits each
 *
 * What is put together begins with ff ff ff ff: that tells the form by the part with the number 0.
 */

/** The most parts of a reply, and the most replies whose parts are kept: the queries of others are repeated. */
const MOST_PARTS = 15;
const MOST_REPLIES = 8;

const COMPRESSED = 0x80_00_00_00;
const BEGINNING = 0xff_ff_ff_ff;

interface Form {
  readonly headBytes: number;
  /** Reads the number of parts, behind the id. */
  readonly total: (part: Buffer) => number;
  readonly number: (part: Buffer) => number;
}

const byTwoBytes = {
  total: (part: Buffer) => part.readUInt8(8),
  number: (part: Buffer) => part.readUInt8(9),
};

const FORMS: readonly Form[] = [
  {
    headBytes: 9,
    total: (part) => part.readUInt8(8) & 0x0f,
    number: (part) => part.readUInt8(8) >> 4,
  },
  { headBytes: 10, ...byTwoBytes },
  { headBytes: 12, ...byTwoBytes },
];

const LONGEST_HEAD = 12;

export class A2sParts {
  /** The parts of each reply, by its id. */
  readonly #replies = new Map<number, Buffer[]>();

  /** The whole reply, once its last part has come; `compressed` for one that is not read; undefined until then. */
  add(part: Buffer): Buffer | 'compressed' | undefined {
    if (part.length < LONGEST_HEAD) return undefined;
    const id = part.readUInt32LE(4);
    // In GoldSource the id is a number like any other, and its first part begins at once.
    if ((id & COMPRESSED) !== 0 && !this.#replies.has(id) && !beginsAt(part, 9)) return 'compressed';
    const parts = this.#replies.get(id) ?? [];
    if (parts.length === MOST_PARTS || (parts.length === 0 && this.#replies.size === MOST_REPLIES))
      return undefined;
    if (!parts.some((each) => each.equals(part))) parts.push(part);
    this.#replies.set(id, parts);
    return joined(parts);
  }
}

function joined(parts: readonly Buffer[]): Buffer | undefined {
  for (const { headBytes, total, number } of FORMS) {
    const first = parts.find((part) => number(part) === 0 && beginsAt(part, headBytes));
    if (first === undefined) continue;
    const numbers = Array.from({ length: total(first) }, (_, at) => at);
    const inOrder = numbers.map((at) =>
      parts.find((part) => number(part) === at && total(part) === numbers.length),
    );
    if (inOrder.length === 0 || inOrder.includes(undefined)) continue;
    return Buffer.concat(inOrder.map((part) => part!.subarray(headBytes)));
  }
  return undefined;
}

function beginsAt(part: Buffer, at: number): boolean {
  return part.length >= at + 4 && part.readUInt32LE(at) === BEGINNING;
}
