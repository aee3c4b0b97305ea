/**
 * In which order what is due gets its turn: the networks one after the other, each with one turn at a time, a limited
 * number of turns, and its share of a limited number of places. So no network keeps the others waiting, or is flooded.
 * Knows nothing of what a turn is for.
 */

import type { Clock } from './clock.ts';
import { Fifo } from './fifo.ts';

export interface NetworkQueueLimits {
  /** After so many turns a network rests for a minute. */
  readonly turnsPerNetwork: number;
  /** How many items and networks are kept, together. */
  readonly places: number;
}

/** A network with the items that wait for its turns. */
export interface Network<Item> {
  readonly name: string;
  readonly waiting: Fifo<Item>;
  /** Those of its items, waiting or not, and one for itself. */
  places: number;
  /** Since its last rest. */
  turns: number;
  /** `idle`: no item waits. `queued`: its turn will come. */
  state: 'idle' | 'queued' | 'active' | 'resting';
  /** The end of its rest. */
  restedAt: number;
}

const REST_MS = 60_000;

/** A network may take one more place as long as it has less than this share of the free ones. */
const SHARE_OF_FREE = 1 / 64;

export class NetworkQueue<Item extends { readonly network: Network<Item> }> {
  readonly #limits: NetworkQueueLimits;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #networks = new Map<string, Network<Item>>();
  readonly #queued = new Fifo<Network<Item>>();
  readonly #resting = new Fifo<Network<Item>>();
  #places = 0;

  constructor(limits: NetworkQueueLimits, clock: Pick<Clock, 'now'>) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Takes a place for an item of this network. Undefined when it has its share already, or all places are taken. */
  takePlace(name: string): Network<Item> | undefined {
    const known = this.#networks.get(name);
    const free = this.#limits.places - this.#places;
    if (free < 2 || (known?.places ?? 0) >= Math.max(1, free * SHARE_OF_FREE)) return undefined;
    const network = known ?? this.#add(name);
    this.#count(network, 1);
    return network;
  }

  /** The item, which has its place, waits for a turn. */
  push(item: Item): void {
    const { network } = item;
    network.waiting.push(item);
    if (network.state === 'idle') this.#enqueue(network);
  }

  /**
   * The item that has the next turn, until `endTurn`. An item that is not kept gets none, and loses its place. Undefined
   * when no network may have a turn now.
   */
  beginTurn(keeps: (item: Item) => boolean): Item | undefined {
    for (;;) {
      const network = this.#queued.shift();
      if (network === undefined) return undefined;
      const item = network.turns < this.#limits.turnsPerNetwork ? this.#next(network, keeps) : undefined;
      if (item !== undefined) {
        network.state = 'active';
        network.turns += 1;
        return item;
      }
      this.#settle(network);
    }
  }

  endTurn({ network }: Item): void {
    this.#enqueue(network);
  }

  /** To be called now and then: lets the networks go on that have rested. */
  endRests(): void {
    while ((this.#resting.first?.restedAt ?? Infinity) <= this.#clock.now()) {
      const network = this.#resting.shift()!;
      network.turns = 0;
      this.#enqueue(network);
    }
  }

  #add(name: string): Network<Item> {
    const network: Network<Item> = {
      name,
      waiting: new Fifo(),
      places: 0,
      turns: 0,
      state: 'idle',
      restedAt: 0,
    };
    this.#networks.set(name, network);
    this.#count(network, 1);
    return network;
  }

  #count(network: Network<Item>, places: 1 | -1): void {
    network.places += places;
    this.#places += places;
  }

  #enqueue(network: Network<Item>): void {
    network.state = 'queued';
    this.#queued.push(network);
  }

  #next(network: Network<Item>, keeps: (item: Item) => boolean): Item | undefined {
    for (;;) {
      const item = network.waiting.shift();
      if (item === undefined || keeps(item)) return item;
      this.#count(network, -1);
    }
  }

  /** A network without items goes only after a rest: otherwise it would come back with all its turns. */
  #settle(network: Network<Item>): void {
    const hasItems = network.places > 1;
    if (hasItems && network.waiting.isEmpty) network.state = 'idle';
    else if (hasItems || network.turns > 0) {
      network.state = 'resting';
      network.restedAt = this.#clock.now() + REST_MS;
      this.#resting.push(network);
    } else {
      this.#networks.delete(network.name);
      this.#count(network, -1);
    }
  }
}
