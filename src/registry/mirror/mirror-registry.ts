/**
 * The backend of a mirror: the lists of other registries as one, which nobody can write to. It follows each of its
 * origins, and goes on with what it knows while they are away. The reading half of the port alone means something here.
 */

import type { Backend, Fate, History, Lease, Moderation, ReachabilityNotes, Reports } from '../backend.ts';
import { NO_DECISIONS } from '../decisions/decisions.ts';
import type { GameServerId, ListedGameServer } from '../../model/game-server.ts';
import { ServiceError } from '../../model/service-error.ts';
import { SAMPLE_INTERVAL_MS } from '../history-record.ts';
import { MemoryHistory } from '../memory/beside/memory-history.ts';
import { MemoryLists } from '../memory/memory-lists.ts';
import { VersionedList } from '../memory/versioned-list.ts';
import type { NativeEntries } from '../native-entries.ts';
import { systemClock, type ByJoinCode, type Clock, type Listing } from '../registry.ts';
import { keepList, readKeptList } from './kept-list.ts';
import { OriginFeed } from './origin-feed.ts';
import { Origin, type OriginEvents, type OriginState, type ReadEntry } from './origin.ts';
import { Union } from './union.ts';

/** An origin, as the configuration names it. */
export interface NamedOrigin {
  readonly name: string;
  /** Without a slash at its end. */
  readonly url: string;
  readonly key: string | undefined;
}

export interface MirrorEvents extends OriginEvents {
  /** The file that was found is of no use: why. */
  readonly onKeptUnreadable: (why: string) => void;
  /** The list cannot be kept in the file any more, or can again (undefined). */
  readonly onKept: (error: unknown) => void;
}

export interface MirrorOptions {
  readonly origins: readonly NamedOrigin[];
  /** The file that keeps the last list. */
  readonly keptIn?: string | undefined;
  /** How long the entries of an origin stay while it is away. */
  readonly maxStaleMs: number;
  /** Undefined for what no game server could have said. */
  readonly read: ReadEntry;
  readonly events: MirrorEvents;
  readonly clock?: Clock;
}

/** How often what has lasted too long is looked for. */
const SWEEP_INTERVAL_MS = 1000;
/** How often the list is kept in the file; and once more whenever an origin has told its list for the first time. */
const KEEP_INTERVAL_MS = 60_000;

/** Followed origins with what follows them. */
interface Followed {
  readonly origin: Origin;
  readonly feed: OriginFeed;
}

export class MirrorRegistry implements Backend {
  readonly moderation: Moderation = {
    decided: NO_DECISIONS,
    decide: () => refuse(),
    findBan: () => undefined,
    mayBeTold: () => true,
  };
  readonly history: History;
  readonly lease: Lease = { take: () => refuse() };
  readonly secret = { text: undefined };
  readonly reachability: ReachabilityNotes = { note: () => refuse() };
  readonly reports: Reports = { all: async () => new Map(), add: () => refuse(), dismiss: () => refuse() };
  readonly nativeEntries: NativeEntries = {
    publish: () => refuse(),
    withdraw: () => refuse(),
    documentOf: () => undefined,
  };
  readonly fates = { of: async (): Promise<Fate> => ({ is: 'unknown' }), expiredOf: async () => [] };
  readonly broadcast = refuse;
  readonly ping = refuse;
  readonly rebroadcast = refuse;
  readonly remove = refuse;
  readonly park = refuse;
  readonly evict = refuse;
  readonly #options: MirrorOptions;
  readonly #list: VersionedList<ListedGameServer>;
  readonly #lists: MemoryLists<ListedGameServer>;
  readonly #union: Union;
  readonly #followed: readonly Followed[];
  /** The ids of the registries behind the origins, by the names of those. */
  readonly #ids = new Map<string, string>();
  readonly #timers: readonly (() => void)[];
  #keeping: Promise<void> = Promise.resolve();
  #keptAt = -Infinity;
  /** How many origins the kept list is of. */
  #keptOf = 0;

