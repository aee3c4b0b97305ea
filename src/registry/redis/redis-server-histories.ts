/**
 * The histories of game servers as this replica knows them. Each replica looks at the list once a minute. When a block
 * is over, one that saw all of it stores what it saw, and then the record of when replicas looked, by which the others
 * know that the block is stored: they read what Redis has. Every history is joined to that of Redis, so a block that is
 * stored twice or in part does no harm. The copies of the replicas outlive what Redis loses: once a minute they ask for
 * that record, read what is new, and write back what is gone.
 */

import type { ServerHistories, ServerHistory } from '../backend.ts';
import type { GameServerId } from '../../model/game-server.ts';
import { coalesce } from '../../runtime/coalesce.ts';
import { MINUTE_MS, type Block } from '../server-history/block-sampler.ts';
import {
  forgottenAt,
  HistoryBook,
  isOverAt,
  joined,
  joinedBlock,
  OBSERVED,
  type BookOptions,
  type RecordPart,
} from '../server-history/history-book.ts';
import { decodeRecord } from '../server-history/record-text.ts';
import { EMPTY, joinRecords } from '../server-history/server-record.ts';
import { inTurns } from '../snapshot/in-turns.ts';
import type { CircuitBreaker } from './scripts/circuit-breaker.ts';
import type { KeptTextsReply } from './scripts/kept-replies.ts';
import type { Scripts, KeptTextWrite } from './scripts/scripts.ts';

export interface RedisServerHistoriesOptions extends BookOptions {
  readonly scripts: Pick<Scripts, 'exchangeTexts' | 'takeLease'>;
  readonly breaker: Pick<CircuitBreaker, 'run'>;
  /** Whether this replica writes back what Redis lost. */
  readonly writesBack: boolean;
  /** Returns the time by the clock of this replica, ms since the epoch. */
  readonly now: () => number;
}

/** How long after the end of a block a replica stores it at the latest, if it saw all of it. */
const LONGEST_DELAY_MS = 20_000;
/** How much longer a replica waits that missed some minutes. */
const MORE_DELAY_MS = 60_000;
/** How long other replicas leave a block to the one that began to store it. */
const LEASE_MS = 60_000;
/** How many histories a call stores: they take Redis less than a millisecond. */
const BATCH_SIZE = 100;
const MOST_ATTEMPTS = 5;

