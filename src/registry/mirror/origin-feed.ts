/** Follows the list of one origin by `GET /changes`, and says how the origin is reached. */

import { FeedFailure } from '../../../clients/typescript/src/feed/changes-answer.ts';
import type { ContactState } from '../../../clients/typescript/src/feed/contact-state.ts';
import { systemEnvironment } from '../../../clients/typescript/src/environment.ts';
import { Feed } from '../../../clients/typescript/src/feed/feed.ts';
import { printable } from '../../model/printable.ts';
import type { TaggedChanges } from '../../model/view/listed-server.ts';
import { httpFetch } from '../../runtime/http-fetch.ts';
import { MIRROR_MARK } from '../registry-id.ts';
import type { OriginContact } from './origin.ts';

export interface OriginFeedOptions {
  /** Without a slash at its end. */
  readonly url: string;
  readonly key: string | undefined;
  /** The tag of the list that is known already. */
  readonly tag: string | undefined;
  readonly now: () => number;
  /** Undefined if this registry may be followed; else the end of a sentence that says why not. */
  readonly whyNot: (registryId: string) => string | undefined;
  readonly onChanges: (changes: TaggedChanges) => void;
  readonly onContact: (contact: OriginContact) => void;
}

/** What an origin is asked for: all that its game servers say. */
const WITH_META = 'include=meta';
/** A mirror has what an origin shows within 2 s of its return. */
const LONGEST_PAUSE_MS = 1000;

export class OriginFeed {
  readonly #options: OriginFeedOptions;
  #feed: Feed | undefined;
  #tag: string | undefined;
  #problem: string | undefined;

  constructor(options: OriginFeedOptions) {
    this.#options = options;
    this.#tag = options.tag;
    this.#follow(WITH_META);
  }

  /** Asks for the whole list, as if nothing were known. */
  beginAnew(): void {
    this.stop();
    this.#tag = undefined;
    this.#follow(WITH_META);
  }

  /** Tells nothing from now on. */
  stop(): void {
    this.#feed?.stop();
  }

  #follow(query: string): void {
    const { url, key, now, onContact, onChanges } = this.#options;
    const feed = new Feed({
      environment: { ...systemEnvironment, fetch: httpFetch, now, after },
      url: `${url}/changes`,
      query,
      longestPauseMs: LONGEST_PAUSE_MS,
      tag: this.#tag,
      headers: key === undefined ? {} : { Authorization: `Bearer ${key}` },
      onAnswer: (response) => this.#judge(response, query),
      onChanges: (changes) => {
        onChanges(changes);
        this.#tag = changes.tag;
      },
      onFailure: (failure) => {
        this.#problem = problemOf(failure, key);
        // An origin of an earlier release cannot tell of meta.
        if (failure.status === 400 && query !== '') {
          feed.stop();
          this.#follow('');
        }
      },
      onState: (state) => onContact(this.#contactOf(state)),
    });
    this.#feed = feed;
    feed.start();
  }

  /** Throws a FeedFailure for a registry that may not be followed. */
  #judge({ headers }: Response, query: string): void {
    const id = headers.get('Server-Registry') ?? '';
    const says = id.includes(MIRROR_MARK)
      ? 'is a mirror itself: name the origins of that mirror here'
      : this.#options.whyNot(id);
    if (says !== undefined) throw new FeedFailure('refused', { says });
    // A later release has taken the place of one that could not tell of meta.
    if (id === '' || query !== '') return;
    this.beginAnew();
    throw new FeedFailure('refused');
  }

  #contactOf(state: ContactState): OriginContact {
    switch (state.is) {
      case 'live':
        this.#problem = undefined;
        return { is: 'live' };
      case 'stale':
        return { is: 'stale', since: state.asOf, problem: 'says that its list is not current' };
      default:
        return {
          is: 'away',
          since: 'asOf' in state ? state.asOf : undefined,
          problem: this.#problem ?? 'does not answer',
        };
    }
  }
}

/** An origin that repeats the key puts it into no log. */
function problemOf(failure: FeedFailure, key: string | undefined): string {
  const text = reasonOf(failure);
  return key === undefined ? text : text.replaceAll(key, '(hidden)');
}

function reasonOf({ status, says, cause, reason }: FeedFailure): string {
  if (says !== undefined) return status === 0 ? says : `answers ${status}: ${printable(says)}`;
  if (status !== 0) return `answers ${status}`;
  if (reason === 'refused') return 'gives answers that are none of GSLS';
  // What was given up for silence has no other reason.
  const isKnown = cause instanceof Error && cause.name !== 'AbortError' && cause.message !== '';
  return isKnown ? `does not answer: ${printable(cause.message)}` : 'does not answer';
}

/** Its timers do not keep the process alive. */
function after(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms);
  timer.unref();
  return () => clearTimeout(timer);
}
