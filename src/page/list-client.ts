/** The list as the page sees it: asks the worker for rows, and tells its subscribers what came. */

import { noteState, type Interruption } from './interruptions.ts';
import type { FeedState, FromWorker, ListView, RowRange, Rows, ToWorker } from './messages.ts';

/** What is known at a moment. A new object each time something changes. */
export interface ListStatus {
  /** Undefined before the first rows. */
  readonly rows: Rows | undefined;
  readonly feed: FeedState;
  readonly wrongFilters: readonly string[];
  readonly isPaused: boolean;
  /** When the list was not current since the page was opened, the latest first. */
  readonly interruptions: readonly Interruption[];
}

export class ListClient {
  #status: ListStatus = {
    rows: undefined,
    feed: { is: 'connecting' },
    wrongFilters: [],
    isPaused: false,
    interruptions: [],
  };
  readonly #worker: Worker;
  readonly #subscribers = new Set<() => void>();

  constructor(worker: Worker, baseUrl: string, view: ListView, range: RowRange) {
    this.#worker = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#receive(data));
    this.#send({ type: 'start', baseUrl, view, range });
  }

  get status(): ListStatus {
    return this.#status;
  }

  /** Calls `listener` after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#subscribers.add(listener);
    return () => this.#subscribers.delete(listener);
  }

  show(view: ListView, range: RowRange): void {
    this.#send({ type: 'view', view, range });
  }

  setRange(range: RowRange): void {
    this.#send({ type: 'range', range });
  }

  hold(isHeld: boolean): void {
    this.#send({ type: 'hold', isHeld });
  }

  pause(isPaused: boolean): void {
    this.#send({ type: 'pause', isPaused });
    this.#change({ isPaused });
  }

  setVisible(isVisible: boolean): void {
    this.#send({ type: 'visible', isVisible });
  }

  retry(): void {
    this.#send({ type: 'retry' });
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case 'rows':
        return this.#change({ rows: message });
      case 'state':
        return this.#change({
          feed: message.state,
          interruptions: noteState(this.#status.interruptions, this.#status.feed, message.state, Date.now()),
        });
      case 'wrongFilters':
        return this.#change({ wrongFilters: message.names });
    }
  }

  #change(change: Partial<ListStatus>): void {
    this.#status = { ...this.#status, ...change };
    for (const listener of this.#subscribers) listener();
  }
}

/** Views come back from the worker as copies. */
export function isSameView(one: ListView, other: ListView): boolean {
  return (
    one.filters === other.filters && one.sort === other.sort && one.ids?.join('\n') === other.ids?.join('\n')
  );
}