export class RedisServerHistories implements ServerHistories {
  readonly #options: RedisServerHistoriesOptions;
  readonly #book: HistoryBook;
  readonly #delayMs = Math.random() * LONGEST_DELAY_MS;
  #due: { readonly block: Block; readonly at: number } | undefined;
  #isLooking = false;
  #isLoaded = false;
  /** How far the clock of Redis is ahead of that of this replica. */
  #aheadMs = 0;
  /** The last minute in which this replica compared what it knows with Redis. */
  #caughtUpIn = -1;
  readonly #load = coalesce(async () => {
    if (!this.#isLoaded) await this.#compare();
    this.#isLoaded = true;
  });

  constructor(options: RedisServerHistoriesOptions) {
    this.#options = options;
    this.#book = new HistoryBook(options);
  }

  /** Rejects with `registry_unavailable` if it knows no history yet, and they cannot be loaded. */
  async of(id: GameServerId): Promise<ServerHistory | undefined> {
    if (!this.#isLoaded)
      await this.#load().catch((error: unknown) => {
        if (this.#book.textOf(OBSERVED) === undefined) throw error;
      });
    const mayBeForgotten =
      this.#book.textOf(id) !== undefined && this.#options.registry.known(id) === undefined;
    // A moderator may have removed the entry at another replica. While Redis is away, nobody can tell.
    if (mayBeForgotten) await this.#read(id).catch(() => undefined);
    return this.#book.historyOf(id, this.#now());
  }

  /** Other replicas may have stored histories of which this one has not heard. */
  outdate(): void {
    this.#isLoaded = false;
  }

  /**
   * Looks at the list, and stores the block that is over. upkeep.ts calls it each SAMPLE_INTERVAL_MS while Redis is
   * available. If it rejects, a later call goes on.
   */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      if (!this.#isLoaded) await this.#load();
      const now = this.#now();
      const minute = Math.floor(now / MINUTE_MS);
      // Until it has, a restart of another replica may lose for good what that one alone knows.
      if (minute !== this.#caughtUpIn) await this.#catchUp();
      this.#caughtUpIn = minute;
      const { over, banned } = await this.#book.look(now);
      if (over !== undefined)
        this.#due = { block: over, at: now + this.#delayMs + (over.isWhole ? 0 : MORE_DELAY_MS) };
      for (const id of banned) await this.forget(id);
      if (this.#due !== undefined && this.#due.at <= now && (await this.#store(this.#due.block)))
        this.#due = undefined;
    } finally {
      this.#isLooking = false;
    }
  }

  async forget(id: GameServerId): Promise<void> {
    await this.#join([[id, forgottenAt(this.#now())]]);
  }

  /** Joins what Redis has under this id to the copy of this replica. */
  async #read(id: GameServerId): Promise<void> {
    const { others } = await this.#exchange([{ id, reads: true }]);
    this.#book.set(id, joined(this.#book.textOf(id), decodeRecord(others.get(id)), this.#now()));
  }

  /** Resolves with whether the block is stored, by this replica or another one. */
  async #store(block: Block): Promise<boolean> {
    const { scripts, breaker } = this.#options;
    await this.#catchUp();
    if (this.#book.recordOf(OBSERVED).levels[0]!.has(block.number)) return true;
    if (!(await breaker.run(() => scripts.takeLease(`histories-${block.number}`, LEASE_MS)))) return false;
    // One whose writes fail must not keep the block from the others until it is lost.
    this.#due = { block, at: this.#now() + 2 * LEASE_MS };
    if (await this.#join([...this.#book.partsOf(block)])) await this.#compare(true);
    for (const id of await this.#book.over(this.#now())) {
      await this.#exchange([{ id, known: this.#book.textOf(id), next: '' }]);
      this.#book.set(id, undefined);
    }
    return true;
  }

  /** Reads what other replicas stored, and writes back what Redis lost. */
  async #catchUp(): Promise<void> {
    const { others } = await this.#exchange([{ id: OBSERVED, reads: true }]);
    if ((others.get(OBSERVED) || undefined) !== this.#book.textOf(OBSERVED)) await this.#compare();
  }

  /** Whether Redis, with this record of when replicas looked, has lost blocks that this replica knows. */
  #isLostFrom(stored: string | undefined): boolean {
    const now = this.#now();
    return joined(stored, this.#book.recordOf(OBSERVED), now) !== joined(stored, EMPTY, now);
  }

  /** Reads all histories of Redis, and writes back what it lost. `knowsLoss`: whether some are surely older there. */
  async #compare(knowsLoss = false): Promise<void> {
    const before = new Map(this.#book.texts);
    const stored = new Map<GameServerId, string>();
    for (let cursor = '0', isDone = false; !isDone; isDone = cursor === '0') {
      const reply: KeptTextsReply = await this.#exchange([], cursor);
      // What another program left in place of a history is as good as lost.
      await inTurns(reply.found, ([id, text]) => void (decodeRecord(text) !== EMPTY && stored.set(id, text)));
      cursor = reply.cursor;
    }
    const hasLost = knowsLoss || this.#isLostFrom(stored.get(OBSERVED));
    const lost: RecordPart[] = [];
    await inTurns(before, ([id, text]) => {
      const [there, record] = [stored.get(id), decodeRecord(text)];
      const isLost = there === undefined ? !isOverAt(record, this.#now()) : hasLost && there !== text;
      if (isLost && this.#options.writesBack) lost.push([id, record]);
      else if (there === undefined) this.#book.set(id, undefined);
    });
    // What changed meanwhile is newer than what was read.
    for (const [id, text] of stored) if (this.#book.textOf(id) === before.get(id)) this.#book.set(id, text);
    // The record of when replicas looked comes last: until then another replica finds the loss too.
    await this.#join(lost.toSorted(([a], [b]) => Number(a === OBSERVED) - Number(b === OBSERVED)));
  }

  /** Joins the parts to the histories of Redis, in order. Resolves with whether it found that Redis has lost some. */
  async #join(parts: readonly RecordPart[]): Promise<boolean> {
    let hasLost = false;
    for (let first = 0; first < parts.length; first += BATCH_SIZE) {
      let left = parts.slice(first, first + BATCH_SIZE);
      for (let attempt = 0; left.length > 0 && attempt < MOST_ATTEMPTS; attempt += 1) {
        const writes: { id: GameServerId; known: string | undefined; next: string }[] = [];
        await inTurns(left, ([id, part]) => {
          const known = this.#book.textOf(id);
          writes.push({ id, known, next: joinedBlock(known, part, this.#now(), attempt === 0) });
        });
        const { others } = await this.#exchange(writes);
        hasLost ||= others.has(OBSERVED) && this.#isLostFrom(others.get(OBSERVED));
        for (const { id, next } of writes) if (!others.has(id)) this.#book.set(id, next);
        // What Redis has lost since it was read is in the book alone.
        left = left
          .filter(([id]) => others.has(id))
          .map(([id, part]) => [
            id,
            this.#options.writesBack ? joinRecords(part, this.#book.recordOf(id)) : part,
          ]);
        for (const [id] of left) this.#book.set(id, others.get(id) || undefined);
      }
    }
    return hasLost;
  }

  /** The time by the clock of Redis, ms since the epoch. */
  #now(): number {
    return this.#options.now() + this.#aheadMs;
  }

  async #exchange(writes: readonly KeptTextWrite[], cursor = ''): Promise<KeptTextsReply> {
    const { scripts, breaker, now } = this.#options;
    const reply = await breaker.run(() => scripts.exchangeTexts('histories', writes, cursor));
    this.#aheadMs = reply.now - now();
    return reply;
  }
}
