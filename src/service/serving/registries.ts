/**
 * The registries of a service: finds the one that a request is for, opens those that are needed, and goes by a
 * configuration that has changed, while requests go on.
 */

import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Path } from '../../api/http/exchange.ts';
import { prefers } from '../../api/http/negotiation.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { guardOf, type PlacedRegistry } from '../deployment/placed-registry.ts';
import { changeOf, type ConfigChange } from '../deployment/change-of.ts';
import { Places } from '../deployment/places.ts';
import { createRoot, type ServiceRoot } from './root.ts';
import type { ErrorLog } from '../../api/http/error-log.ts';
import { ServedRegistry, type RoomsOfProcess } from './served-registry.ts';
import type { SharedParts } from './shared-parts.ts';
import { Slot } from './slot.ts';

/** How long what was replaced or taken out goes on for the requests that it has: longer than any takes. */
const LEAVING_MS = 5000;
/** How many registries are opened at a time, beside those that are asked for. */
const OPENED_AT_ONCE = 32;
/** How long a change keeps the next one waiting: Redis may be away, and with it the list that the change needs. */
const CHANGE_MS = 250;

export interface RegistriesOptions {
  readonly shared: SharedParts;
  readonly deployment: Deployment;
  readonly ofProcess: RoomsOfProcess;
  readonly logError: ErrorLog;
}

/** No room of the process: each has its own way. */
const NO_ROOMS: RoomsOfProcess = { beside: [], atOps: [] };

export class Registries {
  readonly #options: RegistriesOptions;
  /** What belongs to the process itself, where it serves several. */
  readonly #root: ServiceRoot;
  readonly #slots = new Map<string, Slot>();
  readonly #closing = new AbortController();
  readonly #leaving = new Set<Promise<void>>();
  readonly #sole: Slot;
  /** Whether nothing is served yet. Then a worker beside others waits for its lists. */
  #isStarting = true;
  #haveBeenTried = false;
  #deployment: Deployment;
  #places: Places<Slot>;

  constructor(options: RegistriesOptions) {
    this.#options = options;
    this.#root = createRoot({ ...options, registries: this });
    this.#deployment = options.deployment;
    for (const placed of options.deployment.registries) this.#slots.set(placed.name, this.#slotFor(placed));
    this.#sole = this.#slots.values().next().value!;
    this.#places = this.#placesNow();
  }

