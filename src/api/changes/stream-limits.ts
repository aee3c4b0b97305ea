/** The limits for open streams: of all clients together, and of one address. */

import { ServiceError } from '../../model/service-error.ts';
import { ClientCounts } from '../../registry/client-counts.ts';

export interface StreamLimitsOptions {
  /** 0 means that there are no streams. */
  readonly most: number;
  /** The limit for one IPv4 address or IPv6 network (networkOf). */
  readonly mostPerAddress: number;
}

/** Clients that are refused at the same moment return within this span, in s. */
const SHORTEST_RETRY_S = 5;
const LONGEST_RETRY_S = 15;

export class StreamLimits {
  readonly #options: StreamLimitsOptions;
  readonly #open = new ClientCounts();

  constructor(options: StreamLimitsOptions) {
    this.#options = options;
  }

  /** How many streams are open. */
  get count(): number {
    return this.#open.total;
  }

  /** Throws a ServiceError `too_many_streams` if this client may not open another one. */
  check(address: string): void {
    const { most, mostPerAddress } = this.#options;
    if (most === 0) throw tooMany('this service has no streams: poll GET /changes?since=<tag> instead');
    if (this.count >= most)
      throw tooMany(`this replica has as many streams as it may, ${most}: try again later, or poll`);
    if (this.#open.of(address) >= mostPerAddress)
      throw tooMany(`this address has as many streams as it may, ${mostPerAddress}: close one, or poll`);
  }

  /** Counts a stream of the client, until the returned function is called. */
  take(address: string): () => void {
    this.#open.add(address);
    return () => this.#open.subtract(address);
  }
}

function tooMany(message: string): ServiceError {
  const seconds = SHORTEST_RETRY_S + Math.floor(Math.random() * (LONGEST_RETRY_S - SHORTEST_RETRY_S + 1));
  return new ServiceError('too_many_streams', { message, headers: { 'Retry-After': String(seconds) } });
}
