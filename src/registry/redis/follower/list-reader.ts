/**
 * Reads the list: each read waits for a poll of the feed that begins after it, and all that wait share one (the read
 * barrier). A poll during which the process was paused is repeated: its result may be long outdated. A read that Redis
 * does not confirm in time gets the last list.
 */

import type { Deadlines } from '../../../runtime/deadlines.ts';
import { ServiceError } from '../../../model/service-error.ts';
import { coalesce } from '../../../runtime/coalesce.ts';
import type { Listing } from '../../registry.ts';
import type { CircuitBreaker } from '../scripts/circuit-breaker.ts';
import { withinDeadline } from '../connection/deadline.ts';
import type { RedisRegistryEvents } from '../events.ts';
import type { Rest } from '../rest.ts';
import type { Follower } from './follower.ts';
import type { ConfirmedList } from './list-copy.ts';
import type { Pulse } from '../../../runtime/pulse.ts';

export interface ListReaderOptions {
  readonly breaker: CircuitBreaker;
  readonly follower: Pick<Follower, 'catchUp' | 'current' | 'currentWithin' | 'isIncomplete'>;
  readonly rest: Pick<Rest, 'isResting'>;
  readonly deadlines: Pick<Deadlines, 'listMs'>;
  readonly pulse: Pick<Pulse, 'hasPausedSince'>;
  readonly onPoll: RedisRegistryEvents['onPoll'] | undefined;
}

export class ListReader {
  readonly #options: ListReaderOptions;
  /** Resolves once the copy has a state of Redis that is newer than the call. */
  readonly barrier: () => Promise<ConfirmedList>;
  /** The reads of the list that wait for the next poll of the barrier. */
  #waiting = 0;
  #lastPoll: Promise<ConfirmedList> | undefined;
  #lastListing: Promise<Listing> | undefined;

  constructor(options: ListReaderOptions) {
    const { breaker, follower, rest, pulse, onPoll } = options;
    const isNeeded = (): boolean => !rest.isResting;
    this.#options = options;
    this.barrier = coalesce(async () => {
      const reads = this.#waiting;
      this.#waiting = 0;
      let current: ConfirmedList;
      let begunAt: number;
      do {
        begunAt = performance.now();
        current = await breaker.probe(() => follower.catchUp(() => breaker.isOpen), isNeeded);
      } while (pulse.hasPausedSince(begunAt));
      onPoll?.(reads);
      return current;
    });
  }

  /** Reads the list. All reads that wait for the same poll get the same Listing. Throws `registry_unavailable`. */
  async list(): Promise<Listing> {
    const { breaker, follower } = this.#options;
    if (breaker.isOpen || follower.isIncomplete) return this.#staleListing();
    this.#waiting += 1;
    const poll = this.barrier();
    if (poll !== this.#lastPoll) {
      this.#lastPoll = poll;
      this.#lastListing = this.#listWithinDeadline(poll);
    }
    return this.#lastListing!;
  }

  /** The list as it is known without a look at Redis: current if it was so no more than `ms` ago. */
  latest(ms: number): Listing {
    const snapshot = this.#options.follower.currentWithin(ms);
    return snapshot === undefined ? this.#staleListing() : { snapshot, staleSince: undefined };
  }

  /** Polls the feed outside of any request. Never rejects: the breaker knows of the failure. */
  async poll(): Promise<void> {
    await this.barrier().catch(() => undefined);
  }

  /** The current list, or the last one with its age if Redis does not confirm it in time. */
  async #listWithinDeadline(poll: Promise<ConfirmedList>): Promise<Listing> {
    const current = await withinDeadline(this.#options.deadlines.listMs, poll).catch(() => undefined);
    return current === undefined
      ? this.#staleListing()
      : { snapshot: current.snapshot, staleSince: undefined };
  }

  #staleListing(): Listing {
    const last = this.#options.follower.current;
    if (last === undefined) throw new ServiceError('registry_unavailable');
    return { snapshot: last.snapshot, staleSince: last.at };
  }
}