  /** What is served now. */
  get deployment(): Deployment {
    return { ...this.#deployment, registries: Array.from(this.#slots.values(), ({ placed }) => placed) };
  }

  /** Whether all that are open from the start have been opened, or have failed to. */
  get haveBeenTried(): boolean {
    return this.#haveBeenTried;
  }

  /** The registries that are open. */
  *open(): Generator<ServedRegistry> {
    for (const { served } of this.#slots.values()) if (served !== undefined) yield served;
  }

  /** Counts the game servers that each registry lists, by its name; undefined before its first list. */
  async counts(): Promise<ReadonlyMap<string, number | undefined>> {
    const { redis } = this.#options.shared;
    // One in memory that nobody has asked has an empty list.
    const unopened = redis === undefined ? 0 : undefined;
    const counts = Array.from(this.#slots, async ([name, { served }]) => {
      const glance = served?.registry.glance().then(({ snapshot }) => snapshot.count);
      return [name, await (glance ?? Promise.resolve(unopened)).catch(() => undefined)] as const;
    });
    return new Map(await Promise.all(counts));
  }

  /** The registries whose readers need no key. */
  readableByAll(): readonly PlacedRegistry[] {
    const { ring } = this.#options.shared;
    return this.deployment.registries.filter((placed) => !guardOf(placed, ring).needsKey('read'));
  }

  /** Whether the target of a request is the path of a registry, with nothing behind it. */
  isBare(request: IncomingMessage): boolean {
    return this.#places.find(request)?.isBare === true;
  }

  /** Finds the way of a request at the public port. */
  pathFor(request: IncomingMessage): Path {
    return this.#find(request, 'path');
  }

  /** Finds the way of a request at the operations port. */
  opsPathFor(request: IncomingMessage): Path {
    return this.#find(request, 'opsPath');
  }

  /**
   * Opens what has to be open before the service listens: its only registry, and of several those that a file keeps, or
   * that have a port of their own; of a worker that waits for lists, all. Rejects with the error of the first of these
   * that cannot be opened.
   */
  async openFirst(): Promise<void> {
    await openAll([...this.#slots.values()].filter(this.#isFirst), ({ open }) => open());
    if (this.#waitsForList()) await this.openOthers();
    this.#isStarting = false;
  }

  /**
   * Opens all others where Redis has them, since each replica keeps what Redis may lose, and elsewhere those that are
   * open from the start. A request that comes first opens its registry at once. Never rejects: what cannot be opened is
   * logged, and opened by the next request.
   */
  async openOthers(): Promise<void> {
    const { redis, logger } = this.#options.shared;
    const others = [...this.#slots.values()].filter((slot) => redis !== undefined || this.#isFirst(slot));
    await openAll(others, async ({ open, placed: { name } }) => {
      if (this.#closing.signal.aborted) return;
      await open().catch((error: unknown) =>
        logger.error({ registry: name, reason: (error as Error).message }, 'a registry cannot be opened'),
      );
    });
    this.#haveBeenTried = true;
  }

  /**
   * Goes by another configuration. What cannot change while the process runs stays as it is, and is named in the
   * result. Resolves once new requests go by it, or Redis has given no list for a while: then a registry goes by it
   * once it has one. Requests under way end as they began.
   */
  async apply(next: Deployment): Promise<ConfigChange> {
    const { shared } = this.#options;
    const change = changeOf(this.deployment, next, shared.redis !== undefined);
    shared.ring.replace(change.keys);
    for (const placed of change.added) this.#slots.set(placed.name, this.#slotFor(placed));
    for (const name of change.removed) {
      const slot = this.#slots.get(name)!;
      this.#slots.delete(name);
      slot.leave();
      this.#leaveLater(() => slot.close());
    }
    this.#deployment = change.deployment;
    this.#places = this.#placesNow();
    const changing: Promise<void>[] = [];
    await openAll(change.changed, async ({ placed, opensAnew }) => {
      const changed = this.#change(placed, opensAnew);
      changing.push(changed);
      await within(CHANGE_MS, changed);
    });
    this.#places = this.#placesNow();
    await within(shared.deadlines.startMs, Promise.all(changing));
    void this.openOthers();
    return change;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#leaving, ...[...this.#slots.values()].map((slot) => slot.close())]);
  }

  readonly #isFirst = ({ placed: { config } }: Slot): boolean =>
    !this.#options.shared.isNamed || config.dataFile !== undefined || config.dpmasterPort !== undefined;

  /** Never rejects. */
  async #change(placed: PlacedRegistry, opensAnew: boolean): Promise<void> {
    const { name: registry } = placed;
    await this.#slots
      .get(registry)!
      .change(placed, opensAnew)
      .catch(({ message: reason }: Error) => {
        this.#places = this.#placesNow();
        this.#options.shared.logger.error(
          { registry, reason },
          'a registry cannot be changed: it stays as it was',
        );
      });
  }

  #waitsForList(): boolean {
    return this.#isStarting && this.#options.shared.amongWorkers?.waitsForList === true;
  }

  #find(request: IncomingMessage, port: 'path' | 'opsPath'): Path {
    const root = this.#root;
    if (!this.#options.shared.isNamed) return this.#sole[port];
    const found = this.#places.find(request);
    if (found === undefined || (!found.isOfHost && root.has(request, port))) return root[port];
    const { isBare, target, value: slot } = found;
    if (isBare && prefers(request.headers.accept, 'text/html', 'application/json')) return root[port];
    request.url = target;
    return slot[port];
  }

  #slotFor(placed: PlacedRegistry): Slot {
    const { shared, ofProcess } = this.#options;
    // The only registry has the paths of the process as well.
    const rooms = shared.isNamed ? NO_ROOMS : ofProcess;
    return new Slot(placed, {
      open: (now) => ServedRegistry.open(now, shared, rooms, () => this.#waitsForList()),
      leaveLater: (close) => this.#leaveLater(close),
      away: this.#root.away,
    });
  }

  #placesNow(): Places<Slot> {
    return new Places(
      Array.from(this.#slots.values(), (value) => ({
        path: value.placed.path,
        hosts: value.placed.hosts,
        value,
      })),
    );
  }

  #leaveLater(close: () => Promise<void>): void {
    const { signal } = this.#closing;
    const left = delay(LEAVING_MS, undefined, { ref: false, signal })
      .catch(() => undefined)
      .then(close)
      .catch((error: unknown) =>
        this.#options.shared.logger.error({ err: error }, 'what was taken out could not be closed'),
      )
      .finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
  }
}

/** Opens a few at a time. */
async function openAll<T>(all: readonly T[], open: (each: T) => Promise<unknown>): Promise<void> {
  const waiting = all.values();
  const one = async (): Promise<void> => {
    for (const each of waiting) await open(each);
  };
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, one));
}

/** Waits until it is done, and no longer than so many ms. */
async function within(ms: number, done: Promise<unknown>): Promise<void> {
  await Promise.race([done, delay(ms, undefined, { ref: false })]);
}
