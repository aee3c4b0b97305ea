/**
 * The histories of all game servers as one process holds them: a text of some hundred bytes for each. Knows neither
 * Redis nor a file.
 */

import type { GameServerId, ListedGameServer } from '../../model/game-server.ts';
import type { Moderation, ServerHistory, ServerHistoryPoint } from '../backend.ts';
import type { Decisions } from '../decisions/decisions.ts';
import type { Registry } from '../registry.ts';
import { inTurns } from '../snapshot/in-turns.ts';
import { BlockSampler, MINUTE_MS, type Block } from './block-sampler.ts';
import { decodeBlocks, decodeRecord, encodeRecord } from './record-text.ts';
import {
  EMPTY,
  foldRecord,
  from,
  HOUR_MINUTES,
  isEmpty,
  isOver,
  joinRecords,
  LEVEL_MINUTES,
  NOT_SEEN,
  type ServerRecord,
} from './server-record.ts';

/** The id under which the record of what was looked at is kept: no game server has it. */
export const OBSERVED = '';

/** A part of a history that is to be joined to what is kept under the id. */
export type RecordPart = readonly [GameServerId, ServerRecord];

export interface BookOptions {
  /** The part of a registry that a book reads. */
  readonly registry: Pick<Registry, 'list'> & {
    known(id: GameServerId): ListedGameServer | undefined;
    readonly moderation: Pick<Moderation, 'decided' | 'findBan'>;
  };
  /** How many histories are kept. */
  readonly most: number;
  /** Called once, when a game server gets no history for that reason. */
  readonly onFull: ((most: number) => void) | undefined;
}

export class HistoryBook {
  readonly #options: BookOptions;
  readonly #sampler = new BlockSampler();
  readonly #texts = new Map<GameServerId, string>();
  #decided: Decisions | undefined;
  #hasBeenFull = false;
  /** The hour in which over() looked at all records. */
  #sweptIn = -1;

  constructor(options: BookOptions) {
    this.#options = options;
  }

