/** Looks at the list once a minute, and counts for ten minutes what each game server showed. */

import type { GameServerId } from '../../model/game-server.ts';
import type { Registry } from '../registry.ts';
import type { Chunk } from '../snapshot/chunk.ts';
import { inTurns } from '../snapshot/in-turns.ts';
import { BLOCK_MINUTES, recordOfBlock, type ServerRecord } from './server-record.ts';

export const MINUTE_MS = 60_000;

/** A replica that missed more than this of a block leaves the block to others. */
const FEWEST_MINUTES = 6;

interface Count {
  readonly first: number;
  last: number;
  seen: number;
  total: number;
  peak: number;
}

/** What a replica saw in ten minutes. */
export class Block {
  readonly number: number;
  readonly #counts = new Map<GameServerId, Count>();
  /** The first and the latest minute in which the replica looked, and how many there were. */
  #first = Infinity;
  #last = -Infinity;
  #minutes = 0;

  constructor(number: number) {
    this.number = number;
  }

  /** The latest minute in which the replica looked at the list. */
  get last(): number {
    return this.#last;
  }

  get isWhole(): boolean {
    return this.#minutes === BLOCK_MINUTES;
  }

  get hasMost(): boolean {
    return this.#minutes >= FEWEST_MINUTES;
  }

  /** Whether the replica saw the game server when it last looked. */
  hasJustSeen(id: GameServerId): boolean {
    return this.#counts.get(id)?.last === this.#last;
  }

  async look(minute: number, chunks: readonly Chunk[]): Promise<void> {
    this.#first = Math.min(this.#first, minute);
    this.#last = minute;
    this.#minutes += 1;
    await inTurns(rowsOf(chunks), ({ id, players }) => {
      let count = this.#counts.get(id);
      if (count === undefined) {
        count = { first: minute, last: 0, seen: 0, total: 0, peak: 0 };
        this.#counts.set(id, count);
      }
      count.last = minute;
      count.seen += 1;
      count.total += players;
      count.peak = Math.max(count.peak, players);
    });
  }

  /** The part of the history of each game server that the block is. */
  *parts(): Iterable<readonly [GameServerId, ServerRecord]> {
    for (const [id, { first, seen, total, peak }] of this.#counts)
      yield [id, recordOfBlock(this.number, first, { seen, total, peak })];
  }

  /** The part of the record of what was looked at. */
  observed(): ServerRecord {
    return recordOfBlock(this.number, this.#first, { seen: this.#minutes, total: 0, peak: 0 });
  }
}

function* rowsOf(chunks: readonly Chunk[]): Iterable<Chunk['rows'][number]> {
  for (const { rows } of chunks) yield* rows;
}

export class BlockSampler {
  #block = new Block(-1);

  /** The present block. */
  get block(): Block {
    return this.#block;
  }

  /**
   * Looks at the list, if it has not in this minute and the list is current. `now`: ms since the epoch. Resolves with
   * the block before, if that is over and the replica saw most of it.
   */
  async take(now: number, registry: Pick<Registry, 'list'>): Promise<Block | undefined> {
    const minute = Math.floor(now / MINUTE_MS);
    const number = Math.floor(minute / BLOCK_MINUTES);
    const before = this.#block;
    if (number !== before.number) this.#block = new Block(number);
    if (minute !== this.#block.last) {
      const { snapshot, staleSince } = await registry.list();
      if (staleSince === undefined) await this.#block.look(minute, snapshot.chunks);
    }
    return this.#block !== before && before.hasMost ? before : undefined;
  }
}
