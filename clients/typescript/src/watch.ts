/** The servers that match and each change of them, by `GET /changes`: a stream, or polls where there is none. */

import { endOf, keyHeaders } from './ask.ts';
import { isServer, type FeedFailure } from './feed/changes-answer.ts';
import type { ContactState } from './feed/contact-state.ts';
import { Feed } from './feed/feed.ts';
import type { ListedServer, ToldChanges } from '../../../src/model/view/listed-server.ts';
import { failureWords, openServices, type AskedService, type AskedServices } from './service.ts';
import type { ServiceOptions, Urls } from './service-options.ts';

/** How servers are followed. */
export interface WatchOptions extends ServiceOptions {
  /** How long an answer or a stream may be silent, in ms. Defaults to 5,000, and to 10,000 at its beginning. */
  readonly timeoutMs?: number | undefined;
  /**
   * The path of a file that keeps the list, for a watch without a query: where no service answers at the start, it
   * begins with those servers. A browser has no files.
   */
  readonly keep?: string | undefined;
  /** Called with a line on what is wrong with that file. Without it lines go to `console.warn`. */
  readonly log?: ((line: string) => void) | undefined;
  /** Ends the loop, as if it were left. */
  readonly signal?: AbortSignal | undefined;
}

/** The servers that match, and what has changed of them since the last step of the loop. */
export interface WatchedServers {
  /** All of them. Nothing changes it later. */
  readonly servers: readonly ListedServer[];
  /** The servers that are new or different. */
  readonly changed: readonly ListedServer[];
  /** The ids of those that have gone. */
  readonly removed: readonly string[];
  /** Since when nobody knows whether this is current. Undefined: it is. */
  readonly staleSince: Date | undefined;
  /** Why the service is not reached, as a sentence. It is asked again by itself. Undefined while all is well. */
  readonly problem: string | undefined;
}

/**
 * Follows the servers that match a query, such as `region=eu`, for ever. The parameters are the filters of
 * `GET /servers` (docs/find.md), as they stand in an address.
 *
 *     for await (const { servers, problem } of watch(url, 'region=eu')) show(servers, problem);
 *
 * It begins with the first step of the loop, and ends when the loop is left, at `return()`, or with `signal`. A loop
 * that is slow is told of several changes at once, and misses none. It does not fail: what goes wrong is a `problem`,
 * and `servers` are then those that were known last.
 *
 * Throws a TypeError for a URL or a key that cannot be right, and for `keep` with a query.
 */
export function watch(
  url: Urls,
  query = '',
  options: WatchOptions = {},
): AsyncGenerator<WatchedServers, void, void> {
  const services = openServices(url, options);
  if (options.keep && query) throw new TypeError('keep is for a watch without a query');
  const over = new AbortController();
  const { signal } = options;
  const anySignal = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
  const steps = follow(services, query.replace(/^\?/, ''), { ...options, signal: anySignal });
  const end = steps.return.bind(steps);
  // A generator that waits for news does not end at return() by itself.
  steps.return = (value) => {
    over.abort();
    return end(value);
  };
  return steps;
}

async function* follow(
  services: AskedServices,
  query: string,
  { signal, keep, log }: WatchOptions & { readonly signal: AbortSignal },
): AsyncGenerator<WatchedServers, void, void> {
  const [service] = services;
  const { environment } = service;
  const known = new Known();
  const keeping =
    keep && (await import('./fallback/list-file.ts')).keepWatched(keep, isServer, known, environment, log);
  const urls = services.map(({ url }) => `${url}/changes`);
  const choice = urls[1] && new (await import('./fallback/url-choice.ts')).UrlChoice(urls, environment.now);
  let wake: (() => void) | undefined;
  const onNews = (): void => wake?.();
  let problem: string | undefined;
  const feed = new Feed({
    environment,
    url: urls[0]!,
    choice: choice || undefined,
    query,
    headers: keyHeaders(service.key),
    silenceMs: service.timeoutMs,
    onChanges(changes) {
      known.takeChanges(changes);
      if (keeping) keeping.heard();
      onNews();
    },
    onFailure: (failure) => (problem = problemOf(failure, service)),
    onState(state) {
      known.takeState(keeping ? keeping.stateOf(state) : state, problem);
      problem = undefined;
      onNews();
    },
  });
  const onAbort = (): void => {
    feed.stop();
    wake?.();
  };
  signal.addEventListener('abort', onAbort);
  try {
    if (!signal.aborted) feed.start();
    while (!signal.aborted) {
      if (known.hasNews) yield known.news();
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    feed.stop();
    if (keeping) keeping.stop();
  }
}

function problemOf(failure: FeedFailure, service: AskedService): string {
  const { says, cause, status } = failure;
  const words = endOf(failureWords(failure, service));
  if (says !== undefined) return `The service refused the query (${status}): ${words}`;
  if (cause !== undefined) return `The service did not answer: ${words}`;
  // One that was understood in part had this status.
  return `The answer is none of GSLS (${status || 200}).`;
}

/** The servers as they are known, and which changes of them the loop has not received yet. */
class Known {
  readonly #servers = new Map<string, ListedServer>();
  readonly #changed = new Map<string, ListedServer>();
  readonly #removed = new Set<string>();
  #asOf: number | undefined;
  #problem: string | undefined;
  #hasNews = false;

  get all(): readonly ListedServer[] {
    return [...this.#servers.values()];
  }

  get hasNews(): boolean {
    return this.#hasNews;
  }

  takeChanges({ full, servers, removed }: ToldChanges): void {
    const told = new Set(servers.map(({ id }) => id));
    const gone = full ? [...this.#servers.keys()].filter((id) => !told.has(id)) : removed;
    for (const id of gone) {
      this.#changed.delete(id);
      if (this.#servers.delete(id)) this.#removed.add(id);
    }
    for (const server of servers) {
      this.#removed.delete(server.id);
      this.#servers.set(server.id, server);
      this.#changed.set(server.id, server);
    }
    this.#hasNews ||= full || this.#changed.size + this.#removed.size > 0;
  }

  /** `why`: the failure that has led to the state, as a sentence. */
  takeState(state: ContactState, why: string | undefined): void {
    const asOf = state.is === 'stale' || state.is === 'away' ? state.asOf : undefined;
    const problem =
      state.is === 'away' ? (why ?? 'The service did not answer: nothing came in time.') : undefined;
    this.#hasNews ||= asOf !== this.#asOf || problem !== this.#problem;
    this.#asOf = asOf;
    this.#problem = problem;
  }

  news(): WatchedServers {
    const news = {
      servers: this.all,
      changed: [...this.#changed.values()],
      removed: [...this.#removed],
      staleSince: this.#asOf === undefined ? undefined : new Date(this.#asOf),
      problem: this.#problem,
    };
    this.#changed.clear();
    this.#removed.clear();
    this.#hasNews = false;
    return news;
  }
}
