/**
 * A chunk: some neighbouring rows of the list, their JSON, and its compressed form. A chunk is immutable, so any number
 * of Snapshots share it and its rendered bytes. It is rendered when it is first needed, from the chunk that had its
 * rows before: unchanged rows are copied as bytes, and unchanged blocks keep their compressed form. A chunk does not
 * know its place in the list, except whether it is the first.
 */

import { checksum, GzipPiece } from '../../runtime/bytes/gzip.ts';
import { Layout, nextRevision } from './layout.ts';
import { compareRows, lowerBound, renderRow, type Row } from './row.ts';

/**
 * How many rows are compressed together. Half as many would save a third of the compression after a change, and make
 * the compressed list 7 % longer.
 */
const BLOCK_ROWS = 64;

/**
 * Some rows of a chunk, compressed together. Successive versions of a chunk share the block as long as these rows stay.
 * The chunk holds its plain bytes.
 */
interface Block {
  readonly rowCount: number;
  /** The length of its plain bytes. */
  readonly length: number;
  /** The compressed form; undefined until the block is compressed. */
  gzip: GzipPiece | undefined;
}

/** A block that has to be compressed, and its plain bytes. */
export interface UncompressedBlock {
  readonly block: Block;
  readonly bytes: Buffer;
}

interface Rendered {
  readonly bytes: Buffer;
  /** The offset in `bytes` at which the JSON of each row ends. */
  readonly rowEnds: Uint32Array;
  readonly blocks: readonly Block[];
}

/** The place of a chunk among the chunks that share its layout. */
export interface Lineage {
  readonly layout: Layout;
  readonly revision: number;
}

export class Chunk<R extends Row = Row> {
  /** The rows, in order of the list. */
  readonly rows: readonly R[];
  /** Whether the chunk is the first of the list, whose first row has no comma before it. */
  readonly isFirst: boolean;
  /** Earlier and later versions of this chunk share it, if they have the same entries at the same places. */
  readonly layout: Layout;
  readonly revision: number;
  /** A rendered chunk that has most of these rows, if there is one. #render() drops it once this chunk is rendered. */
  #source: Chunk<R> | undefined;
  #version: number | undefined;
  #rendered: Rendered | undefined;
  #gzip: GzipPiece | undefined;

  /** `formerly`: the chunk that had most of the rows so far. Without `lineage` the chunk gets a layout of its own. */
  constructor(rows: readonly R[], isFirst: boolean, formerly?: Chunk<R>, lineage?: Lineage) {
    this.rows = rows;
    this.isFirst = isFirst;
    this.layout = lineage?.layout ?? new Layout();
    this.revision = lineage?.revision ?? nextRevision();
    this.#source = formerly?.isRendered === false ? formerly.#source : formerly;
  }

  /** The version of the latest change of its rows. */
  get version(): number {
    this.#version ??= this.rows.reduce((latest, { version }) => Math.max(latest, version), 0);
    return this.#version;
  }

  /** Whether bytes() is ready and costs nothing. */
  get isRendered(): boolean {
    return this.#rendered !== undefined;
  }

  /** The JSON of the rows. Each has a comma before it, except the very first of the list. */
  bytes(): Buffer {
    return this.#render().bytes;
  }

