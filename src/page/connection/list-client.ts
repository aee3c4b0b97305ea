/** The list as the page sees it: requests rows from the worker, and notifies its subscribers of new ones. */

import type {
  FacetAsks,
  Facets,
  FromWorker,
  ListView,
  Picked,
  Rows,
  Start,
  ToWorker,
  Totals,
} from './messages.ts';
import type { RowRange } from '../../model/view/listed-row.ts';
import type { ContactState } from '../../../clients/typescript/src/feed/contact-state.ts';

/** The state of the list at a moment. Each change creates a new object. */
export interface ListStatus {
  /** Undefined before the first rows. */
  readonly rows: Rows | undefined;
  /** The latest counts; undefined before the first. 'too long': the worker cannot count a list of this length. */
  readonly facets: Facets | 'too long' | undefined;
  /** What was counted with them. */
  readonly totals: Totals | undefined;
  readonly feed: ContactState;
  readonly wrongFilters: readonly string[];
  readonly isPaused: boolean;
}

const LONGEST_PAUSE_MS = 10_000;

export class ListClient {
  #status: ListStatus = {
    rows: undefined,
    facets: undefined,
    totals: undefined,
    feed: { is: 'connecting' },
    wrongFilters: [],
    isPaused: false,
  };
  readonly #startWorker: (tries: number) => Worker;
  readonly #subscribers = new Set<() => void>();
  #worker: Worker;
  /** How many callers hold the order. */
  #holds = 0;
  /** The last message of each type, in the order of sending. A new worker gets them all. */
  readonly #told = new Map<ToWorker['type'], ToWorker>();
  /** Callers that wait for a server to play on, in order. */
  readonly #asking: ((picked: Picked['picked']) => void)[] = [];

  /** `startWorker` is called again when a worker fails: its file may be missing while replicas are upgraded. */
  constructor(startWorker: (tries: number) => Worker, start: Omit<Start, 'type'>) {
    this.#startWorker = startWorker;
    this.#told.set('start', { type: 'start', ...start });
    this.#worker = this.#connect(0);
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

  /** `asked`: undefined if facets are not shown any more. */
  countFacets(asked: FacetAsks | undefined): void {
    this.#send({ type: 'facets', asked });
  }

  /** Holds the order of the list until the returned function is called, once. Several callers may hold it at a time. */
  hold(): () => void {
    this.#holds += 1;
    if (this.#holds === 1) this.#send({ type: 'hold', isHeld: true });
    return () => {
      this.#holds -= 1;
      if (this.#holds === 0) this.#send({ type: 'hold', isHeld: false });
    };
  }

  pause(isPaused: boolean): void {
    this.#send({ type: 'pause', isPaused });
    this.#change({ isPaused });
  }

  /** Shows the changes that wait, and then holds or pauses as before. */
  showWaiting(): void {
    this.#worker.postMessage({ type: 'hold', isHeld: false } satisfies ToWorker);
    this.#worker.postMessage({ type: 'pause', isPaused: false } satisfies ToWorker);
    for (const type of ['pause', 'hold'] as const) {
      const told = this.#told.get(type);
      if (told !== undefined) this.#worker.postMessage(told);
    }
  }

  setVisible(isVisible: boolean): void {
    this.#send({ type: 'visible', isVisible });
  }

  retry(): void {
    this.#send({ type: 'retry' });
  }

  /** A server of the view to play on now that is not one of `without`; undefined if there is none. */
  pick(without: readonly string[], asksRegion: boolean): Promise<Picked['picked']> {
    return new Promise((resolve) => {
      this.#asking.push(resolve);
      this.#worker.postMessage({ type: 'pick', without, asksRegion } satisfies ToWorker);
    });
  }

  #connect(tries: number): Worker {
    const worker = this.#startWorker(tries);
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#receive(data));
    const restart = (): void => {
      worker.terminate();
      for (const answer of this.#asking.splice(0)) answer(undefined);
      const pauseMs = Math.min(1000 * 2 ** tries, LONGEST_PAUSE_MS);
      if (this.#status.rows !== undefined) this.#tellAway(pauseMs);
      setTimeout(() => (this.#worker = this.#connect(tries + 1)), pauseMs);
    };
    worker.addEventListener('error', restart, { once: true });
    for (const message of this.#told.values()) worker.postMessage(message);
    return worker;
  }

  /** Sets the state 'away': without a worker the page gets no news of the list. */
  #tellAway(pauseMs: number): void {
    const { feed } = this.#status;
    const asOf = 'asOf' in feed ? feed.asOf : Date.now();
    this.#receive({
      type: 'state',
      state: { is: 'away', asOf, retryAt: Date.now() + pauseMs, reason: 'unreachable' },
    });
  }

  #send(message: ToWorker): void {
    // The message is removed first, so that a range comes behind its view in #told.
    this.#told.delete(message.type);
    this.#told.set(message.type, message);
    this.#worker.postMessage(message);
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case 'rows':
        return this.#change({ rows: message });
      case 'facets':
        return this.#change({ facets: message.facets, totals: message.totals });
      case 'state':
        return this.#change({ feed: message.state });
      case 'wrongFilters':
        return this.#change({ wrongFilters: message.names });
      case 'picked':
        this.#asking.shift()?.(message.picked);
    }
  }

  #change(change: Partial<ListStatus>): void {
    this.#status = { ...this.#status, ...change };
    for (const listener of this.#subscribers) listener();
  }
}

/** Compares views by content, since the worker returns copies. */
export function isSameView(one: ListView, other: ListView): boolean {
  return (
    one.filters === other.filters &&
    one.sort === other.sort &&
    one.near?.at === other.near?.at &&
    one.ids?.join('\n') === other.ids?.join('\n') &&
    one.firstRegions.join('\n') === other.firstRegions.join('\n')
  );
}
