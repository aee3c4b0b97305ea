/**
 * Follows `GET /changes`: by a stream, or by polls where streams are refused or bring nothing. It connects again by
 * itself and goes on where it was, so that nothing is lost.
 */

import type { TaggedChanges } from '../../../../src/model/view/listed-server.ts';
import { Call } from '../call.ts';
import {
  clockOffsetMs,
  FeedFailure,
  isEventStream,
  parseStateEvent,
  parseToldChanges,
  staleSince,
} from './changes-answer.ts';
import { Contact } from './contact.ts';
import type { FeedOptions } from './feed-options.ts';
import { EventStreamParser, type StreamBlock } from './event-stream.ts';
import { pauseAfterFailure, pauseAfterStream } from '../pauses.ts';
import { readStream, type StreamPatience } from './read-stream.ts';

/** A stream that is silent for this long is dead: the service sends something every two seconds. */
const SILENCE_MS = 5000;
/** How long an answer may take to begin, and the first event of a stream, or a good part of it, to come. ms. */
const FIRST_NEWS_MS = 10_000;
const POLL_INTERVAL_MS = 2000;
/** How long the feed polls before it tries a stream again, in ms. */
const POLLING_MS = 60_000;
/** How long the feed goes on once nobody looks. */
const HIDDEN_MS = 30_000;

