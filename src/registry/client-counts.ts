/** Counts what each client has, by its network: connections, streams, jobs, entries, or bytes of documents. */

import { networkOf } from '../model/net/ip.ts';

export class ClientCounts {
  readonly #counts = new Map<string, number>();
  readonly #networkOf: (client: string) => string;
  #total = 0;

  /** `of` returns the network of a client. By default a client is given by its address. */
  constructor(of: (client: string) => string = networkOf) {
    this.#networkOf = of;
  }

  /** How many networks have a count. */
  get networks(): number {
    return this.#counts.size;
  }

  /** The sum of the counts of all networks. */
  get total(): number {
    return this.#total;
  }

  /** The count of this client's network; 0 if the client is not known (''). */
  of(client: string): number {
    return this.#counts.get(this.#networkOf(client)) ?? 0;
  }

  add(client: string, amount = 1): void {
    this.#change(client, amount);
  }

  subtract(client: string, amount = 1): void {
    this.#change(client, -amount);
  }

  #change(client: string, by: number): void {
    if (client === '' || by === 0) return;
    const network = this.#networkOf(client);
    const count = (this.#counts.get(network) ?? 0) + by;
    this.#total += by;
    if (count === 0) this.#counts.delete(network);
    else this.#counts.set(network, count);
  }
}
