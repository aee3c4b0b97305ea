/**
 * Answers queries for pages of servers. A page is made once for all clients that ask for it while the list stays the
 * same. Pages, and what they are made from, are kept only as far as the caches go.
 */

import { LRUCache } from 'lru-cache';
import type { Snapshot } from '../../registry/snapshot/snapshot.ts';
import { keep } from '../work/keep.ts';
import { LatestAnswers, LEAST_KEPT_BYTES } from '../work/latest-answers.ts';
import { Matches } from './matches.ts';
import { parsePageQuery, type PageQuery } from './page-query.ts';
import type { NearQuery } from './nearest.ts';
import type { Order } from './order.ts';
import { bytesOf, renderPage, shows, type Page, type PageContent } from './page.ts';
import type { OnQuery } from './query-matches.ts';
import { renderServer } from './render-server.ts';
import { select, type MatchingRows } from './select.ts';
import type { Turns } from '../work/turns.ts';
import type { Asker, Work } from '../work/work.ts';

/** The size of all parsed queries that are kept, in characters of their texts. */
const QUERIES_LENGTH = 256 * 1024;
/** The size of all matches that are kept, in bytes: a hundred sorted queries that match half of 100,000 entries. */
const MATCHES_BYTES = 16 * 1024 * 1024;
/** The size of all pages that are kept, in bytes: some 500 of 100 entries each. */
const PAGES_BYTES = 32 * 1024 * 1024;

export class Pages {
  readonly #onQuery: OnQuery | undefined;
  readonly #queries = new LRUCache<string, PageQuery>({ maxSize: QUERIES_LENGTH });
  readonly #matches = new LRUCache<string, Matches>({ maxSize: MATCHES_BYTES });
  readonly #answers: LatestAnswers<Page>;

  readonly #turns: Turns;
  readonly #mark: string;

  /** `mark`: the end of every cursor, by which the cursors of one registry are told from those of another. */
  constructor(turns: Turns, onQuery?: OnQuery, mark = '') {
    this.#turns = turns;
    this.#mark = mark;
    this.#answers = new LatestAnswers({ turns, keptBytes: PAGES_BYTES, bytesOf });
    this.#onQuery = onQuery;
  }

  /** Reads a raw query string without its `?`. Throws a ServiceError `invalid_query` or `invalid_cursor`. */
  parse(raw: string): PageQuery {
    let query = this.#queries.get(raw);
    if (query === undefined) {
      query = parsePageQuery(raw, this.#mark);
      this.#queries.set(raw, query, { size: raw.length + 1 });
    }
    return query;
  }

  /**
   * The page of this snapshot, or of a newer one that another caller supplied. Rejects with a ServiceError
   * `overloaded`.
   */
  answer(query: PageQuery, snapshot: Snapshot, asker: Asker): Promise<Page> {
    const { text } = query;
    this.#onQuery?.(this.#answers.has(text) || this.#matches.has(keyOf(query)) ? 'kept' : 'new');
    return this.#answers.of(text, snapshot, asker, () => (seen, last) => this.#make(query, seen, last));
  }

  /** The page of this snapshot for one reader alone: nothing of it is kept. Rejects likewise. */
  answerOnce({ page, nearMsOf }: NearQuery, { chunks }: Snapshot, asker: Asker): Promise<Page> {
    const { filters, order, limit, after, withMeta } = page;
    const mark = this.#mark;
    this.#onQuery?.('new');
    return this.#turns.run(asker, function* () {
      const found = yield* select(chunks, filters, order, limit, after);
      return yield* renderPage(contentOf(found, order, mark), (row) =>
        renderServer(row, withMeta, nearMsOf(row)),
      );
    });
  }

  *#make(query: PageQuery, snapshot: Snapshot, last: Page | undefined): Work<Page> {
    const { filters, order, limit, after, withMeta } = query;
    const key = keyOf(query);
    let matches = this.#matches.get(key);
    if (matches === undefined) {
      matches = new Matches(filters, order);
      keep(this.#matches, key, matches, LEAST_KEPT_BYTES);
    }
    const found = yield* matches.find(snapshot, limit, after);
    keep(this.#matches, key, matches, LEAST_KEPT_BYTES + matches.bytes);
    const content = contentOf(found, order, this.#mark);
    return last !== undefined && shows(last, content)
      ? last
      : yield* renderPage(content, (row) => renderServer(row, withMeta), last);
  }
}

function contentOf({ rows, total, isLast }: MatchingRows, order: Order, mark: string): PageContent {
  return { rows, total, next: isLast ? null : order.cursorAfter(rows.at(-1)!) + mark };
}

/** The key of matches: queries for any page of the same entries in the same order share them. */
function keyOf({ filters, order }: PageQuery): string {
  return `${filters.text} ${order.text}`;
}
