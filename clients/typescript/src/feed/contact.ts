/** How a reader stands to the service, and as of when its list is. */

import type { AwayReason, ContactState } from './contact-state.ts';
import type { Environment } from '../environment.ts';

export interface ContactOptions {
  readonly environment: Pick<Environment, 'now' | 'after'>;
  readonly onState: (state: ContactState) => void;
}

export class Contact {
  readonly #options: ContactOptions;
  #state: ContactState = { is: 'connecting' };
  /** When the service reported last on its list. ms. */
  #heardAt = 0;
  /** The time at which the list of the reader was current, ms; undefined without one. */
  #asOf: number | undefined;
  /** The time since which the service says that its list is stale. ms. */
  #staleSince: number | undefined;
  #isStopped = false;
  #cancelLoss: (() => void) | undefined;

  constructor(options: ContactOptions) {
    this.#options = options;
  }

  get is(): ContactState['is'] {
    return this.#state.is;
  }

  /** The service says since when its list is stale, ms; undefined: it is current. It counts from heard() on. */
  noteStale(since: number | undefined): void {
    this.#staleSince = since;
  }

  /** The reader has the list as the service has it. */
  heard(): void {
    this.#cancelLoss?.();
    const since = this.#staleSince;
    this.#heardAt = this.#options.environment.now();
    this.#asOf = since ?? this.#heardAt;
    this.#tell(since === undefined ? { is: 'live' } : { is: 'stale', asOf: since });
  }

  /** The service is not reached, and asked again after the pause. */
  away(reason: AwayReason, pauseMs: number): void {
    this.#cancelLoss?.();
    const retryAt = this.#options.environment.now() + pauseMs;
    this.#tell({ is: 'away', asOf: this.#asOf, retryAt, reason });
  }

  /** Counts the service as not reached if it sends nothing for this long after its last message. */
  awayAfter(silenceMs: number, pauseMs: number): void {
    const { after, now } = this.#options.environment;
    const retryAt = now() + pauseMs;
    const leftMs = Math.max(0, this.#heardAt + silenceMs - now());
    this.#cancelLoss?.();
    this.#cancelLoss = after(leftMs, () => this.away('unreachable', Math.max(0, retryAt - now())));
  }

  /** Nobody looks. */
  asleep(): void {
    this.#cancelLoss?.();
    if (this.#asOf !== undefined) this.#tell({ is: 'asleep', asOf: this.#asOf });
  }

  /** Calls no listener from now on. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelLoss?.();
  }

  #tell(state: ContactState): void {
    if (this.#isStopped || JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    this.#options.onState(state);
  }
}
