/**
 * The queue of items to probe. Networks have their turns one after the other. Each has one probe at a time, a number of
 * probes before it rests, and its share of the places: no network keeps the others waiting, or is flooded.
 */

import type { ProbeClock } from './clock.ts';
import { Fifo } from './fifo.ts';

export interface NetworkQueueLimits {
  /** The number of probes after which a network rests for a minute. */
  readonly probesPerNetwork: number;
  /** How many items and networks are kept in all. */
  readonly places: number;
}

/** A network with the items that wait for its probes. */
export interface QueuedNetwork<Item> {
  readonly name: string;
  readonly waiting: Fifo<Item>;
  /** One place for each of its items, waiting or not, and one for the network itself. */
  places: number;
  /** The number of its probes since its last rest. */
  probes: number;
  /** `idle`: no item waits. `queued`: it will be probed. */
  state: 'idle' | 'queued' | 'active' | 'resting';
  /** When its rest ends. */
  restedAt: number;
}

const REST_MS = 60_000;

/** A network gets one more place while it has less than this share of the free ones. */
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

  /** Reserves a place for an item of this network. Undefined if it has its share already, or no place is free. */
  takePlace(name: string): QueuedNetwork<Item> | undefined {
    const known = this.#networks.get(name);
    const free = this.#limits.places - this.#places;
    if (free < 2 || (known?.places ?? 0) >= Math.max(1, free * SHARE_OF_FREE)) return undefined;
    const network = known ?? this.#add(name);
    this.#count(network, 1);
    return network;
  }

  /** Queues an item, which must have its place, to be probed. */
  push(item: Item): void {
    const { network } = item;
    network.waiting.push(item);
    if (network.state === 'idle') this.#enqueue(network);
  }

  /**
   * The next item to probe, until `giveBack`. Items that `keeps` rejects are not probed, and lose their places.
   * Undefined if no network may be probed now.
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

  /** Ends the rests that are over. Call it regularly. */
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

  /** A network without items is dropped only after a rest: otherwise it would come back with all its probes. */
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
