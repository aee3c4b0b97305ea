/**
 * One origin of a mirror: what it lists, as of when, and what a loss of it means. An origin that says anew what it
 * lists, and lacks most of what it listed before, has more likely lost it than that most game servers stopped: what is
 * missing stays for a while, until the game servers come back, as in the hold of a mass expiry.
 */

import type { GameServerId } from '../../model/game-server.ts';
import type { ListedServer, TaggedChanges } from '../../model/view/listed-server.ts';
import { LONGEST_HOLD_MS } from '../lifetime.ts';
import type { Clock } from '../registry.ts';
import { inTurns } from '../snapshot/in-turns.ts';
import type { OriginEntries, OriginEntry, Union } from './union.ts';

/**
 * Reads what the origin of this name says of a game server. `known`: its entry so far, which it repeats in most cases,
 * except for the players.
 */
export type ReadEntry = (
  server: ListedServer,
  origin: string,
  known?: OriginEntry,
) => OriginEntry | undefined;

/** The most entries that an origin may have. */
export const MOST_ENTRIES = 200_000;

/** `held`: it has lost most of its list. `given_up`: it was stale for too long, and none of its entries is left. */
export const ORIGIN_STATES = ['live', 'stale', 'held', 'away', 'given_up'] as const;

/** How an origin stands. `staleSince`: when its list was current last, ms since the epoch; undefined if it is. */
export interface OriginState {
  readonly name: string;
  readonly url: string;
  readonly state: (typeof ORIGIN_STATES)[number];
  readonly staleSince: number | undefined;
  /** How many entries it has here. */
  readonly servers: number;
  /** What is wrong with it, as a sentence. */
  readonly problem: string | undefined;
}

/**
 * How its list stands: as the origin itself says, or as it is known to be. `since`: as of when the list is, ms since
 * the epoch; undefined if nothing was heard that would change it.
 */
export type OriginContact =
  | { readonly is: 'live' }
  | {
      readonly is: 'stale' | 'away';
      readonly since: number | undefined;
      readonly problem?: string | undefined;
    };

export interface OriginEvents {
  readonly onState: (state: OriginState) => void;
  /** It lacks so many of the entries that it had. */
  readonly onHeld: (name: string, missing: number, known: number) => void;
  readonly onHoldOver: (name: string, dropped: number) => void;
  /** What it says of so many game servers cannot be read, or goes beyond MOST_ENTRIES. */
  readonly onUnreadable: (name: string, count: number) => void;
}

export interface OriginOptions {
  readonly name: string;
  readonly url: string;
  readonly union: () => Union;
  readonly clock: Pick<Clock, 'now'>;
  /** Undefined for what no game server could have said. */
  readonly read: ReadEntry;
  readonly events: OriginEvents;
  /** How long its entries stay while it is away. */
  readonly maxStaleMs: number;
}

