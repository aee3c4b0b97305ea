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
import type { GameServerId, ListedGameServer } from './game-server.ts';
import { gzipMember, GzipPiece, storedPiece } from './gzip.ts';

/** How the bytes of a list can be coded; `identity` is plain JSON. */
export type Encoding = 'identity' | 'gzip' | 'br';

/** Small enough that a change renders little, large enough that joining the pages costs little. */
const PAGE_SIZE = 64;

/** Pages rendered without letting others have the event loop: about 3 ms of work. */
const PAGES_AT_A_TIME = 64;

/** Dense, and still quick: 1.7 MB take 20 ms of another thread. */
const BROTLI_QUALITY = 5;

const compressBrotli = promisify(brotliCompress);

class Page {
  readonly gameServers: readonly ListedGameServer[];
  #piece: GzipPiece | undefined;
  #firstPiece: GzipPiece | undefined;

  constructor(gameServers: readonly ListedGameServer[]) {
    this.gameServers = gameServers;
  }

  get isRendered(): boolean {
    return this.#piece !== undefined;
  }

  /** The JSON of the game servers, each with a comma before it; the first page of a list has none at its beginning. */
  piece(isFirst: boolean): GzipPiece {
    this.#piece ??= new GzipPiece(Buffer.from(this.gameServers.map(renderGameServer).join('')));
    if (!isFirst) return this.#piece;
    this.#firstPiece ??= new GzipPiece(this.#piece.bytes.subarray(1));
    return this.#firstPiece;
  }
}

function renderGameServer({ id, host, name, port, ip, players, maxPlayers }: ListedGameServer): string {
  return `,${JSON.stringify({ id, host, name, port, ip, players, max_players: maxPlayers })}`;
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

  /** The body of `GET /` in this encoding. */
  encode(encoding: Encoding): Promise<Buffer> {
    let making = this.#making.get(encoding);
    if (making === undefined) {
      making = this.#make(encoding).then((bytes) => {
        this.#made.set(encoding, bytes);
        return bytes;
      });
      this.#making.set(encoding, making);
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
function compare(a: ListedGameServer, b: ListedGameServer): number {
  return a.registeredAt - b.registeredAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
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

export class SnapshotBuilder {
  readonly #listed = new Map<GameServerId, ListedGameServer>();
  /** Ordered, none empty. */
  readonly #pages: Page[] = [];

  get count(): number {
    return this.#listed.size;
  }

  get(id: GameServerId): ListedGameServer | undefined {
    return this.#listed.get(id);
  }

  ids(): Iterable<GameServerId> {
    return this.#listed.keys();
  }

  /** Lists the game server, in place of the one with the same id if there is one. */
  set(gameServer: ListedGameServer): void {
    const before = this.#listed.get(gameServer.id);
    if (before !== undefined && compare(before, gameServer) !== 0) this.delete(gameServer.id);
    this.#listed.set(gameServer.id, gameServer);
    if (this.#pages.length === 0) {
      this.#pages.push(new Page([gameServer]));
      return;
    }
    const pageIndex = this.#pageIndexFor(gameServer);
    const { gameServers } = this.#pages[pageIndex]!;
    const index = lowerBound(gameServers, (other) => compare(other, gameServer) >= 0);
    const replaces = gameServers[index]?.id === gameServer.id ? 1 : 0;
    this.#replacePage(pageIndex, gameServers.toSpliced(index, replaces, gameServer));
  }

  /** Takes the game server off the list; nothing happens when it is not there. */
  delete(id: GameServerId): void {
    const gameServer = this.#listed.get(id);
    if (gameServer === undefined) return;
    this.#listed.delete(id);
    const pageIndex = this.#pageIndexFor(gameServer);
    this.#replacePage(
      pageIndex,
      this.#pages[pageIndex]!.gameServers.filter((other) => other.id !== id),
    );
  }

  /** The list as it is now. */
  build(epoch: string, version: number): Snapshot {
    return new Snapshot(epoch, version, this.count, [...this.#pages]);
  }

  /** The last page that begins at or before the game server, or the first one. */
  #pageIndexFor(gameServer: ListedGameServer): number {
    return Math.max(0, lowerBound(this.#pages, (page) => compare(page.gameServers[0]!, gameServer) > 0) - 1);
  }

  /** Splits a page grown too large and joins one grown too small to a neighbour, so that churn leaves no crumbs. */
  #replacePage(index: number, gameServers: readonly ListedGameServer[]): void {
    if (gameServers.length > 2 * PAGE_SIZE) {
      const halves = [gameServers.slice(0, PAGE_SIZE), gameServers.slice(PAGE_SIZE)];
      this.#pages.splice(index, 1, ...halves.map((half) => new Page(half)));
      return;
    }
    const first = Math.max(0, index - 1);
    const neighbour = this.#pages[index === 0 ? 1 : first]?.gameServers;
    if (gameServers.length < PAGE_SIZE / 4 && neighbour && neighbour.length <= PAGE_SIZE) {
      const joined = index === 0 ? [...gameServers, ...neighbour] : [...neighbour, ...gameServers];
      this.#pages.splice(first, 2, new Page(joined));
      return;
    }
    if (gameServers.length === 0) this.#pages.splice(index, 1);
    else this.#pages[index] = new Page(gameServers);
  }
}
