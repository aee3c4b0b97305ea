/**
 * Follows `GET /changes`: by a stream, or by polls where streams are refused or bring nothing. It connects again by itself
 * and goes on where it was, so that nothing is lost. Knows nothing of the list.
 */

import type { FeedState, TaggedChanges } from '../connection/messages.ts';
import { Call } from './call.ts';
import { Failure, parseChanges, parseState, staleSince } from './changes-answer.ts';
import type { Environment } from './environment.ts';
import { EventStreamParser, type StreamBlock } from './event-stream.ts';
import type { Changes } from './server-list.ts';
import { Standing } from './standing.ts';

/** A stream that is silent for so long is dead: the service sends something every two seconds. */
const SILENCE_MS = 5000;
/** An answer begins within this time, and the first event of a stream comes, or at least a good part of it. */
const FIRST_NEWS_MS = 10_000;
/** A first event is large, and a connection may be slow: with so many characters in FIRST_NEWS_MS it is on its way. */
const PROGRESS_CHARACTERS = 8192;
const POLL_INTERVAL_MS = 2000;
/** After so long a stream is tried again. */
const POLLING_MS = 60_000;
/** Whatever a stream says of when to connect again. */
const SHORTEST_PAUSE_MS = 100;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** No Retry-After makes the page wait longer. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;
/** So long a hidden page goes on. */
const HIDDEN_MS = 30_000;

export interface FeedOptions {
  readonly environment: Environment;
  /** The address of `GET /changes`, without a query. */
  readonly url: string;
  /** Raw filters, or ''. */
  readonly filters: string;
  readonly onChanges: (changes: Changes) => void;
  readonly onState: (state: FeedState) => void;
}

