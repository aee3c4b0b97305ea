/**
 * Answers queries for pages of servers. A page is made once for all that ask for it while the list stays the same, and
 * what clients ask for is kept only as far as the caches go. Knows nothing of HTTP.
 */

import { LRUCache } from 'lru-cache';
import { coalesce } from '../registry/coalesce.ts';
import type { Snapshot } from '../registry/snapshot/snapshot.ts';
import { Matches } from './matches.ts';
import { parsePageQuery, type PageQuery } from './page-query.ts';
import { renderPage, type Page } from './page.ts';
import type { Turns, Work } from './turns.ts';

/** All queries that are kept as parsed, in characters of their texts. */
const QUERIES_LENGTH = 256 * 1024;
/** All matches that are kept, in bytes: a hundred sorted queries that match half of 100,000 entries. */
const MATCHES_BYTES = 16 * 1024 * 1024;
/** All pages that are kept, in bytes: some 500 of 100 entries. */
const PAGES_BYTES = 32 * 1024 * 1024;
/** What anything that is kept takes at least, in bytes. */
const LEAST_BYTES = 1024;

/** The last answer to a query. */
interface KeptPage {
  readonly page: Page;
  /** What it is of. It is not kept alive: a page that nobody asks for would keep a whole list. */
  readonly snapshot: WeakRef<Snapshot>;
}

export class Pages {
  readonly #turns: Turns;
  readonly #queries = new LRUCache<string, PageQuery>({ maxSize: QUERIES_LENGTH });
  readonly #matches = new LRUCache<string, Matches>({ maxSize: MATCHES_BYTES });
  readonly #answers = new LRUCache<string, PageAnswer>({ maxSize: PAGES_BYTES });

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** Reads a raw query string without its `?`. Throws a ServiceError `invalid_query` or `invalid_cursor`. */
  parse(raw: string): PageQuery {
    let query = this.#queries.get(raw);
    if (query === undefined) {
      query = parsePageQuery(raw);
      this.#queries.set(raw, query, { size: raw.length + 1 });
    }
    return query;
  }

  /** The page of this snapshot, or of a newer one that another caller has brought. */
  async answer(query: PageQuery, snapshot: Snapshot): Promise<Page> {
    const { text } = query;
    let answer = this.#answers.get(text);
    if (answer === undefined) {
      answer = new PageAnswer((seen, last) => this.#turns.run(this.#make(query, seen, last)));
      this.#answers.set(text, answer, { size: LEAST_BYTES });
    }
    const last = answer.page;
    const page = await answer.of(snapshot);
    if (page !== last && this.#answers.peek(text) === answer)
      this.#answers.set(text, answer, { size: LEAST_BYTES + Math.ceil(page.bytes) });
    return page;
  }

  *#make(query: PageQuery, snapshot: Snapshot, last: Page | undefined): Work<Page> {
    const { filters, order, limit, after, withMeta } = query;
    const key = `${filters.text} ${order.text}`;
    let matches = this.#matches.get(key);
    if (matches === undefined) {
      matches = new Matches(filters, order);
      this.#matches.set(key, matches, { size: LEAST_BYTES });
    }
    const { rows, total, isLast } = yield* matches.find(snapshot, limit, after);
    this.#matches.set(key, matches, { size: LEAST_BYTES + matches.bytes });
    const content = { rows, total, next: isLast ? null : order.cursorAfter(rows.at(-1)!) };
    return last?.shows(content) === true ? last : yield* renderPage(content, withMeta, last?.texts);
  }
}

/** The page of one query, as the list changes. */
class PageAnswer {
  #kept: KeptPage | undefined;
  #newest: Snapshot | undefined;
  readonly #makeNewest: () => Promise<Page>;

  constructor(make: (snapshot: Snapshot, last: Page | undefined) => Promise<Page>) {
    this.#makeNewest = coalesce(async () => {
      const snapshot = this.#newest!;
      this.#newest = undefined;
      if (this.#kept?.snapshot.deref() === snapshot) return this.#kept.page;
      const page = await make(snapshot, this.page);
      this.#kept = { page, snapshot: new WeakRef(snapshot) };
      return page;
    });
  }

  /** The last one that was made. */
  get page(): Page | undefined {
    return this.#kept?.page;
  }

  /** All calls made while a page is made share the next one, which is of the newest snapshot. */
  async of(snapshot: Snapshot): Promise<Page> {
    if (this.#kept?.snapshot.deref() === snapshot) return this.#kept.page;
    this.#newest = snapshot;
    return this.#makeNewest();
  }
}
