/**
 * The history of a registry in memory. Its journal keeps only the last change of an id, so the points go there in
 * blocks of 60, each under an id of its own. The twin of ../../redis/redis-history.ts.
 */

import type { History } from '../../backend.ts';
import {
  hoursOver,
  HISTORY_STEPS,
  mergePoints,
  MinuteSampler,
  SAMPLE_INTERVAL_MS,
  withoutFuture,
  type HistoryRecord,
  type HistoryPoint,
  type HistoryPoints,
  type HistoryStep,
} from '../../history-record.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { HistoryChange, Journal, ServerHistoryChange } from '../journal.ts';
import type { Clock, RegistryEvents } from '../../registry.ts';
import type { RegistryRules } from '../../registry-rules.ts';
import { MemoryServerHistories, type MemoryServerHistoriesOptions } from './memory-server-histories.ts';

const BLOCK_POINTS = 60;

export interface MemoryHistoryOptions extends Pick<RegistryRules, 'serverHistoryMost'> {
  /** The caller closes it, after the registry. */
  readonly journal?: Journal;
  /** The points to begin with. */
  readonly past?: HistoryRecord | undefined;
  readonly events?: Partial<Pick<RegistryEvents, 'onHistoriesFull'>>;
}

/** Creates the history of a registry, with those of its game servers where its rules allow some. */
export function createMemoryHistory(
  registry: MemoryServerHistoriesOptions['registry'],
  { journal, past, events = {}, serverHistoryMost: most = 0 }: MemoryHistoryOptions,
  clock: Clock,
): MemoryHistory {
  const { onHistoriesFull: onFull } = events;
  const ofServers =
    most === 0 ? undefined : new MemoryServerHistories({ registry, most, onFull, clock, journal });
  return new MemoryHistory(journal, past, ofServers);
}

export class MemoryHistory implements History {
  /** The histories of single game servers; undefined where none are kept. */
  readonly ofServers: MemoryServerHistories | undefined;
  readonly #journal: Journal | undefined;
  readonly #points: Record<HistoryStep, HistoryPoints>;
  readonly #sampler = new MinuteSampler(SAMPLE_INTERVAL_MS);

  /** `past`: the points to begin with. load() adds those of the journal. */
  constructor(
    journal: Journal | undefined,
    past: HistoryRecord = { minute: [], hour: [] },
    ofServers?: MemoryServerHistories,
  ) {
    this.#journal = journal;
    this.ofServers = ofServers;
    this.#points = { ...past };
  }

  /** Returns all points. */
  async points(step: HistoryStep): Promise<HistoryPoints> {
    return this.#points[step];
  }

  /**
   * Samples the totals of the list at `now`, ms since the epoch, and adds the points of the minute and the hours that
   * are over. The registry calls it each SAMPLE_INTERVAL_MS.
   */
  async sample(now: number, shown: Pick<Snapshot, 'count' | 'players'>): Promise<void> {
    const minute = this.#sampler.take(now, shown);
    if (minute !== undefined) this.#keep(minute, now);
    await this.ofServers?.look();
  }

  /** Adds the points that the journal has. */
  load(change: HistoryChange | ServerHistoryChange): void {
    if (change.is === 'server_histories') return this.ofServers?.load(change);
    const { step, points } = change;
    this.#points[step] = mergePoints(step, this.#points[step], points);
  }

  /** The last change of each block. */
  *changes(): Iterable<HistoryChange | ServerHistoryChange> {
    for (const step of ['hour', 'minute'] as const) yield* blocksOf(step, this.#points[step]);
    yield* this.ofServers?.changes() ?? [];
  }

  #keep(minute: HistoryPoint, now: number): void {
    for (const step of ['minute', 'hour'] as const)
      this.#points[step] = withoutFuture(this.#points[step], now);
    this.#add('minute', [minute]);
    this.#add('hour', hoursOver(this.#points.minute, this.#points.hour, now));
  }

  #add(step: HistoryStep, points: HistoryPoints): void {
    this.#points[step] = mergePoints(step, this.#points[step], points);
    const changed = new Set(points.map(({ time }) => blockOf(step, time)));
    const inChanged = this.#points[step].filter(({ time }) => changed.has(blockOf(step, time)));
    for (const block of blocksOf(step, inChanged)) this.#journal?.append(block);
  }
}

function blockOf(step: HistoryStep, time: number): number {
  return Math.floor(time / HISTORY_STEPS[step].ms / BLOCK_POINTS);
}

function blocksOf(step: HistoryStep, points: HistoryPoints): Iterable<HistoryChange> {
  const blocks = new Map<number, HistoryPoint[]>();
  for (const point of points) {
    const number = blockOf(step, point.time);
    const block = blocks.get(number);
    if (block === undefined) blocks.set(number, [point]);
    else block.push(point);
  }
  return [...blocks].map(([number, block]) => ({
    is: 'history',
    id: `history-${step}-${number}`,
    step,
    points: block,
  }));
}
