/** One page of servers as immutable bytes. */

import type { ListedGameServer } from '../../model/game-server.ts';
import { Body } from '../work/body.ts';
import type { Work } from '../work/work.ts';

export interface PageContent {
  readonly rows: readonly ListedGameServer[];
  /** How many entries match in all. */
  readonly total: number;
  /** The cursor of the next page; null if this is the last one. */
  readonly next: string | null;
}

type Texts = ReadonlyMap<ListedGameServer, string>;

const NO_TEXTS: Texts = new Map();

/** How many rows are rendered between two pauses: 0.1 ms, or 0.5 ms with large meta. */
const ROWS_AT_ONCE = 100;

/** The memory for one row of a page beside the bytes: the page may be the last to keep the entry alive. */
const ROW_BYTES = 300;

export interface Page {
  readonly content: PageContent;
  /** The JSON of each row. It is left out for the first page of a query, which perhaps nobody asks for again. */
  readonly texts: Texts;
  readonly body: Body;
}

/** The memory for a page in bytes, estimated. */
export function bytesOf({ body, content }: Page): number {
  return body.bytes + body.plain.length + ROW_BYTES * content.rows.length;
}

/** Whether the page has exactly this content. */
export function shows({ content }: Page, { rows, total, next }: PageContent): boolean {
  return (
    content.total === total &&
    content.next === next &&
    content.rows.length === rows.length &&
    content.rows.every((row, index) => row === rows[index])
  );
}

/** `last`: the page before of the same query, rendered in the same way. */
export function* renderPage(
  content: PageContent,
  render: (row: ListedGameServer) => string,
  last?: Page,
): Work<Page> {
  const { rows, total, next } = content;
  const rendered = new Map<ListedGameServer, string>();
  for (const row of rows) {
    rendered.set(row, last?.texts.get(row) ?? render(row));
    if (rendered.size % ROWS_AT_ONCE === 0) yield;
  }
  const servers = [...rendered.values()].join(',');
  const end = `],"count":${rows.length},"total":${total},"next":${JSON.stringify(next)}}`;
  return {
    content,
    texts: last === undefined ? NO_TEXTS : rendered,
    body: new Body(Buffer.from(`{"status":"success","servers":[${servers}${end}`)),
  };
}
