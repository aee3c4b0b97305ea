/**
 * The list as immutable bytes. A SnapshotBuilder takes changes in and gives Snapshots out; a Snapshot is never
 * changed, only replaced, so a slow reader keeps what it began to read and no reader waits for another.
 *
 * Underneath lie pages of neighbouring game servers. A page is immutable too and remembers its rendering: a
 * change replaces the one page it touches, and the next Snapshot shares all the others with the last. So the
 * work after a change follows the number of changes, not the number of game servers.
 */

import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { GameServerId, ListedGameServer } from '../game-server.ts';
import { gzipMember, GzipPiece, storedPiece } from './gzip.ts';

/** How the bytes of a list can be coded; `identity` is plain JSON. */
export type Encoding = 'identity' | 'gzip' | 'br';

/** Small enough that a change renders little, large enough that joining the pages costs little. */
const PAGE_SIZE = 64;

/** Pages rendered without letting others have the event loop. */
const PAGES_AT_A_TIME = 64;

/** Dense, and still quick: 1.7 MB take 20 ms of another thread. */
const BROTLI_QUALITY = 5;

const compressBrotli = promisify(brotliCompress);

/** A game server with its place, as the list shows it. */
interface Row {
  readonly id: GameServerId;
  readonly registeredVersion: number;
  /** With a comma before it. Made once, for the page may be rendered often because of its other rows. */
  readonly json: string;
}

function createRow({
  id,
  registeredVersion,
  host,
  name,
  port,
  ip,
  players,
  maxPlayers,
}: ListedGameServer): Row {
  const json = `,${JSON.stringify({ id, host, name, port, ip, players, max_players: maxPlayers })}`;
  return { id, registeredVersion, json };
}

/** What the row was made of: keeping it as well would double the memory a game server takes. */
function parseRow({ registeredVersion, json }: Row): ListedGameServer {
  const { max_players: maxPlayers, ...rest } = JSON.parse(json.slice(1)) as Omit<
    ListedGameServer,
    'maxPlayers' | 'registeredVersion'
  > & { readonly max_players: number };
  return { ...rest, maxPlayers, registeredVersion };
}

class Page {
  readonly rows: readonly Row[];
  #piece: GzipPiece | undefined;
  #firstPiece: GzipPiece | undefined;

  constructor(rows: readonly Row[]) {
    this.rows = rows;
  }

  get isRendered(): boolean {
    return this.#piece !== undefined;
  }

  /** The JSON of the rows; the first page of a list has no comma at its beginning. */
  piece(isFirst: boolean): GzipPiece {
    this.#piece ??= new GzipPiece(Buffer.from(this.rows.map(({ json }) => json).join('')));
    if (!isFirst) return this.#piece;
    this.#firstPiece ??= new GzipPiece(this.#piece.bytes.subarray(1));
    return this.#firstPiece;
  }
}

const HEAD = storedPiece('{"servers":[');

/** The list at one version of one registry. Each encoding is made once, when first asked for. */
export class Snapshot {
  /** Random, made with the registry: versions of different epochs have nothing to do with each other. */
  readonly epoch: string;
  readonly version: number;
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

  /** Settles when what is being made of this snapshot is made; brotli, which nobody should wait for, not counted. */
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

