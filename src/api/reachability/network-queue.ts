/**
 * Which of what is due is probed next: the networks one after the other, each with one probe at a time, a limited
 * number of them, and its share of a limited number of places. So no network keeps the others waiting, or is flooded.
 */

import type { ProbeClock } from './clock.ts';
import { Fifo } from './fifo.ts';

export interface NetworkQueueLimits {
  /** After so many probes a network rests for a minute. */
  readonly probesPerNetwork: number;
  /** How many items and networks are kept, together. */
  readonly places: number;
}

/** A network with the items that wait for its probes. */
export interface QueuedNetwork<Item> {
  readonly name: string;
  readonly waiting: Fifo<Item>;
  /** Those of its items, waiting or not, and one for itself. */
  places: number;
  /** Since its last rest. */
  probes: number;
  /** `idle`: no item waits. `queued`: it will be probed. */
  state: 'idle' | 'queued' | 'active' | 'resting';
  /** The end of its rest. */
  restedAt: number;
}

const REST_MS = 60_000;

/** A network may take one more place as long as it has less than this share of the free ones. */
const SHARE_OF_FREE = 1 / 64;

export class NetworkQueue<Item extends { readonly network: QueuedNetwork<Item> }> {
  readonly #limits: NetworkQueueLimits;
  readonly #clock: Pick<ProbeClock, 'now'>;
  readonly #networks = new Map<string, QueuedNetwork<Item>>();
  readonly #queued = new Fifo<QueuedNetwork<Item>>();
  readonly #resting = new Fifo<QueuedNetwork<Item>>();
  #places = 0;

  constructor(limits: NetworkQueueLimits, clock: Pick<ProbeClock, 'now'>) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Takes a place for an item of this network. Undefined when it has its share already, or all places are taken. */
  takePlace(name: string): QueuedNetwork<Item> | undefined {
    const known = this.#networks.get(name);
    const free = this.#limits.places - this.#places;
    if (free < 2 || (known?.places ?? 0) >= Math.max(1, free * SHARE_OF_FREE)) return undefined;
    const network = known ?? this.#add(name);
    this.#count(network, 1);
    return network;
  }

  /** The item, which has its place, waits to be probed. */
  push(item: Item): void {
    const { network } = item;
    network.waiting.push(item);
    if (network.state === 'idle') this.#enqueue(network);
  }

  /**
   * The item that is probed next, until `giveBack`. An item that is not kept is not probed, and loses its place.
   * Undefined when no network may be probed now.
   */
  take(keeps: (item: Item) => boolean): Item | undefined {
    for (;;) {
      const network = this.#queued.shift();
      if (network === undefined) return undefined;
      const item = network.probes < this.#limits.probesPerNetwork ? this.#next(network, keeps) : undefined;
      if (item !== undefined) {
        network.state = 'active';
        network.probes += 1;
        return item;
      }
      this.#settle(network);
    }
  }

  giveBack({ network }: Item): void {
    this.#enqueue(network);
  }

  /** To be called now and then: lets the networks go on that have rested. */
  endRests(): void {
    while ((this.#resting.first?.restedAt ?? Infinity) <= this.#clock.now()) {
      const network = this.#resting.shift()!;
      network.probes = 0;
      this.#enqueue(network);
    }
  }

  #add(name: string): QueuedNetwork<Item> {
    const network: QueuedNetwork<Item> = {
      name,
      waiting: new Fifo(),
      places: 0,
      probes: 0,
      state: 'idle',
      restedAt: 0,
    };
    this.#networks.set(name, network);
    this.#count(network, 1);
    return network;
  }

  #count(network: QueuedNetwork<Item>, places: 1 | -1): void {
    network.places += places;
    this.#places += places;
  }

  #enqueue(network: QueuedNetwork<Item>): void {
    network.state = 'queued';
    this.#queued.push(network);
  }

  #next(network: QueuedNetwork<Item>, keeps: (item: Item) => boolean): Item | undefined {
    for (;;) {
      const item = network.waiting.shift();
      if (item === undefined || keeps(item)) return item;
      this.#count(network, -1);
    }
  }

  /** A network without items goes only after a rest: otherwise it would come back with all its probes. */
  #settle(network: QueuedNetwork<Item>): void {
    const hasItems = network.places > 1;
    if (hasItems && network.waiting.isEmpty) network.state = 'idle';
    else if (hasItems || network.probes > 0) {
      network.state = 'resting';
      network.restedAt = this.#clock.now() + REST_MS;
      this.#resting.push(network);
    } else {
      this.#networks.delete(network.name);
      this.#count(network, -1);
    }
  }
}
