/** The place of a registry among those that are served: it is open, or is opened when it is needed. */

import type { Exchange, Path } from '../../api/http/exchange.ts';
import { once } from '../../api/work/once.ts';
import type { PlacedRegistry } from '../deployment/placed-registry.ts';
import type { ServedRegistry, Ways } from './served-registry.ts';

export interface SlotOptions {
  readonly open: (placed: PlacedRegistry) => Promise<ServedRegistry>;
  /** Closes what was replaced, once its requests are done. */
  readonly leaveLater: (close: () => Promise<void>) => void;
  /** The way of requests while it cannot be opened. */
  readonly away: Path;
}

export class Slot {
  /** Opens it, once. Rejects if it cannot be opened; then the next call tries again. */
  readonly open: () => Promise<ServedRegistry>;
  /** The ways that requests go by either port. A request that comes before it is open waits for that. */
  readonly path: Path;
  readonly opsPath: Path;
  readonly #options: SlotOptions;
  /** As it is to be served. */
  #placed: PlacedRegistry;
  /** Whether something has changed that has to be opened anew. */
  #opensAnew = false;
  #changing: Promise<void> | undefined;
  #served: ServedRegistry | undefined;
  #isClosed = false;

  constructor(placed: PlacedRegistry, options: SlotOptions) {
    const { away } = options;
    this.#placed = placed;
    this.#options = options;
    this.open = once(async () => {
      const served = await options.open(this.#placed);
      try {
        // Another configuration may have come meanwhile.
        while (served.placed !== this.#placed) await (await served.change(this.#placed, true))();
      } catch (error) {
        await served.close();
        throw error;
      }
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

  /**
   * Goes by another configuration, as ServedRegistry.change() does, or by a later one that comes before that is done.
   * If that fails, it goes by the one so far.
   */
  async change(placed: PlacedRegistry, opensAnew: boolean): Promise<void> {
    this.#placed = placed;
    this.#opensAnew ||= opensAnew;
    this.#changing ??= this.#changeServed().finally(() => (this.#changing = undefined));
    await this.#changing;
  }

  /** Ends its streams: their clients find out where they are to go on. */
  leave(): void {
    this.#served?.ways.endStreams();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#served?.close();
    await this.#changing?.catch(() => undefined);
    // What it has changed to meanwhile.
    await this.#served?.close();
  }

  async #changeServed(): Promise<void> {
    for (;;) {
      const served = this.#served;
      if (served === undefined || served.placed === this.#placed || this.#isClosed) return;
      const [wanted, opensAnew] = [this.#placed, this.#opensAnew];
      this.#opensAnew = false;
      try {
        this.#options.leaveLater(await served.change(wanted, opensAnew));
      } catch (error) {
        if (this.#isClosed) return;
        this.#opensAnew = true;
        if (wanted !== this.#placed) continue;
        this.#placed = served.placed;
        throw error;
      }
    }
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
