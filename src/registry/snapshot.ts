/**
 * The list as immutable bytes. A SnapshotBuilder takes changes in and gives Snapshots out; a Snapshot is never
 * changed, only replaced, so a slow reader keeps what it began to read and no reader waits for another.
 *
 * Underneath lie pages of neighbouring game servers. A page is immutable too and remembers its rendering: a
 * change replaces the one page it touches, and the next Snapshot shares all the others with the last. So the
 * work after a change follows the number of changes, not the number of game servers.
 */

import type { GameServerId, ListedGameServer } from './game-server.ts';

/** Small enough that a change renders little, large enough that joining the pages costs little. */
const PAGE_SIZE = 64;

class Page {
  readonly gameServers: readonly ListedGameServer[];
  #json: Buffer | undefined;

  constructor(gameServers: readonly ListedGameServer[]) {
    this.gameServers = gameServers;
  }

  get json(): Buffer {
    this.#json ??= Buffer.from(this.gameServers.map(renderGameServer).join(','));
    return this.#json;
  }
}

function renderGameServer({ id, host, name, port, ip, players, maxPlayers }: ListedGameServer): string {
  return JSON.stringify({ id, host, name, port, ip, players, max_players: maxPlayers });
}

const HEAD = Buffer.from('{"servers":[');
const SEPARATOR = Buffer.from(',');

/** The list at one version of one registry. */
export class Snapshot {
  /** Random, made with the registry: versions of different epochs have nothing to do with each other. */
  readonly epoch: string;
  readonly version: number;
  readonly count: number;
  readonly #pages: readonly Page[];
  #json: Buffer | undefined;

  constructor(epoch: string, version: number, count: number, pages: readonly Page[]) {
    this.epoch = epoch;
    this.version = version;
    this.count = count;
    this.#pages = pages;
  }

  /** The body of `GET /`. Rendered when first asked for. */
  get json(): Buffer {
    if (this.#json === undefined) {
      const parts: Buffer[] = [HEAD];
      for (const page of this.#pages) parts.push(page.json, SEPARATOR);
      if (parts.length > 1) parts.pop();
      parts.push(Buffer.from(`],"count":${this.count}}`));
      this.#json = Buffer.concat(parts);
    }
    return this.#json;
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