  /** Renders the pages that no earlier snapshot has rendered, many of them (after a start) with pauses. */
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

/** Order of registration. Ids only decide between entries that a lost and restored registry gave one place. */
function compare(a: Row, b: Row): number {
  return a.registeredVersion - b.registeredVersion || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** The index of the first element that `isPast` accepts; the elements must be ordered by it. */
function lowerBound<T>(elements: readonly T[], isPast: (element: T) => boolean): number {
  let low = 0;
  let high = elements.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isPast(elements[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Takes changes at next to no cost, and works them into the pages when a snapshot is wanted. */
export class SnapshotBuilder {
  /** What is in the pages. */
  readonly #rows = new Map<GameServerId, Row>();
  /** Ordered, none empty. */
  readonly #pages: Page[] = [];
  /** What is not in the pages yet; undefined is to be taken out. */
  readonly #pending = new Map<GameServerId, ListedGameServer | undefined>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Lists the game server, in place of the one with the same id if there is one. */
  set(gameServer: ListedGameServer): void {
    if (!this.#has(gameServer.id)) this.#count += 1;
    this.#pending.set(gameServer.id, gameServer);
  }

  /** Takes the game server off the list; nothing happens when it is not there. */
  delete(id: GameServerId): void {
    if (!this.#has(id)) return;
    this.#count -= 1;
    if (this.#rows.has(id)) this.#pending.set(id, undefined);
    else this.#pending.delete(id);
  }

  /** The game server with this id, if it is listed. */
  get(id: GameServerId): ListedGameServer | undefined {
    if (this.#pending.has(id)) return this.#pending.get(id);
    const row = this.#rows.get(id);
    return row && parseRow(row);
  }

  /** The list as it is now. */
  build(epoch: string, version: number): Snapshot {
    this.settle();
    return new Snapshot(epoch, version, this.#count, [...this.#pages]);
  }

  /** Works the changes so far into the pages; build() does so as well, but a large list is better taken in pieces. */
  settle(): void {
    for (const [id, gameServer] of this.#pending) {
      const before = this.#rows.get(id);
      if (before !== undefined && before.registeredVersion !== gameServer?.registeredVersion)
        this.#takeOut(before);
      if (gameServer !== undefined) this.#putIn(createRow(gameServer));
    }
    this.#pending.clear();
  }

  #has(id: GameServerId): boolean {
    return this.#pending.has(id) ? this.#pending.get(id) !== undefined : this.#rows.has(id);
  }

  #putIn(row: Row): void {
    this.#rows.set(row.id, row);
    if (this.#pages.length === 0) {
      this.#pages.push(new Page([row]));
      return;
    }
    const pageIndex = this.#pageIndexFor(row);
    const { rows } = this.#pages[pageIndex]!;
    const index = lowerBound(rows, (other) => compare(other, row) >= 0);
    if (rows[index]?.id === row.id) this.#pages[pageIndex] = new Page(rows.with(index, row));
    else this.#replacePage(pageIndex, rows.toSpliced(index, 0, row));
  }

  #takeOut(row: Row): void {
    this.#rows.delete(row.id);
    const pageIndex = this.#pageIndexFor(row);
    const { rows } = this.#pages[pageIndex]!;
    this.#replacePage(
      pageIndex,
      rows.filter((other) => other !== row),
    );
  }

  /** The last page that begins at or before the row, or the first one. */
  #pageIndexFor(row: Row): number {
    return Math.max(0, lowerBound(this.#pages, ({ rows }) => compare(rows[0]!, row) > 0) - 1);
  }

  /** Splits a page grown too large and joins one grown too small to a neighbour, so that churn leaves no crumbs. */
  #replacePage(index: number, rows: readonly Row[]): void {
    if (rows.length > 2 * PAGE_SIZE) {
      const halves = [rows.slice(0, PAGE_SIZE), rows.slice(PAGE_SIZE)];
      this.#pages.splice(index, 1, ...halves.map((half) => new Page(half)));
      return;
    }
    const first = Math.max(0, index - 1);
    const neighbour = this.#pages[index === 0 ? 1 : first]?.rows;
    if (rows.length < PAGE_SIZE / 4 && neighbour && neighbour.length <= PAGE_SIZE) {
      const joined = index === 0 ? [...rows, ...neighbour] : [...neighbour, ...rows];
      this.#pages.splice(first, 2, new Page(joined));
      return;
    }
    if (rows.length === 0) this.#pages.splice(index, 1);
    else this.#pages[index] = new Page(rows);
  }
}
