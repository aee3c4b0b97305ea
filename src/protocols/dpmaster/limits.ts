/**
 * Limits for what strangers cost. The sender of a packet may be forged: until an address has sent back a challenge,
 * packets to it may go to a victim. So everything that is sent to unproved addresses is limited, by address and in all.
 */

import type { IpAddress } from '../../model/net/ip.ts';
import { perNetwork, type CountRequest, type WindowLimit } from '../window-limit.ts';

/** An allowance that grows back: so much per second, and at most as much at once. */
export class Allowance {
  readonly #perSecond: number;
  readonly #now: () => number;
  #left: number;
  #at: number;

  /** `now`: ms of a clock that cannot be set. */
  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond;
    this.#left = perSecond;
    this.#now = now;
    this.#at = now();
  }

  get isLeft(): boolean {
    const now = this.#now();
    this.#left = Math.min(this.#perSecond, this.#left + ((now - this.#at) * this.#perSecond) / 1000);
    this.#at = now;
    return this.#left > 0;
  }

  /** Takes an amount. It may leave a debt, which must grow back first. */
  take(amount: number): void {
    this.#left -= amount;
  }
}

/**
 * A browser asks for a list once or twice when a player refreshes it. Several players at one address have room, and a
 * victim gets ten lists in ten seconds. dpmaster itself allows 4 at once and one in 3 s, if its limit is on.
 */
export const LISTS_BY_NETWORK: WindowLimit = { requests: 10, windowS: 10 };
/** Enough for 3,000 game servers at one address, with a heartbeat in 300 s each. Only answers with proof count. */
export const ANSWERS_BY_NETWORK: WindowLimit = { requests: 100, windowS: 10 };
/** 8 Mbit/s: 250 lists of 600 game servers in a second, and not a tenth of what a small machine can send. */
export const LIST_BYTES_PER_SECOND = 1_000_000;
/** New game servers, each of which is asked with 31 bytes. 10,000 of them are listed within ten seconds. */
export const STRANGERS_PER_SECOND = 1000;

export interface LimitsOptions {
  readonly lists?: WindowLimit | undefined;
  readonly answers?: WindowLimit | undefined;
  /** ms of a clock that cannot be set. */
  readonly now: () => number;
}

export class Limits {
  readonly #lists: CountRequest;
  readonly #answers: CountRequest;
  readonly listBytes: Allowance;
  readonly strangers: Allowance;

  constructor({ lists, answers, now }: LimitsOptions) {
    this.#lists = perNetwork(lists ?? LISTS_BY_NETWORK, now);
    this.#answers = perNetwork(answers ?? ANSWERS_BY_NETWORK, now);
    this.listBytes = new Allowance(LIST_BYTES_PER_SECOND, now);
    this.strangers = new Allowance(STRANGERS_PER_SECOND, now);
  }

  /** Counts a request, and returns whether the client may have a list. */
  mayAskForList(client: IpAddress): boolean {
    return this.listBytes.isLeft && this.#lists(client);
  }

  /** Counts an answer, and returns whether a game server that has proved its address may be listed or refreshed. */
  mayAnswer(client: IpAddress): boolean {
    return this.#answers(client);
  }
}
