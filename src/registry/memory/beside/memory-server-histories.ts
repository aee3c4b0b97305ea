/**
 * The histories of game servers in memory. The journal gets the parts of each block, and joins them to what it has when
 * it is read. The twin of ../../redis/redis-server-histories.ts.
 */

import type { ServerHistories, ServerHistory } from '../../backend.ts';
import type { GameServerId } from '../../../model/game-server.ts';
import type { Clock } from '../../registry.ts';
import { decodeRecord, encodeRecord } from '../../server-history/record-text.ts';
import { EMPTY, joinRecords, type ServerRecord } from '../../server-history/server-record.ts';
import { inTurns } from '../../snapshot/in-turns.ts';
import {
  forgottenAt,
  HistoryBook,
  joined,
  joinedBlock,
  type BookOptions,
  type RecordPart,
} from '../../server-history/history-book.ts';
import type { Journal, ServerHistoryChange } from '../journal.ts';

/** The most parts in one change: a line of the data file has less than 64 KiB. */
const MOST_PARTS = 25;

export interface MemoryServerHistoriesOptions extends BookOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly journal: Journal | undefined;
}

export class MemoryServerHistories implements ServerHistories {
  readonly #options: MemoryServerHistoriesOptions;
  readonly #opened: HistoryBook;
  /** What the journal has, until it is needed. */
  readonly #loaded = new Map<GameServerId, ServerRecord>();
  #isLooking = false;

  constructor(options: MemoryServerHistoriesOptions) {
    this.#options = options;
    this.#opened = new HistoryBook(options);
  }

  async of(id: GameServerId): Promise<ServerHistory | undefined> {
    return this.#book.historyOf(id, this.#options.clock.now());
  }

  /** Looks at the list, and keeps the block that is over. The registry calls it each SAMPLE_INTERVAL_MS. */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const { over, banned } = await this.#book.look(this.#options.clock.now());
      if (over !== undefined) {
        await this.#join(`${over.number}`, [...this.#book.partsOf(over)]);
        for (const id of await this.#book.over(this.#options.clock.now())) this.#book.set(id, undefined);
      }
      for (const id of banned) await this.forget(id);
    } finally {
      this.#isLooking = false;
    }
  }

  async forget(id: GameServerId): Promise<void> {
    await this.#join(`of-${id}`, [[id, forgottenAt(this.#options.clock.now())]]);
  }

  /** Joins parts that the journal has. */
  load({ parts }: ServerHistoryChange): void {
    for (const [id, text] of parts)
      this.#loaded.set(id, joinRecords(this.#loaded.get(id) ?? EMPTY, decodeRecord(text)));
  }

  /** All histories, as changes. */
  changes(): Iterable<ServerHistoryChange> {
    return inChanges('kept', [...this.#book.texts]);
  }

  /** The book, with all that was loaded. */
  get #book(): HistoryBook {
    for (const [id, record] of this.#loaded)
      this.#opened.set(id, joined('', record, this.#options.clock.now()));
    this.#loaded.clear();
    return this.#opened;
  }

  async #join(name: string, parts: readonly RecordPart[]): Promise<void> {
    const { clock, journal } = this.#options;
    const texts: [GameServerId, string][] = [];
    await inTurns(parts, ([id, part]) => {
      this.#book.set(id, joinedBlock(this.#book.textOf(id), part, clock.now(), true));
      texts.push([id, encodeRecord(part)]);
    });
    for (const change of inChanges(name, texts)) journal?.append(change);
  }
}

function* inChanges(name: string, texts: ServerHistoryChange['parts']): Iterable<ServerHistoryChange> {
  for (let first = 0; first < texts.length; first += MOST_PARTS)
    yield {
      is: 'server_histories',
      id: `histories-${name}-${first}`,
      parts: texts.slice(first, first + MOST_PARTS),
    };
}
