/** How many streams may be open: of all clients together, and of one address. Knows nothing of what they tell. */

import { ServiceError } from '../errors.ts';
import { networkOf } from '../registry/ip.ts';

export interface StreamLimitsOptions {
  /** 0: there are no streams. */
  readonly most: number;
  /** By IPv4 address or IPv6 network (networkOf). */
  readonly mostPerAddress: number;
}

/** Clients that are refused together return within this time, s. */
const SHORTEST_RETRY_S = 5;
const LONGEST_RETRY_S = 15;

export class StreamLimits {
  readonly #options: StreamLimitsOptions;
  /** By address or network. */
  readonly #open = new Map<string, number>();
  #count = 0;

  constructor(options: StreamLimitsOptions) {
    this.#options = options;
  }

  /** How many streams are open. */
  get count(): number {
    return this.#count;
  }

  /** Throws a ServiceError `too_many_streams` if this client may not open another one. */
  check(address: string): void {
    const { most, mostPerAddress } = this.#options;
    if (most === 0) throw tooMany('this service has no streams: poll GET /changes?since=<tag> instead');
    if (this.#count >= most)
      throw tooMany(`this replica has as many streams as it may, ${most}: try again later, or poll`);
    if ((this.#open.get(networkOf(address)) ?? 0) >= mostPerAddress)
      throw tooMany(`this address has as many streams as it may, ${mostPerAddress}: close one, or poll`);
  }

  /** Counts a stream of the client, until the returned function is called. */
  take(address: string): () => void {
    const network = networkOf(address);
    this.#count += 1;
    this.#open.set(network, (this.#open.get(network) ?? 0) + 1);
    return () => {
      this.#count -= 1;
      const left = this.#open.get(network)! - 1;
      if (left === 0) this.#open.delete(network);
      else this.#open.set(network, left);
    };
  }
}

function tooMany(message: string): ServiceError {
  const seconds = SHORTEST_RETRY_S + Math.floor(Math.random() * (LONGEST_RETRY_S - SHORTEST_RETRY_S + 1));
  return new ServiceError('too_many_streams', { message, headers: { 'Retry-After': String(seconds) } });
}
