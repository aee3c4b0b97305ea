/** The place of a registry among those that are served: it is open, or is opened when it is needed. */

import type { Exchange, Path } from '../../api/http/exchange.ts';
import { once } from '../../api/work/once.ts';
import type { PlacedRegistry } from '../deployment/placed-registry.ts';
import type { ServedRegistry, Ways } from './served-registry.ts';

export class Slot {
  /** Opens it, once. Rejects if it cannot be opened; then the next call tries again. */
  readonly open: () => Promise<ServedRegistry>;
  /** The ways that requests go by either port. A request that comes before it is open waits for that. */
  readonly path: Path;
  readonly opsPath: Path;
  #placed: PlacedRegistry;
  #served: ServedRegistry | undefined;
  #isClosed = false;

  /** `away`: the way of requests while it cannot be opened. */
  constructor(placed: PlacedRegistry, open: (placed: PlacedRegistry) => Promise<ServedRegistry>, away: Path) {
    this.#placed = placed;
    this.open = once(async () => {
      const served = await open(this.#placed);
      // Another configuration may have come meanwhile.
      while (served.placed !== this.#placed) await (await served.change(this.#placed, true))();
      if (this.#isClosed) await served.close();
      return (this.#served = served);
    });
    this.path = this.#goOn(away, ({ path }) => path);
    this.opsPath = this.#goOn(away, ({ opsPath }) => opsPath ?? away);
  }

  get placed(): PlacedRegistry {
    return this.#placed;
  }

  /** Undefined while it is not open. */
  get served(): ServedRegistry | undefined {
    return this.#served;
  }

  /** Goes by another configuration, as ServedRegistry.change() does. If that fails, it goes by the one so far. */
  async change(placed: PlacedRegistry, opensAnew: boolean): Promise<() => Promise<void>> {
    const close = await this.#served?.change(placed, opensAnew);
    this.#placed = placed;
    return close ?? (async () => undefined);
  }

  /** Ends its streams: their clients find out where they are to go on. */
  leave(): void {
    this.#served?.ways.endStreams();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#served?.close();
  }

  /** Goes the present way of the registry, once it is open; goes away where it cannot be opened. */
  #goOn(away: Path, wayIn: (ways: Ways) => Path): Path {
    const go: Path = (exchange) => (this.#served === undefined ? away : wayIn(this.#served.ways))(exchange);
    const goOnceOpen = async (exchange: Exchange): Promise<void> => {
      await this.open().catch(() => undefined);
      if (!exchange.request.socket.destroyed) go(exchange);
    };
    return (exchange) => (this.#served === undefined ? void goOnceOpen(exchange) : go(exchange));
  }
}
