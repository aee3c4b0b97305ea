/** How many entries the network of each client has. Twin of the counts in redis/lua/lib/quotas.lua. */

import { networkOf } from '../ip.ts';

export class ClientCounts {
  readonly #counts = new Map<string, number>();

  /** How many networks have any. */
  get networks(): number {
    return this.#counts.size;
  }

  /** Of the network of this address; 0 if the address is not known. */
  of(client: string): number {
    return this.#counts.get(networkOf(client)) ?? 0;
  }

  add(client: string): void {
    this.#change(client, 1);
  }

  subtract(client: string): void {
    this.#change(client, -1);
  }

  #change(client: string, by: number): void {
    if (client === '') return;
    const network = networkOf(client);
    const count = (this.#counts.get(network) ?? 0) + by;
    if (count === 0) this.#counts.delete(network);
    else this.#counts.set(network, count);
  }
}
