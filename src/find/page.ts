/** One page of servers as immutable bytes. Knows nothing of where its rows come from, nor of HTTP. */

import { hash } from 'node:crypto';
import type { ListedGameServer } from '../registry/game-server.ts';
import { compressRuns } from '../registry/snapshot/deflater.ts';
import { gzipMember, GzipPiece } from '../registry/snapshot/gzip.ts';
import { Rope } from '../registry/snapshot/rope.ts';
import { renderServer } from './render-server.ts';
import type { Turns, Work } from './turns.ts';

export interface PageContent {
  readonly rows: readonly ListedGameServer[];
  /** How many entries match in all. */
  readonly total: number;
  /** The cursor of the next page; null if this is the last one. */
  readonly next: string | null;
}

type Texts = ReadonlyMap<ListedGameServer, string>;

/** So many rows are rendered at once, in 0.1 ms, or 0.5 ms with large meta. */
const ROWS_AT_ONCE = 100;

/** What a page takes beside its bytes, for each of its rows, which it may be the last to keep. */
const ROW_BYTES = 300;

export class Page {
  readonly content: PageContent;
  readonly body: Rope;
  /** Equal on all replicas for equal bytes, and only for those. */
  readonly hash: string;
  /** The JSON of each row. */
  readonly texts: Texts;
  #gzip: Promise<Rope> | undefined;

  constructor(content: PageContent, texts: Texts, body: Buffer) {
    this.content = content;
    this.texts = texts;
    this.body = new Rope([body]);
    this.hash = hash('sha256', body, 'base64url').slice(0, 22);
  }

  /** What it takes in memory, with its texts and its compressed form. */
  get bytes(): number {
    return 2.5 * this.body.length + ROW_BYTES * this.content.rows.length;
  }

  /** Whether the page would have just these bytes. */
  shows({ rows, total, next }: PageContent): boolean {
    const { content } = this;
    return (
      content.total === total &&
      content.next === next &&
      content.rows.length === rows.length &&
      content.rows.every((row, index) => row === rows[index])
    );
  }

  /** Its body compressed: once, however many ask for it. */
  gzip(turns: Turns): Promise<Rope> {
    if (this.#gzip === undefined) {
      this.#gzip = turns.run(this.#compress());
      this.#gzip.catch(() => (this.#gzip = undefined));
    }
    return this.#gzip;
  }

  // oxlint-disable-next-line eslint/require-yield
  *#compress(): Work<Promise<Rope>> {
    const { parts, length } = this.body;
    const plain = parts.length === 1 ? parts[0]! : this.body.toBuffer();
    return compressRuns([plain]).then(([run]) => {
      const { bytes, crc } = run!;
      const deflated = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      return new Rope(gzipMember([new GzipPiece(deflated, length, crc)]));
    });
  }
}

/** `texts`: of rows that are rendered already, with meta just if it is wanted now. */
export function* renderPage(content: PageContent, withMeta: boolean, texts?: Texts): Work<Page> {
  const { rows, total, next } = content;
  const rendered = new Map<ListedGameServer, string>();
  for (const row of rows) {
    rendered.set(row, texts?.get(row) ?? renderServer(row, withMeta));
    if (rendered.size % ROWS_AT_ONCE === 0) yield;
  }
  const servers = [...rendered.values()].join(',');
  const end = `],"count":${rows.length},"total":${total},"next":${JSON.stringify(next)}}`;
  return new Page(content, rendered, Buffer.from(`{"status":"success","servers":[${servers}${end}`));
}
