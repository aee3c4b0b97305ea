/**
 * The list as all its readers get it: `GET /`, and the endpoints that answer from a part of it. They share one reuse of
 * the list (--list-max-age), one limit for its age (--max-stale), and the headers about both.
 */

import { ServiceError } from '../../model/service-error.ts';
import type { Listing, Registry } from '../../registry/registry.ts';
import type { Snapshot } from '../../registry/snapshot/snapshot.ts';
import { withHeaders, type Answer, type AnswerHeaders } from './answer.ts';

export interface CurrentListOptions {
  readonly registry: Pick<Registry, 'list'>;
  /** The limit for the age of a stale list, in ms: an older one is refused as `registry_unavailable`. */
  readonly maxStaleMs: number;
  /** How long a list is reused without asking the registry, in ms. Caches get the same limit. */
  readonly listMaxAgeMs: number;
  /** Whether readers need a key, so that no shared cache may store the list. */
  readonly isPrivate: boolean;
  /** ms since the epoch. */
  readonly now: () => number;
}

/**
 * A part of the ETag of each answer from a stale list. A cache keeps the headers of an answer as long as its ETag
 * holds: with one tag for both, a Warning in a cache would outlast the outage, or never appear.
 */
export const STALE_MARK = '-stale';

export class CurrentList {
  /** The headers for caches of every answer that is made from the list. */
  readonly caching: AnswerHeaders;
  readonly #options: CurrentListOptions;
  #last: { readonly listing: Listing; readonly at: number } | undefined;

  constructor(options: CurrentListOptions) {
    this.caching = cachingOf(options);
    this.#options = options;
  }

  /** Throws a ServiceError `registry_unavailable` if there is no list, or only one that is too old. */
  async listing(): Promise<Listing> {
    return this.#requireYoung(await this.#reusedListing());
  }

  /** The list without any reuse: it is current while the registry is available. */
  async freshListing(): Promise<Listing> {
    return this.#requireYoung(await this.#options.registry.list());
  }

  /**
   * Makes an answer from the current list, and marks it if the list is stale; its ETag must then have the STALE_MARK.
   * Throws as listing() does.
   */
  async answer(make: (snapshot: Snapshot, isStale: boolean) => Answer | Promise<Answer>): Promise<Answer> {
    const listing = this.#requireYoung(await this.#reusedListing());
    const answer = make(listing.snapshot, listing.staleSince !== undefined);
    return this.marked(answer instanceof Promise ? await answer : answer, listing);
  }

  /** The answer, with headers that mark it if the list is stale. */
  marked(answer: Answer, { staleSince }: Listing): Answer {
    if (staleSince === undefined) return answer;
    return withHeaders(answer, {
      Warning: '110 - "Response is Stale"',
      Age: String(Math.max(1, Math.ceil((this.#options.now() - staleSince) / 1000))),
    });
  }

  #requireYoung(listing: Listing): Listing {
    const { maxStaleMs, now } = this.#options;
    const { staleSince } = listing;
    if (staleSince !== undefined && now() - staleSince > maxStaleMs)
      throw new ServiceError('registry_unavailable');
    return listing;
  }

  #reusedListing(): Listing | Promise<Listing> {
    const { registry, listMaxAgeMs, now } = this.#options;
    if (listMaxAgeMs === 0) return registry.list();
    const at = now();
    const isYoung = this.#last !== undefined && at - this.#last.at < listMaxAgeMs && at >= this.#last.at;
    return isYoung ? this.#last!.listing : this.#newListing(at);
  }

  async #newListing(at: number): Promise<Listing> {
    this.#last = { listing: await this.#options.registry.list(), at };
    return this.#last.listing;
  }
}

/**
 * Shared caches alone (RFC 9213) may give an answer while they fetch another one, for as long again, and while there is
 * none to be had. A cache counts the Age of an answer, so the time that the list was stale before it left here is a
 * part of --max-stale. Caches know whole seconds: one that has to ask each time is told no more than that.
 */
function cachingOf({ listMaxAgeMs, maxStaleMs, isPrivate }: CurrentListOptions): AnswerHeaders {
  const seconds = Math.floor(listMaxAgeMs / 1000);
  if (seconds === 0) return { 'Cache-Control': isPrivate ? 'private, no-cache' : 'no-cache' };
  const maxAge = `max-age=${seconds}`;
  if (isPrivate) return { 'Cache-Control': `private, ${maxAge}` };
  const staleIfError = `stale-if-error=${Math.floor(maxStaleMs / 1000)}`;
  return {
    'Cache-Control': `public, ${maxAge}`,
    'CDN-Cache-Control': `${maxAge}, stale-while-revalidate=${seconds}, ${staleIfError}`,
  };
}
