/** The limits for open streams: of all clients together, and of one address. */

import { ServiceError } from '../../model/service-error.ts';
import { ClientCounts } from '../../registry/client-counts.ts';

export interface StreamLimitsOptions {
  /** 0 means that there are no streams. */
  readonly most: number;
  /** The limit for one IPv4 address or IPv6 network (networkOf). */
  readonly mostPerAddress: number;
  /** The streams of all registries of this process, this one's among them. */
  readonly ofAll: StreamsOfAll;
}

/** How many streams a process has open, and may have. */
export interface StreamsOfAll {
  readonly most: number;
  open: number;
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
    const { most, mostPerAddress, ofAll } = this.#options;
    if (most === 0) throw tooMany('this service has no streams: poll GET /changes?since=<tag> instead');
    const full = this.count >= most ? most : ofAll.open >= ofAll.most ? ofAll.most : undefined;
    if (full !== undefined)
      throw tooMany(`this replica has as many streams as it may, ${full}: try again later, or poll`);
    if (this.#open.of(address) >= mostPerAddress)
      throw tooMany(`this address has as many streams as it may, ${mostPerAddress}: close one, or poll`);
  }

  /** Counts a stream of the client, until the returned function is called. */
  take(address: string): () => void {
    const { ofAll } = this.#options;
    this.#open.add(address);
    ofAll.open += 1;
    return () => {
      this.#open.subtract(address);
      ofAll.open -= 1;
    };
  }
}

function tooMany(message: string): ServiceError {
  const seconds = SHORTEST_RETRY_S + Math.floor(Math.random() * (LONGEST_RETRY_S - SHORTEST_RETRY_S + 1));
  return new ServiceError('too_many_streams', { message, headers: { 'Retry-After': String(seconds) } });
}