  /**
   * Looks at the list, if it has not in this minute. `now`: ms since the epoch. Resolves with the block that is over,
   * if there is one to store, and with the ids whose histories a ban takes away.
   */
  async look(
    now: number,
  ): Promise<{ readonly over: Block | undefined; readonly banned: readonly GameServerId[] }> {
    const { last } = this.#sampler.block;
    const { registry } = this.#options;
    const over = await this.#sampler.take(now, registry);
    const { block } = this.#sampler;
    const { decided } = registry.moderation;
    // After a decision the last look says nothing. Otherwise whoever is banned is missing in the list.
    const mayBeBanned = (id: GameServerId): boolean =>
      decided !== this.#decided || (block.last !== last && !block.hasJustSeen(id));
    const banned = [...this.#banned(mayBeBanned)];
    this.#decided = decided;
    return { over, banned };
  }

  get texts(): Iterable<readonly [GameServerId, string]> {
    return this.#texts;
  }

  textOf(id: GameServerId): string | undefined {
    return this.#texts.get(id);
  }

  recordOf(id: GameServerId): ServerRecord {
    return decodeRecord(this.#texts.get(id));
  }

  set(id: GameServerId, text: string | undefined): void {
    if (text === undefined) this.#texts.delete(id);
    else this.#texts.set(id, text);
  }

  /** The parts of a block, without new game servers for which there is no room. That of OBSERVED is the last one. */
  *partsOf(block: Block): Iterable<RecordPart> {
    const { most, onFull } = this.#options;
    let size = this.#texts.size - (this.#texts.has(OBSERVED) ? 1 : 0);
    for (const part of block.parts()) {
      if (this.#texts.has(part[0])) yield part;
      else if (size < most) {
        size += 1;
        yield part;
      } else if (!this.#hasBeenFull) {
        this.#hasBeenFull = true;
        onFull?.(most);
      }
    }
    yield [OBSERVED, block.observed()];
  }

  *#banned(mayBe: (id: GameServerId) => boolean): Iterable<GameServerId> {
    const { registry } = this.#options;
    if (registry.moderation.decided.bans.length === 0) return;
    for (const id of this.#texts.keys()) {
      const entry = mayBe(id) ? registry.known(id) : undefined;
      if (
        entry !== undefined &&
        registry.moderation.findBan(entry) !== undefined &&
        !isEmpty(this.recordOf(id))
      )
        yield id;
    }
  }

  /** Finds the records that may be dropped, in the first block of each hour. `now`: ms since the epoch. */
  async over(now: number): Promise<readonly GameServerId[]> {
    const ids: GameServerId[] = [];
    const hour = Math.floor(now / (HOUR_MINUTES * MINUTE_MS));
    if (hour === this.#sweptIn) return ids;
    this.#sweptIn = hour;
    await inTurns(this.#texts, ([id, text]) => void (isOverAt(decodeRecord(text), now) && ids.push(id)));
    return ids;
  }

  /** The history under this id at `now`, ms since the epoch; undefined if there is none. */
  historyOf(id: GameServerId, now: number): ServerHistory | undefined {
    const record = readable(this.recordOf(id), now);
    if (id === OBSERVED || isEmpty(record)) return undefined;
    const observed = readable(from(record.first, this.recordOf(OBSERVED)), now);
    const points: ServerHistoryPoint[] = [];
    let [allSeen, allLooked] = [0, 0];
    for (const [at, step] of [
      [2, 'day'],
      [1, 'hour'],
    ] as const) {
      const [its, all] = [record.levels[at]!, observed.levels[at]!];
      const numbers = new Set([...its.keys(), ...all.keys()]);
      for (const number of [...numbers].toSorted((a, b) => a - b)) {
        const { seen, total, peak } = its.get(number) ?? NOT_SEEN;
        const looked = all.get(number)?.seen ?? 0;
        allSeen += Math.min(seen, looked);
        allLooked += looked;
        const time = number * LEVEL_MINUTES[at] * MINUTE_MS;
        const players = seen === 0 ? 0 : Math.round(total / seen);
        points.push({ time, step, players, peak, uptime: share(seen, looked) });
      }
    }
    return { points, uptime: share(allSeen, allLooked) };
  }
}

/** Joins a block to the text of a record. `isSound`: whether it is surely not damaged. `now`: ms since the epoch. */
export function joinedBlock(
  text: string | undefined,
  part: ServerRecord,
  now: number,
  isSound: boolean,
): string {
  const [blocks, ...older] = part.levels;
  if (!text || !isSound || part.forgottenAt > 0 || older.some(({ size }) => size > 0))
    return joined(text, part, now);
  // Five times of six no block becomes an hour: hours and days stay as they are, and their bytes are not looked at.
  const { record, rest } = decodeBlocks(text);
  const next = joinRecords(record, { ...part, levels: [blocks!] });
  const { levels } = foldRecord(next, Math.floor(now / MINUTE_MS));
  if (levels[0]!.size < next.levels[0]!.size) return joined(text, part, now);
  return encodeRecord(next) + rest;
}

/** Joins a part to the text of a record. `now`: ms since the epoch. */
export function joined(text: string | undefined, part: ServerRecord, now: number): string {
  return encodeRecord(foldRecord(joinRecords(decodeRecord(text), part), Math.floor(now / MINUTE_MS)));
}

/** The part that makes a history be forgotten, this minute included. `now`: ms since the epoch. */
export function forgottenAt(now: number): ServerRecord {
  return { ...EMPTY, forgottenAt: Math.floor(now / MINUTE_MS) + 1 };
}

/** Whether the record may be dropped at `now`, ms since the epoch. */
export function isOverAt(record: ServerRecord, now: number): boolean {
  const minute = Math.floor(now / MINUTE_MS);
  return isOver(foldRecord(record, minute), minute);
}

function readable(record: ServerRecord, now: number): ServerRecord {
  return foldRecord(record, Math.floor(now / MINUTE_MS), false);
}

/** A share with four digits; null of nothing. */
function share(part: number, whole: number): number | null {
  return whole <= 0 ? null : Math.min(1, Math.round((part * 10_000) / whole) / 10_000);
}
