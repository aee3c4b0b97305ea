/**
 * The list of a protocol as its own clients read it: made from the current list and the native documents. The text of
 * each entry is rendered and compressed once. A list is made at most every half a second, for the first client that
 * asks, however often entries change.
 */

import { hash } from 'node:crypto';
import { createBodyAnswers, type AnsweredBody } from '../api/http/body-answers.ts';
import type { Context } from '../api/http/context.ts';
import { STALE_MARK } from '../api/http/current-list.ts';
import type { Endpoint } from '../api/http/route.ts';
import type { GameServerId, ListedGameServer } from '../model/game-server.ts';
import { Rope } from '../runtime/bytes/rope.ts';
import type { Snapshot } from '../registry/snapshot/snapshot.ts';
import { SharedText, TextPart } from '../api/work/shared-text.ts';
import type { Turns } from '../api/work/turns.ts';
import { OWN, ROWS_AT_ONCE, type Asker, type Work } from '../api/work/work.ts';

/** An entry as its protocol shows it. */
export interface NativeRow {
  readonly text: string;
  /** The place by which entries are listed, the lowest first. The places of one protocol are all of the same type. */
  readonly place: string | number;
}

export interface NativeListOptions {
  readonly protocol: string;
  /** Whether every client of the protocol can read this document: another program may have written it to Redis. */
  readonly isReadable: (document: string) => boolean;
  /** Undefined for an entry that clients of the protocol could not read. */
  readonly render: (entry: ListedGameServer, document: string) => NativeRow | undefined;
  /** The texts before and behind the entries. */
  readonly frame: (entries: readonly ListedGameServer[]) => readonly [before: string, behind: string];
}

/** How long a list that may have changed is reused, in ms. */
const REUSED_MS = 500;
const COMMA = new TextPart(',');

interface Rendered {
  readonly row: ListedGameServer;
  readonly place: string | number;
  readonly part: TextPart;
  readonly hash: string;
}

/** A list with its bytes as they are sent. */
class Made implements AnsweredBody {
  readonly hash: string;
  readonly snapshot: Snapshot;
  readonly at: number;
  /** Whether the document of an entry was missing. */
  readonly isPartial: boolean;
  readonly #text: SharedText;
  #plain: Rope | undefined;
  #gzip: Promise<Rope> | undefined;

  constructor(text: SharedText, { hash: name, snapshot, at, isPartial }: Omit<Made, 'plain' | 'gzip'>) {
    this.#text = text;
    this.hash = name;
    this.snapshot = snapshot;
    this.at = at;
    this.isPartial = isPartial;
  }

  get plain(): Rope {
    this.#plain ??= inLongParts(this.#text.plain);
    return this.#plain;
  }

  /** Compresses the list once, however many ask for that. */
  gzip(turns: Turns, asker: Asker): Promise<Rope> {
    if (this.#gzip === undefined) {
      this.#gzip = this.#text.gzip(turns, asker).then(inLongParts);
      this.#gzip.catch(() => (this.#gzip = undefined));
    }
    return this.#gzip;
  }
}

/** The endpoint that answers with the list, plain or compressed, or with 304. */
export function createNativeList(context: NativeListContext, options: NativeListOptions): Endpoint {
  const { currentList, turns, now } = context;
  const list = new NativeList(context, options);
  const answerCurrent = createBodyAnswers(currentList, turns, { asker: OWN });
  const answerStale = createBodyAnswers(currentList, turns, { asker: OWN, mark: STALE_MARK });
  return (request) =>
    currentList.answer(async (snapshot, isStale) =>
      (isStale ? answerStale : answerCurrent)(await list.of(snapshot, now()), request),
    );
}

/** The length to which parts are joined, in bytes: a socket takes a few long buffers faster than one per entry. */
const LONG_PART_BYTES = 256 * 1024;

function inLongParts({ parts }: Rope): Rope {
  const long: Buffer[] = [];
  let waiting: Buffer[] = [];
  let bytes = 0;
  const join = (): void => {
    if (waiting.length > 0) long.push(Buffer.concat(waiting));
    [waiting, bytes] = [[], 0];
  };
  for (const part of parts) {
    waiting.push(part);
    bytes += part.length;
    if (bytes >= LONG_PART_BYTES) join();
  }
  join();
  return new Rope(long);
}

export type NativeListContext = Pick<Context, 'currentList' | 'registry' | 'turns' | 'now'>;

class NativeList {
  readonly #context: NativeListContext;
  readonly #options: NativeListOptions;
  /** The rendered entries by the state of an entry. */
  #rendered = new WeakMap<ListedGameServer, Rendered | 'unreadable'>();
  /** The entries of the last list, which are shown until the document of a later state has arrived. */
  #latest = new Map<GameServerId, Rendered>();
  #last: Made | undefined;
  #making: Promise<Made> | undefined;

  constructor(context: NativeListContext, options: NativeListOptions) {
    this.#context = context;
    this.#options = options;
  }

  async of(snapshot: Snapshot, now: number): Promise<Made> {
    const last = this.#last;
    if (last !== undefined) {
      const isSame = last.snapshot === snapshot && !last.isPartial;
      if (isSame || (now - last.at < REUSED_MS && now >= last.at)) return last;
    }
    this.#making ??= this.#context.turns
      .run(OWN, () => this.#make(snapshot, now))
      .finally(() => (this.#making = undefined));
    return this.#making;
  }

  *#make(snapshot: Snapshot, at: number): Work<Made> {
    const found: Rendered[] = [];
    let isPartial = false;
    let looked = 0;
    for (const chunk of snapshot.chunks) {
      for (const row of chunk.rows) {
        looked += 1;
        if (looked % ROWS_AT_ONCE === 0) yield;
        if (!row.details.areOfProtocol || row.details.fields.protocol !== this.#options.protocol) continue;
        // To read and render a document takes as long as to examine many rows.
        if (!this.#rendered.has(row)) yield;
        const rendered = this.#render(row);
        isPartial ||= rendered === undefined;
        const shown = rendered ?? this.#latest.get(row.id);
        if (shown !== undefined && shown !== 'unreadable') found.push(shown);
      }
    }
    this.#latest = new Map(found.map((each) => [each.row.id, each]));
    found.sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0));
    const [before, behind] = this.#options.frame(found.map(({ row }) => row));
    const parts = found.flatMap(({ part }, index) => (index === 0 ? [part] : [COMMA, part]));
    const text = new SharedText(parts).between(before, behind);
    const name = hash('sha256', [before, ...found.map((each) => each.hash), behind].join('\n'), 'base64url');
    this.#last = new Made(text, { hash: name.slice(0, 22), snapshot, at, isPartial });
    return this.#last;
  }

  /** Undefined while the document is missing. */
  #render(row: ListedGameServer): Rendered | 'unreadable' | undefined {
    const known = this.#rendered.get(row);
    if (known !== undefined) return known;
    const document = this.#context.registry.nativeEntries.documentOf(row);
    if (document === undefined) return undefined;
    const { isReadable, render } = this.#options;
    const entry = isReadable(document) ? render(row, document) : undefined;
    const rendered: Rendered | 'unreadable' =
      entry === undefined
        ? 'unreadable'
        : {
            row,
            place: entry.place,
            part: new TextPart(entry.text),
            hash: hash('sha256', entry.text, 'base64url'),
          };
    this.#rendered.set(row, rendered);
    return rendered;
  }
}
