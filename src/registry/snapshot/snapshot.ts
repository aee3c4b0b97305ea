/**
 * The list as immutable bytes. A Snapshot is never changed, only replaced by the next one: a slow reader keeps the
 * bytes it began to read, and no reader waits for another. A Snapshot does not know how its chunks came about
 * (snapshot-builder.ts).
 */

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress } from 'node:zlib';
import { inTurns } from './in-turns.ts';
import type { GameServerId } from '../../model/game-server.ts';
import type { Chunk, UncompressedBlock } from './chunk.ts';
import { compressRuns } from '../../runtime/bytes/deflater.ts';
import type { Departures } from './departures.ts';
import { gzipMember, GzipPiece, storedPiece } from '../../runtime/bytes/gzip.ts';
import { Rope } from '../../runtime/bytes/rope.ts';
import type { Row } from './row.ts';

/** How the bytes of a list can be encoded; `identity` is plain JSON. */
export const ENCODINGS = ['identity', 'gzip', 'br'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** How much is copied to the compressing thread at a time: it takes 0.2 ms to copy, and 2 ms to compress. */
const COMPRESSED_AT_A_TIME_BYTES = 512 * 1024;

/** Compresses well, and still quickly: 1.7 MB take 20 ms of another thread. */
const BROTLI_QUALITY = 5;
const BROTLI_PART_BYTES = 64 * 1024;

/** How many ids that left changesSince() goes through before it yields. */
const IDS_AT_ONCE = 1000;

const HEAD = Buffer.from('{"servers":[');
const HEAD_GZIP = storedPiece(HEAD);

/** All that changed in the list between two versions of one history. */
export interface ListChanges {
  /** The new and the changed rows, in order of the list. */
  readonly changed: readonly Row[];
  /**
   * The ids that ceased to be shown; some of them may not have been shown before either. An id that is shown again is
   * among the changed rows as well.
   */
  readonly gone: ReadonlySet<GameServerId>;
}

/** A state of the list that a client has. */
export interface ListPosition {
  /** See `history` of Snapshot. */
  readonly history: string;
  readonly version: number;
}

export interface SnapshotOptions {
  readonly epoch: string;
  readonly history: string;
  /** The earlier histories that this one continues, each with its last version that this one still knows. */
  readonly continues?: ReadonlyMap<string, number>;
  readonly version: number;
  readonly count: number;
  readonly players: number;
  readonly chunks: readonly Chunk[];
  readonly departures: Departures;
}

/** The list of one registry at one version. Each encoding is rendered once, when a caller first asks for it. */
export class Snapshot {
  /** The random name that the registry got when it began: versions of different epochs cannot be compared. */
  readonly epoch: string;
  /** Names a sequence of versions of which none was lost: each is the one before it and its changes. */
  readonly history: string;
  readonly version: number;
  /** How many game servers are in the list. */
  readonly count: number;
  /** How many players are in all of them. */
  readonly players: number;
  /** All rows, in order. */
  readonly chunks: readonly Chunk[];
  readonly #continues: ReadonlyMap<string, number>;
  readonly #departures: Departures;
  readonly #made = new Map<Encoding, Rope>();
  readonly #making = new Map<Encoding, Promise<Rope>>();

  constructor({
    epoch,
    history,
    continues = new Map(),
    version,
    count,
    players,
    chunks,
    departures,
  }: SnapshotOptions) {
    this.epoch = epoch;
    this.history = history;
    this.version = version;
    this.count = count;
    this.players = players;
    this.chunks = chunks;
    this.#continues = continues;
    this.#departures = departures;
  }

  /** Whether changesSince() has the changes since that state: not if it is too old, or still to come. */
  knows({ history, version }: ListPosition): boolean {
    const upto = history === this.history ? this.version : (this.#continues.get(history) ?? -1);
    return version >= this.#departures.floor && version <= upto;
  }

  /** The changes since that state; undefined if it is not known. Yields after each chunk that it has to look into. */
  *changesSince(position: ListPosition): Generator<undefined, ListChanges | undefined, unknown> {
    if (!this.knows(position)) return undefined;
    const departures = this.#departures;
    const { version } = position;
    const changed: Row[] = [];
    const hasReturns = departures.hasReturns(version);
    for (const chunk of this.chunks) {
      if (chunk.version <= version && !hasReturns) continue;
      for (const row of chunk.rows)
        if (row.version > version || (hasReturns && departures.hasReturned(row, version))) changed.push(row);
      yield;
    }
    const gone = new Set<GameServerId>();
    for (const id of departures.between(version, this.version)) {
      gone.add(id);
      if (gone.size % IDS_AT_ONCE === 0) yield;
    }
    return { changed, gone };
  }

  /** The body of `GET /` in this encoding, if it is rendered already. */
  made(encoding: Encoding): Rope | undefined {
    return this.#made.get(encoding);
  }

  /** Renders the body of `GET /` in this encoding. If this call is the first to ask, `onMade` gets the duration. */
  encode(
    encoding: Encoding,
    onMade?: (encoding: Encoding, body: Rope, durationMs: number) => void,
  ): Promise<Rope> {
    let making = this.#making.get(encoding);
    if (making === undefined) {
      const beganAt = performance.now();
      making = this.#make(encoding).then((parts) => {
        const rope = new Rope(parts);
        this.#made.set(encoding, rope);
        onMade?.(encoding, rope, performance.now() - beganAt);
        return rope;
      });
      this.#making.set(encoding, making);
    }
    return making;
  }

  async #make(encoding: Encoding): Promise<Buffer[]> {
    await this.#render();
    if (encoding === 'gzip') {
      await compressBlocks(this.chunks);
      return gzipMember([HEAD_GZIP, ...this.chunks.map((chunk) => chunk.gzip()), storedPiece(this.#tail)]);
    }
    const plain = [HEAD, ...this.chunks.map((chunk) => chunk.bytes()), this.#tail];
    return encoding === 'br' ? compressBrotli(plain) : plain;
  }

  get #tail(): Buffer {
    return Buffer.from(`],"count":${this.count}}`);
  }

  /** Renders the chunks that no earlier Snapshot has rendered. */
  async #render(): Promise<void> {
    const missing = this.chunks.filter(({ isRendered }) => !isRendered);
    await inTurns(missing, (chunk) => void chunk.bytes());
  }
}

interface Batch {
  readonly chunks: readonly Chunk[];
  readonly blocks: readonly UncompressedBlock[];
}

/** Compresses the blocks that no earlier Snapshot has compressed. */
async function compressBlocks(chunks: readonly Chunk[]): Promise<void> {
  const batches = batchesOf(chunks);
  const compressBatches = async (): Promise<void> => {
    for (const batch of batches) {
      const compressed = await compressRuns(batch.blocks.map(({ bytes }) => bytes));
      for (const [index, { block }] of batch.blocks.entries()) {
        const { bytes, crc } = compressed[index]!;
        block.gzip = new GzipPiece(
          Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
          block.length,
          crc,
        );
      }
      await inTurns(batch.chunks, (chunk) => void chunk.gzip());
    }
  };
  // Two at a time: one batch is copied while the other is compressed.
  await Promise.all([compressBatches(), compressBatches()]);
}

function* batchesOf(all: readonly Chunk[]): Generator<Batch> {
  let chunks: Chunk[] = [];
  let blocks: UncompressedBlock[] = [];
  let length = 0;
  for (const chunk of all) {
    const uncompressed = chunk.uncompressed();
    if (uncompressed.length === 0) continue;
    chunks.push(chunk);
    blocks.push(...uncompressed);
    length = uncompressed.reduce((sum, { bytes }) => sum + bytes.length, length);
    if (length < COMPRESSED_AT_A_TIME_BYTES) continue;
    yield { chunks, blocks };
    [chunks, blocks, length] = [[], [], 0];
  }
  if (chunks.length > 0) yield { chunks, blocks };
}

/** Compresses the parts one by one, so that the plain list is never joined. */
async function compressBrotli(plain: readonly Buffer[]): Promise<Buffer[]> {
  const length = plain.reduce((sum, part) => sum + part.length, 0);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: length,
  };
  const parts: Buffer[] = [];
  await pipeline(
    Readable.from(plain),
    createBrotliCompress({ params, chunkSize: BROTLI_PART_BYTES }),
    async (compressed: AsyncIterable<Buffer>) => {
      for await (const part of compressed) parts.push(part);
    },
  );
  return parts;
}