export class Origin implements OriginEntries {
  readonly name: string;
  readonly entries = new Map<GameServerId, OriginEntry>();
  readonly #options: OriginOptions;
  readonly #startedAt: number;
  #contact: OriginContact = { is: 'away', since: undefined };
  /** The entries that the origin has lost; empty without a hold. */
  readonly #held = new Set<GameServerId>();
  #heldSince = 0;
  #isGivenUp = false;
  #isFresh = false;
  /** Whether it has ever told what it lists. */
  #hasTold = false;
  #told = '';
  /** How many entries the log says it has that cannot be read. */
  #unreadable = 0;
  #tag: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: OriginOptions) {
    this.name = options.name;
    this.#options = options;
    this.#startedAt = options.clock.now();
  }

  get isFresh(): boolean {
    return this.#isFresh;
  }

  /** Whether its list is known, be it an old one. */
  get hasTold(): boolean {
    return this.#hasTold;
  }

  /** The tag of the list that its entries are; undefined if that is to be told anew. */
  get tag(): string | undefined {
    return this.#tag;
  }

  get state(): OriginState {
    const { name, url } = this.#options;
    const contact = this.#contact;
    const isHeld = this.#held.size > 0 && contact.is !== 'away';
    return {
      name,
      url,
      state: this.#isGivenUp ? 'given_up' : isHeld ? 'held' : contact.is,
      staleSince: this.#staleSince,
      servers: this.entries.size,
      problem: contact.is === 'live' ? undefined : contact.problem,
    };
  }

  get #staleSince(): number | undefined {
    const since = this.#contact.is === 'live' ? Infinity : (this.#contact.since ?? this.#startedAt);
    const earliest = this.#held.size > 0 ? Math.min(since, this.#heldSince) : since;
    return earliest === Infinity ? undefined : earliest;
  }

  /** Lists what an earlier process has known. */
  restore(entries: Iterable<OriginEntry>, since: number, tag: string | undefined): Promise<void> {
    return this.#inOrder(async () => {
      await inTurns(entries, (entry) => this.#options.union().set(entry));
      this.#hasTold = true;
      this.#tag = tag;
      this.#contact = { is: 'away', since };
    });
  }

  /** Takes what the origin says of its list. */
  takeChanges(changes: TaggedChanges): Promise<void> {
    return this.#inOrder(() => this.#apply(changes));
  }

  takeContact(contact: OriginContact): Promise<void> {
    return this.#inOrder(async () => {
      const since = this.#contact.is === 'live' ? this.#options.clock.now() : this.#contact.since;
      this.#contact = contact.is === 'live' ? contact : { ...contact, since: contact.since ?? since };
      await this.#tell();
    });
  }

  /** Ends what has lasted too long. Resolves with whether the entries were given up, and have to be told anew. */
  async sweep(): Promise<boolean> {
    let givesUp = false;
    await this.#inOrder(async () => {
      const now = this.#options.clock.now();
      if (this.#held.size > 0 && now - this.#heldSince >= LONGEST_HOLD_MS) await this.#endHold();
      const since = this.#staleSince;
      if (since === undefined || this.#isGivenUp || now - since <= this.#options.maxStaleMs) return;
      givesUp = true;
      this.#isGivenUp = true;
      this.#tag = undefined;
      await inTurns([...this.entries.keys()], (id) => this.#drop(id));
      await this.#tell();
    });
    return givesUp;
  }

  async #apply({ full, servers, removed, tag }: TaggedChanges): Promise<void> {
    const union = this.#options.union();
    const { name, entries } = this;
    let unreadable = 0;
    const told = new Set<GameServerId>();
    const known = entries.size;
    await inTurns(servers, (server) => {
      const entry = this.#options.read(server, name, entries.get(server.id));
      const isTooMany = entries.size >= MOST_ENTRIES && !entries.has(server.id);
      if (entry === undefined || isTooMany) {
        unreadable += 1;
        this.#drop(server.id);
        return;
      }
      told.add(entry.id);
      this.#held.delete(entry.id);
      // A game server that came back after a loss has another id.
      for (const id of this.#held.size > 0 ? union.idsAt(entry) : []) if (this.#held.has(id)) this.#drop(id);
      union.set(entry);
    });
    const gone = full ? [...entries.keys()].filter((id) => !told.has(id)) : removed;
    const isLoss = full && gone.length > known / 2;
    if (isLoss) this.#hold(gone, known);
    else await inTurns(gone, (id) => this.#drop(id));
    this.#hasTold = true;
    this.#tag = tag;
    this.#isGivenUp = false;
    // An origin that is polled says the same again each time.
    if (unreadable > this.#unreadable) this.#options.events.onUnreadable(name, unreadable);
    this.#unreadable = full ? unreadable : Math.max(unreadable, this.#unreadable);
    // What is heard after that it was away says how it stands.
    if (this.#contact.is !== 'away') await this.#tell();
  }

  #drop(id: GameServerId): void {
    this.#held.delete(id);
    this.#options.union().delete(this, id);
  }

  #hold(gone: readonly GameServerId[], known: number): void {
    if (this.#held.size === 0) {
      this.#heldSince = this.#options.clock.now();
      this.#options.events.onHeld(this.name, gone.length, known);
    }
    for (const id of gone) this.#held.add(id);
  }

  async #endHold(): Promise<void> {
    const lost = [...this.#held];
    await inTurns(lost, (id) => this.#drop(id));
    this.#options.events.onHoldOver(this.name, lost.length);
    await this.#tell();
  }

  /** Goes by the state from now on, and tells of it if it is another one. */
  async #tell(): Promise<void> {
    const { state } = this;
    const isFresh = state.state === 'live';
    if (isFresh !== this.#isFresh) {
      this.#isFresh = isFresh;
      await this.#options.union().refresh(this);
    }
    const told = `${state.state} ${state.problem}`;
    if (told !== this.#told) this.#options.events.onState(state);
    this.#told = told;
  }

  /** Runs the task once all earlier ones are done. */
  #inOrder(task: () => Promise<void>): Promise<void> {
    const done = this.#last.then(task);
    this.#last = done;
    return done;
  }
}