  /** The blocks that the caller has to compress before it calls gzip(). */
  uncompressed(): UncompressedBlock[] {
    if (this.#gzip !== undefined) return [];
    const { bytes, blocks } = this.#render();
    let end = 0;
    return blocks
      .map((block) => ({ block, bytes: bytes.subarray(end, (end += block.length)) }))
      .filter(({ block }) => block.gzip === undefined);
  }

  /** The compressed bytes in one piece. The blocks keep views of it, so that no byte is in memory twice. */
  gzip(): GzipPiece {
    if (this.#gzip !== undefined) return this.#gzip;
    const { blocks } = this.#render();
    const pieces = blocks.map(({ gzip }) => gzip!);
    const deflated = Buffer.concat(pieces.map((piece) => piece.deflated));
    let end = 0;
    for (const [index, block] of blocks.entries()) {
      const piece = pieces[index]!;
      block.gzip = piece.withBytes(deflated.subarray(end, (end += piece.deflated.length)));
    }
    const { crc, plainLength } = checksum(pieces);
    this.#gzip = new GzipPiece(deflated, plainLength, crc);
    return this.#gzip;
  }

  #render(): Rendered {
    if (this.#rendered === undefined) {
      this.#rendered = this.#renderFrom(this.#source);
      this.#source = undefined;
    }
    return this.#rendered;
  }

  #renderFrom(source: Chunk<R> | undefined): Rendered {
    const known = source === undefined ? undefined : source.#rendered;
    if (source === undefined || known === undefined) return this.#renderAnew();
    const { rows } = this;
    const origins = this.#findIn(source);
    const rowEnds = new Uint32Array(rows.length);
    const texts: string[] = [];
    let length = 0;
    for (let index = 0; index < rows.length; index += 1) {
      const origin = origins[index]!;
      if (origin >= 0) length += known.rowEnds[origin]! - startOf(known.rowEnds, origin);
      else {
        const text = this.#textOf(index);
        texts.push(text);
        length += Buffer.byteLength(text);
      }
      rowEnds[index] = length;
    }

    const bytes = Buffer.allocUnsafeSlow(length);
    const nextText = texts.values();
    for (let index = 0; index < rows.length;) {
      const start = startOf(rowEnds, index);
      const origin = origins[index]!;
      index += 1;
      if (origin < 0) bytes.write(nextText.next().value!, start);
      else {
        let last = origin;
        for (; origins[index] === last + 1; index += 1) last += 1;
        known.bytes.copy(bytes, start, startOf(known.rowEnds, origin), known.rowEnds[last]);
      }
    }
    const blocks = blocksOf(rowEnds, (start, count) => {
      const origin = origins[start]!;
      for (let i = 0; i < count; i += 1) if (origins[start + i] !== origin + i) return undefined;
      return origin % BLOCK_ROWS === 0 ? known.blocks[origin / BLOCK_ROWS] : undefined;
    });
    return { bytes, rowEnds, blocks };
  }

  #renderAnew(): Rendered {
    const texts = this.rows.map((_, index) => this.#textOf(index));
    let length = 0;
    const rowEnds = Uint32Array.from(texts, (text) => (length += Buffer.byteLength(text)));
    return { bytes: Buffer.from(texts.join('')), rowEnds, blocks: blocksOf(rowEnds, () => undefined) };
  }

  #textOf(index: number): string {
    return (this.isFirst && index === 0 ? '' : ',') + renderRow(this.rows[index]!);
  }

  /** The index of each row in the source, or -1 if the source does not have the same bytes for it. */
  #findIn(source: Chunk<R>): Int32Array {
    const { rows } = this;
    const known = source.rows;
    const origins = new Int32Array(rows.length);
    let next = lowerBound(known, (other) => compareRows(other, rows[0]!) >= 0);
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index]!;
      while (next < known.length && known[next] !== row && compareRows(known[next]!, row) < 0) next += 1;
      const hasComma = !(this.isFirst && index === 0);
      const hadComma = !(source.isFirst && next === 0);
      origins[index] = known[next] === row && hasComma === hadComma ? next : -1;
    }
    return origins;
  }
}

/** Divides the rows into blocks. `find` returns an earlier block of exactly these rows, if there is one. */
function blocksOf(
  rowEnds: Uint32Array,
  find: (start: number, count: number) => Block | undefined,
): readonly Block[] {
  const blocks: Block[] = [];
  for (let start = 0; start < rowEnds.length; start += BLOCK_ROWS) {
    const rowCount = Math.min(BLOCK_ROWS, rowEnds.length - start);
    const found = find(start, rowCount);
    const length = rowEnds[start + rowCount - 1]! - startOf(rowEnds, start);
    blocks.push(found?.rowCount === rowCount ? found : { rowCount, length, gzip: undefined });
  }
  return blocks;
}

function startOf(rowEnds: Uint32Array, index: number): number {
  return index === 0 ? 0 : rowEnds[index - 1]!;
}