export class Feed {
  readonly #options: FeedOptions;
  readonly #standing: Standing;
  /** Of the list that the page has; undefined for none. */
  #tag: string | undefined;
  #pollsUntil = 0;
  /** In a row. */
  #failures = 0;
  #isStopped = false;
  #isAsleep = false;
  #cancelSleep: (() => void) | undefined;
  /** Ends what is under way: a call, or a pause. */
  #interrupt: (() => void) | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#standing = new Standing(options);
  }

  start(): void {
    void this.#follow();
  }

  /** Tells nothing from now on. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelSleep?.();
    this.#standing.stop();
    this.#interrupt?.();
  }

  /** Connects at once, if the service is not reached. */
  retry(): void {
    if (this.#standing.is !== 'away') return;
    this.#failures = 0;
    this.#interrupt?.();
  }

  setVisible(isVisible: boolean): void {
    this.#cancelSleep?.();
    this.#cancelSleep = undefined;
    if (isVisible && this.#isAsleep) this.#setAsleep(false);
    else if (isVisible) this.retry();
    else if (!this.#isAsleep)
      this.#cancelSleep = this.#options.environment.after(HIDDEN_MS, () => this.#setAsleep(true));
  }

  #setAsleep(isAsleep: boolean): void {
    this.#isAsleep = isAsleep;
    this.#failures = 0;
    if (isAsleep) this.#standing.asleep();
    this.#interrupt?.();
  }

  async #follow(): Promise<void> {
    while (!this.#isStopped) {
      const pauseMs = this.#isAsleep ? Infinity : await this.#tryOnce();
      if (pauseMs > 0) await this.#pause(pauseMs);
    }
  }

  /** Resolves after the time, or when it is interrupted. */
  #pause(ms: number): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = ms === Infinity ? undefined : this.#options.environment.after(ms, resolve);
      this.#interrupt = () => {
        cancel?.();
        resolve();
      };
    });
  }

  /** One stream, or one poll. Resolves with the pause until the next try, ms. */
  async #tryOnce(): Promise<number> {
    const { environment } = this.#options;
    const call = new Call(environment);
    this.#interrupt = () => call.end();
    try {
      call.allowSilence(FIRST_NEWS_MS);
      return environment.now() < this.#pollsUntil ? await this.#poll(call) : await this.#stream(call);
    } catch (error) {
      if (call.isEnded) return 0;
      const failure = error instanceof Failure ? error : new Failure('unreachable');
      if (!failure.isOfStreams) return this.#pauseAfter(failure);
      this.#pollsUntil = environment.now() + POLLING_MS;
      return 0;
    } finally {
      call.end();
    }
  }

  #pauseAfter({ reason, retryAfterMs }: Failure): number {
    const { random } = this.#options.environment;
    const doublings = reason === 'unauthorized' ? Infinity : this.#failures;
    const longestMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** doublings);
    const pauseMs = Math.min(retryAfterMs ?? longestMs * (0.5 + random() / 2), LONGEST_RETRY_AFTER_MS);
    this.#failures += 1;
    this.#standing.away(reason, pauseMs);
    return pauseMs;
  }

  async #poll(call: Call): Promise<number> {
    return this.#takeAnswer(call, await call.open(this.#address, 'application/json'));
  }

  get #address(): string {
    const { url, filters } = this.#options;
    const since = this.#tag === undefined ? [] : [`since=${encodeURIComponent(this.#tag)}`];
    const query = [...since, ...(filters === '' ? [] : [filters])].join('&');
    return query === '' ? url : `${url}?${query}`;
  }

  /** Takes an answer that tells everything at once. Resolves with the pause until the next poll, ms. */
  async #takeAnswer(call: Call, response: Response): Promise<number> {
    const parts: string[] = [];
    await call.read(response, (text) => {
      parts.push(text);
      call.allowSilence(FIRST_NEWS_MS);
    });
    const changes = parseChanges(parts.join(''));
    this.#standing.noteStale(staleSince(response.headers, this.#options.environment.now()));
    this.#takeChanges(changes);
    return POLL_INTERVAL_MS;
  }

  async #stream(call: Call): Promise<number> {
    const { environment } = this.#options;
    const news = { hasCome: false };
    let parser: EventStreamParser | undefined;
    try {
      const response = await call.open(this.#address, 'text/event-stream');
      if (!isEventStream(response)) {
        // A service without streams answers as to a poll.
        const pauseMs = await this.#takeAnswer(call, response);
        this.#pollsUntil = environment.now() + POLLING_MS;
        return pauseMs;
      }
      const offsetMs = clockOffsetMs(response, environment.now());
      this.#standing.noteStale(undefined);
      parser = new EventStreamParser((block) => {
        news.hasCome = this.#takeBlock(block, offsetMs) || news.hasCome;
      });
      await this.#listen(call, response, parser, news);
    } catch (error) {
      if (error instanceof Failure || call.isEnded) throw error;
      if (!news.hasCome && call.isSilent) {
        if (this.#standing.is === 'connecting') this.#standing.away('unreachable', 0);
        throw new Failure('unreachable', { isOfStreams: true });
      }
      if (call.isSilent) {
        this.#standing.away('unreachable', 0);
        return 0;
      }
      if (!news.hasCome) throw error;
    }
    if (!news.hasCome) throw new Failure('unreachable');
    return this.#pauseAfterStream(parser?.retryMs);
  }

  async #listen(
    call: Call,
    response: Response,
    parser: EventStreamParser,
    news: { readonly hasCome: boolean },
  ): Promise<void> {
    let characters = 0;
    await call.read(response, (text) => {
      if (call.isEnded) return;
      parser.push(text);
      characters += text.length;
      if (news.hasCome) call.allowSilence(SILENCE_MS);
      else if (characters >= PROGRESS_CHARACTERS) {
        characters = 0;
        call.allowSilence(FIRST_NEWS_MS);
      }
    });
  }

  /** Streams end when a replica stops: the page is as current as a silent stream would keep it, and so long says nothing. */
  #pauseAfterStream(retryMs: number | undefined): number {
    const wanted = retryMs ?? FIRST_PAUSE_MS * (0.5 + this.#options.environment.random() / 2);
    const pauseMs = Math.min(Math.max(wanted, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
    this.#standing.awayAfter(SILENCE_MS, pauseMs);
    return pauseMs;
  }

  /** Whether it tells that the page is up to date. */
  #takeBlock({ event, data, id }: StreamBlock, offsetMs: number): boolean {
    if (event === 'changes' && data !== undefined) {
      this.#takeChanges(parseChanges(data));
      return true;
    }
    if (event === 'state' && data !== undefined) {
      const { isStale, asOf } = parseState(data);
      const { now } = this.#options.environment;
      this.#standing.noteStale(isStale ? Math.min(now(), (asOf ?? now()) + offsetMs) : undefined);
      if (this.#tag !== undefined) this.#heard();
      return false;
    }
    // A bookmark tells where the client stands, if it stands anywhere.
    if (data !== undefined || id === '' || this.#tag === undefined) return false;
    this.#tag = id;
    this.#heard();
    return true;
  }

  #takeChanges(changes: TaggedChanges): void {
    if (this.#isStopped) return;
    // Changes mean nothing without the list that they are of.
    if (this.#tag === undefined && !changes.full) throw new Failure('refused');
    this.#options.onChanges(changes);
    this.#tag = changes.tag;
    this.#heard();
  }

  #heard(): void {
    this.#failures = 0;
    this.#standing.heard();
  }
}

function isEventStream({ headers }: Response): boolean {
  return /^text\/event-stream\b/i.test(headers.get('Content-Type') ?? '');
}

/** What the clock here is ahead of that of the service. */
function clockOffsetMs({ headers }: Response, now: number): number {
  const date = Date.parse(headers.get('Date') ?? '');
  return Number.isNaN(date) ? 0 : now - date;
}
