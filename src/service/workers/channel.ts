/** The channel to the primary, as a worker has it. */

import type { Family } from '../metrics/families.ts';
import { isOurs, type FromReplica, type ToReplica } from './messages.ts';

export type StartMessage = Extract<ToReplica, { is: 'start' }>;
export type Leave = Extract<ToReplica, { is: 'leave' }>;

export interface ChannelOptions {
  /** Resolves once the primary has it, or never will. */
  readonly send: (message: FromReplica) => Promise<void>;
  readonly onStart: (start: StartMessage) => void;
  readonly onReload: () => void;
  readonly onLeave: (leave: Leave) => void;
  /** The metrics of this worker, once it has any. */
  readonly readMetrics: () => Promise<readonly Family[]>;
}

export class Channel {
  readonly #options: ChannelOptions;
  readonly #requests = new Map<number, (families: readonly Family[]) => void>();
  #count = 0;

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  /** Receives all that comes over the channel. */
  hear(received: unknown): void {
    if (!isOurs(received)) return;
    const { onStart, onReload, onLeave } = this.#options;
    const message = received as ToReplica;
    switch (message.is) {
      case 'start':
        return onStart(message);
      case 'reload':
        return onReload();
      case 'leave':
        return onLeave(message);
      case 'tellMetrics':
        return void this.tellMetrics(message.scrape);
      case 'allMetrics':
        this.#requests.get(message.request)?.(message.families);
        this.#requests.delete(message.request);
    }
  }

  /** Sends the metrics of this worker to the primary: for a scrape, or the last ones. */
  async tellMetrics(scrape?: number): Promise<void> {
    const families = await this.#options.readMetrics();
    await this.#options.send({ is: 'metrics', scrape, families });
  }

  /** The metrics of all workers. */
  gatherMetrics(): Promise<readonly Family[]> {
    this.#count += 1;
    const request = this.#count;
    return new Promise((resolve) => {
      this.#requests.set(request, resolve);
      void this.#options.send({ is: 'gatherMetrics', request });
    });
  }
}