export class Feed {
  readonly #options: FeedOptions;
  readonly #contact: Contact;
  readonly #patience: Omit<StreamPatience, 'hasCome'>;
  /** The tag of the list that the reader has; undefined for none. */
  #tag: string | undefined;
  #pollsUntil = 0;
  /** How many tries in a row have failed. */
  #failures = 0;
  #isStopped = false;
  #isAsleep = false;
  #cancelSleep: (() => void) | undefined;
  /** Ends the call or the pause that is under way. */
  #interrupt: (() => void) | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#contact = new Contact(options);
    const { silenceMs, tag } = options;
    this.#tag = tag;
    this.#patience = { silenceMs: silenceMs ?? SILENCE_MS, firstNewsMs: silenceMs ?? FIRST_NEWS_MS };
  }

  start(): void {
    void this.#follow();
  }

  /** Calls no listener from now on. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelSleep?.();
    this.#contact.stop();
    this.#interrupt?.();
  }

  /** Connects at once, if the service is not reached. */
  retry(): void {
    if (this.#contact.is !== 'away') return;
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
    if (isAsleep) this.#contact.asleep();
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
    return new Promise((resolve) => {
      if (this.#isStopped) return resolve();
      const cancel = ms === Infinity ? undefined : this.#options.environment.after(ms, resolve);
      this.#interrupt = () => {
        cancel?.();
        resolve();
      };
    });
  }

  /** One stream, or one poll. Resolves with the pause until the next try, ms. */
  async #tryOnce(): Promise<number> {
    const { environment, choice } = this.#options;
    const call = new Call(environment);
    this.#interrupt = () => call.end();
    if (choice?.returns()) this.#pollsUntil = 0;
    try {
      call.allowSilence(Math.min(this.#patience.firstNewsMs, choice?.patienceMs ?? Infinity));
      return environment.now() < this.#pollsUntil ? await this.#poll(call) : await this.#stream(call);
    } catch (error) {
      if (call.isEnded) return 0;
      const failure = error instanceof FeedFailure ? error : new FeedFailure('unreachable', { cause: error });
      if (!failure.isOfStreams) return this.#pauseAfter(failure);
      this.#pollsUntil = environment.now() + POLLING_MS;
      return 0;
    } finally {
      call.end();
    }
  }

  #pauseAfter(ofOne: FeedFailure): number {
    const { choice, environment, onFailure, longestPauseMs: most } = this.#options;
    if (choice !== undefined) this.#pollsUntil = 0;
    const all = choice === undefined ? { failure: ofOne, restMs: ofOne.retryAfterMs } : choice.fail(ofOne);
    if (all === undefined) return 0;
    const { failure, restMs } = all;
    const pauseMs = pauseAfterFailure(failure.reason, restMs, this.#failures, environment.random(), most);
    this.#failures += 1;
    if (!this.#isStopped) onFailure?.(failure);
    this.#contact.away(failure.reason, pauseMs);
    return pauseMs;
  }

  async #poll(call: Call): Promise<number> {
    return this.#takeAnswer(call, await this.#open(call, 'application/json'));
  }

  async #open(call: Call, accept: string): Promise<Response> {
    const { headers, onAnswer, choice } = this.#options;
    const response = await call.open(this.#address, { ...headers, Accept: accept });
    if (choice !== undefined) call.allowSilence(this.#patience.firstNewsMs);
    onAnswer?.(response);
    return response;
  }

  get #address(): string {
    const { choice, query: asked } = this.#options;
    const { url } = choice ?? this.#options;
    const since = this.#tag === undefined ? '' : `since=${encodeURIComponent(this.#tag)}`;
    const query = [since, asked].filter(Boolean).join('&');
    return query === '' ? url : `${url}?${query}`;
  }

  /** Reads an answer that has everything at once. Resolves with the pause until the next poll, ms. */
  async #takeAnswer(call: Call, response: Response): Promise<number> {
    const text = await call.readAll(response, () => call.allowSilence(this.#patience.firstNewsMs));
    const changes = parseToldChanges(text);
    this.#contact.noteStale(staleSince(response.headers, this.#options.environment.now()));
    this.#takeChanges(changes);
    return POLL_INTERVAL_MS;
  }

  async #stream(call: Call): Promise<number> {
    const { environment, choice } = this.#options;
    const news = { hasCome: false };
    let parser: EventStreamParser | undefined;
    try {
      const response = await this.#open(call, 'text/event-stream');
      if (!isEventStream(response)) {
        const pauseMs = await this.#takeAnswer(call, response);
        this.#pollsUntil = environment.now() + POLLING_MS;
        return pauseMs;
      }
      const offsetMs = clockOffsetMs(response, environment.now());
      this.#contact.noteStale(undefined);
      parser = new EventStreamParser((block) => {
        news.hasCome = this.#takeBlock(block, offsetMs) || news.hasCome;
        if (choice?.returns()) call.end();
      });
      await readStream(call, response, parser, { ...this.#patience, hasCome: () => news.hasCome });
    } catch (error) {
      if (error instanceof FeedFailure || call.isEnded || (choice && parser === undefined)) throw error;
      if (!news.hasCome && call.isSilent) {
        if (!choice && this.#contact.is === 'connecting') this.#contact.away('unreachable', 0);
        throw new FeedFailure('unreachable', { isOfStreams: true });
      }
      if (call.isSilent) {
        if (!choice) this.#contact.away('unreachable', 0);
        return 0;
      }
      if (!news.hasCome) throw error;
    }
    if (!news.hasCome) throw new FeedFailure('unreachable');
    return this.#pauseAfterStream(parser?.retryMs);
  }

  /** A stream ends when a replica stops: until a silent stream would count as dead, the state says nothing of it. */
  #pauseAfterStream(retryMs: number | undefined): number {
    const { environment, longestPauseMs } = this.#options;
    const pauseMs = pauseAfterStream(retryMs, environment.random(), longestPauseMs);
    this.#contact.awayAfter(SILENCE_MS, pauseMs);
    return pauseMs;
  }

  /** Reads a block. Returns whether it shows that the reader is up to date. */
  #takeBlock({ event, data, id }: StreamBlock, offsetMs: number): boolean {
    if (event === 'changes' && data !== undefined) {
      this.#takeChanges(parseToldChanges(data));
      return true;
    }
    if (event === 'state' && data !== undefined) {
      const { isStale, asOf } = parseStateEvent(data);
      const { now } = this.#options.environment;
      this.#contact.noteStale(isStale ? Math.min(now(), (asOf ?? now()) + offsetMs) : undefined);
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
    if (this.#tag === undefined && !changes.full) throw new FeedFailure('refused');
    this.#options.onChanges(changes);
    this.#tag = changes.tag;
    this.#heard();
  }

  #heard(): void {
    this.#failures = 0;
    this.#options.choice?.answered();
    this.#contact.heard();
  }
}
