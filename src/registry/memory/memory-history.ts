/**
 * The history of a registry in memory. A journal gets it in blocks of 60 points, because only the last change of an id
 * counts there. Knows nothing of how the list is looked at.
 */

import {
  hoursOver,
  HISTORY_STEPS,
  mergePoints,
  withoutFuture,
  type HistoryRecord,
  type HistoryPoint,
  type HistoryPoints,
  type HistoryStep,
} from '../history-record.ts';
import type { History } from '../history.ts';
import type { HistoryChange, Journal } from './journal.ts';

const BLOCK_POINTS = 60;

export class MemoryHistory implements History {
  readonly #journal: Journal | undefined;
  readonly #points: Record<HistoryStep, HistoryPoints>;

  /** `past`: what it begins with, before what the journal has. */
  constructor(journal: Journal | undefined, past: HistoryRecord = { minute: [], hour: [] }) {
    this.#journal = journal;
    this.#points = { ...past };
  }

  /** All points there are. */
  async points(step: HistoryStep): Promise<HistoryPoints> {
    return this.#points[step];
  }

  /** Takes the point of a minute, and makes those of the hours that are over at `now`, ms since the epoch. */
  add(minute: HistoryPoint, now: number): void {
    for (const step of ['minute', 'hour'] as const)
      this.#points[step] = withoutFuture(this.#points[step], now);
    this.#add('minute', [minute]);
    this.#add('hour', hoursOver(this.#points.minute, this.#points.hour, now));
  }

  /** Takes over what the journal has. */
  load({ step, points }: HistoryChange): void {
    this.#points[step] = mergePoints(step, this.#points[step], points);
  }

  /** The last change of each id. */
  *changes(): Iterable<HistoryChange> {
    for (const step of ['hour', 'minute'] as const) yield* blocksOf(step, this.#points[step]);
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