  private constructor(options: MirrorOptions, kept: NonNullable<Awaited<ReturnType<typeof readKeptList>>>) {
    const { clock = systemClock, origins, maxStaleMs, read, events } = options;
    this.#options = options;
    this.#list = new VersionedList({ clock });
    this.#list.begin(undefined, 0);
    this.#lists = new MemoryLists(this.#list, () => undefined);
    const made = origins.map(({ name, url }) => {
      const union = (): Union => this.#union;
      return new Origin({ name, url, union, clock, read, events, maxStaleMs });
    });
    this.#union = new Union(made, this.#list);
    this.#followed = made.map((origin, at) => {
      const { url, key } = origins[at]!;
      const known = kept.find((each) => each.name === origin.name && each.url === url);
      if (known !== undefined) void origin.restore(known.entries, known.asOf, known.tag);
      const feed = new OriginFeed({
        url,
        key,
        tag: known?.tag,
        now: () => clock.now(),
        whyNot: (id) => this.#whyNot(origin.name, id),
        onChanges: (changes) => void origin.takeChanges(changes),
        onContact: (contact) => void origin.takeContact(contact),
      });
      return { origin, feed };
    });
    const history = new MemoryHistory(undefined);
    this.history = history;
    this.#timers = [
      clock.every(SWEEP_INTERVAL_MS, () => this.#sweep()),
      clock.every(SAMPLE_INTERVAL_MS, async () => {
        if (this.hasList && this.#staleSince === undefined)
          await history.sample(clock.now(), this.#list.shown);
      }),
    ];
  }

  /** Begins with what the file has, if there is one. Origins may be away. */
  static async open(options: MirrorOptions): Promise<MirrorRegistry> {
    const { keptIn, read, events } = options;
    const kept =
      keptIn === undefined
        ? undefined
        : await readKeptList(keptIn, read).catch((error: Error) => events.onKeptUnreadable(error.message));
    return new MirrorRegistry(options, kept ?? []);
  }

  /** The origins, in the order of the configuration. */
  readonly origins = (): readonly OriginState[] => this.#followed.map(({ origin }) => origin.state);

  get hasList(): boolean {
    return this.#known.length > 0;
  }

  async list(): Promise<Listing> {
    if (!this.hasList) throw new ServiceError('registry_unavailable');
    const { snapshot } = await this.#lists.current();
    return { snapshot, staleSince: this.#staleSince };
  }

  glance(): Promise<Listing> {
    return this.list();
  }

  known(by: GameServerId | ByJoinCode): ListedGameServer | undefined {
    return typeof by === 'string' ? this.#union.known(by) : undefined;
  }

  async entries(): Promise<Iterable<ListedGameServer>> {
    return this.#list.all();
  }

  async close(): Promise<void> {
    for (const stop of this.#timers) stop();
    for (const { feed } of this.#followed) feed.stop();
    await this.#keep();
  }

  get #now(): number {
    return (this.#options.clock ?? systemClock).now();
  }

  /** The origins whose lists are known, be they old ones. */
  get #known(): readonly Followed[] {
    return this.#followed.filter(({ origin }) => origin.hasTold);
  }

  /** An origin that was given up counts no more, unless all were. */
  get #staleSince(): number | undefined {
    const states = this.origins();
    const counted = states.filter(({ state }) => state !== 'given_up');
    const times = (counted.length > 0 ? counted : states).flatMap(({ staleSince }) => staleSince ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Why the registry of this id cannot be the one of this origin. */
  #whyNot(name: string, id: string): string | undefined {
    if (id === '') return undefined;
    const other = [...this.#ids].find(([its, known]) => known === id && its !== name);
    if (other !== undefined) return `is the same registry as ${other[0]}: name it once`;
    this.#ids.set(name, id);
    return undefined;
  }

  async #sweep(): Promise<void> {
    for (const { origin, feed } of this.#followed) if (await origin.sweep()) feed.beginAnew();
    if (this.#known.length > this.#keptOf || this.#now - this.#keptAt >= KEEP_INTERVAL_MS) void this.#keep();
  }

  /** Keeps the list, one call after the other. */
  #keep(): Promise<void> {
    const before = this.#keeping;
    const { keptIn } = this.#options;
    const known = this.#known;
    const now = this.#now;
    this.#keptAt = now;
    this.#keptOf = known.length;
    const keep = async (): Promise<void> => {
      await before;
      if (known.length === 0 || keptIn === undefined) return;
      try {
        await keepList(
          keptIn,
          known.map(({ origin }) => ({
            name: origin.name,
            url: origin.state.url,
            tag: origin.tag,
            asOf: origin.state.staleSince ?? now,
            entries: origin.entries.values(),
          })),
        );
        this.#options.events.onKept(undefined);
      } catch (error) {
        this.#options.events.onKept(error);
      }
    };
    this.#keeping = keep();
    return this.#keeping;
  }
}

/** Routes that would write answer before they come here. */
function refuse(): Promise<never> {
  return Promise.reject(new ServiceError('read_only'));
}
