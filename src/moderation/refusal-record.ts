/**
 * What this replica has refused of late, by the network of the client, for moderators. In memory alone, and bounded.
 */

import { ERRORS, type ErrorCode } from '../errors.ts';
import { networkOf } from '../registry/ip.ts';

/** How often requests of one network were refused with this code, and when last, ms since the epoch. */
export interface Refusals {
  readonly code: ErrorCode;
  readonly count: number;
  readonly at: number;
}

const MOST_NETWORKS = 10_000;

export class RefusalRecord {
  /** The network refused last is the last one. */
  readonly #networks = new Map<string, Map<ErrorCode, Refusals>>();
  readonly #now: () => number;

  /** `now`: ms since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes the code of a refusal and the address of the client, in canonical form (parseIp). */
  note(code: ErrorCode, address: string | undefined): void {
    // An error of the service says nothing of the client.
    if (address === undefined || ERRORS[code].status >= 500) return;
    const network = networkOf(address);
    const codes = this.#networks.get(network) ?? new Map<ErrorCode, Refusals>();
    const count = (codes.get(code)?.count ?? 0) + 1;
    codes.set(code, { code, count, at: this.#now() });
    this.#networks.delete(network);
    this.#networks.set(network, codes);
    if (this.#networks.size > MOST_NETWORKS) {
      const [oldest] = this.#networks.keys();
      this.#networks.delete(oldest!);
    }
  }

  /** What was refused to the network of this address. */
  of(address: string): readonly Refusals[] {
    return [...(this.#networks.get(networkOf(address))?.values() ?? [])];
  }
}
