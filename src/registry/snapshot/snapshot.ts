/**
 * The list as immutable bytes. A Snapshot is never changed, only replaced by the next one: a slow reader keeps the
 * bytes it began to read, and no reader waits for another. Knows nothing of how its pages came about
 * (snapshot-builder.ts).
 */

import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { GameServerId, ListedGameServer } from '../game-server.ts';
import { gzipMember, storedPiece, type GzipPiece } from './gzip.ts';
import { parseRow, type Page } from './page.ts';

/** How the bytes of a list can be encoded; `identity` is plain JSON. */
export type Encoding = 'identity' | 'gzip' | 'br';

/** So many pages are rendered before other work gets the event loop. */
const PAGES_AT_A_TIME = 64;

/** Dense, and still quick: 1.7 MB take 20 ms of another thread. */
const BROTLI_QUALITY = 5;

const compressBrotli = promisify(brotliCompress);

const HEAD = storedPiece('{"servers":[');

/** The list at one version of one registry. Each encoding is made once, when first asked for. */
export class Snapshot {
  /** Random, made with the registry: versions of different epochs cannot be compared. */
  readonly epoch: string;
  readonly version: number;
  /** How many game servers are in the list. */
  readonly count: number;
  readonly #pages: readonly Page[];
  readonly #made = new Map<Encoding, Buffer>();
  readonly #making = new Map<Encoding, Promise<Buffer>>();
  #busy: Promise<unknown> | undefined;

  constructor(epoch: string, version: number, count: number, pages: readonly Page[]) {
    this.epoch = epoch;
    this.version = version;
    this.count = count;
    this.#pages = pages;
  }

  /** The body of `GET /` in this encoding, if it is made already. */
  made(encoding: Encoding): Buffer | undefined {
    return this.#made.get(encoding);
  }

  /** Settles when the encodings that are being made are made. Brotli does not count: it takes too long to wait for. */
  get busy(): Promise<unknown> | undefined {
    return this.#busy;
  }

  /** The game server with this id. Looks at every row: 1 ms for 100,000. */
  find(id: GameServerId): ListedGameServer | undefined {
    for (const { rows } of this.#pages) {
      const row = rows.find((each) => each.id === id);
      if (row !== undefined) return parseRow(row);
    }
    return undefined;
  }

  /** The body of `GET /` in this encoding. */
  encode(encoding: Encoding): Promise<Buffer> {
    let making = this.#making.get(encoding);
    if (making === undefined) {
      making = this.#make(encoding).then((bytes) => {
        this.#made.set(encoding, bytes);
        return bytes;
      });
      this.#making.set(encoding, making);
      if (encoding !== 'br') this.#busy = Promise.allSettled([this.#busy, making]);
    }
    return making;
  }

  async #make(encoding: Encoding): Promise<Buffer> {
    if (encoding === 'br') {
      const json = await this.encode('identity');
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: json.length,
      };
      return compressBrotli(json, { params });
    }
    const pieces = await this.#renderPieces();
    return encoding === 'gzip' ? gzipMember(pieces) : Buffer.concat(pieces.map(({ bytes }) => bytes));
  }

  /** Renders the pages that no earlier snapshot has rendered. Pauses when there are many, as after a start. */
  async #renderPieces(): Promise<readonly GzipPiece[]> {
    const pieces = [HEAD];
    let rendered = 0;
    for (const [index, page] of this.#pages.entries()) {
      if (!page.isRendered) {
        rendered += 1;
        if (rendered % PAGES_AT_A_TIME === 0) await nextTurnOfTheLoop();
      }
      pieces.push(page.piece(index === 0));
    }
    pieces.push(storedPiece(`],"count":${this.count}}`));
    return pieces;
  }
}
