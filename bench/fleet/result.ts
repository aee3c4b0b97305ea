/** What a run of the fleet gives, and what follows from it. */

import type { FleetOptions, SettledPhase } from './fleet.ts';
import type { Phase } from './meter.ts';
import type { ReadersReport } from './readers.ts';

/** Replicas: their mean, after a full collection of garbage. */
export interface Memory {
  readonly redisBytes: number;
  readonly redisDatasetBytes: number;
  readonly replicaHeapBytes: number;
  readonly replicaRssBytes: number;
}

/** As the names of processes begin. */
const PARTS = ['replica', 'Redis', 'haproxy', 'load'] as const;

/** All that a part did in the steady phase, charged to the pings. */
export interface Carries {
  readonly part: (typeof PARTS)[number];
  readonly cpuUsAPing: number;
  /** How many game servers one core carries that ping every 10 s, or every 30 s. */
  readonly serversAt10S: number;
  readonly serversAt30S: number;
}

export interface FleetResult {
  readonly options: FleetOptions;
  readonly wave: SettledPhase;
  readonly steady: Phase;
  readonly storms: readonly SettledPhase[];
  readonly carries: readonly Carries[];
  /** Bytes per game server: of Redis (dataset, and all), and of one replica. */
  readonly perServer: Memory;
  readonly gzipListBytes: number;
  readonly plainListBytes: number;
  /**
   * No living game server was told that it is unknown, and at the end of each phase each list held exactly those that
   * live.
   */
  readonly nothingLost: boolean;
}

export interface Measured extends Pick<FleetResult, 'options' | 'wave' | 'steady' | 'storms'> {
  readonly empty: Memory;
  readonly full: Memory;
  readonly readers: ReadersReport;
}

export function createResult({ empty, full, readers, ...phases }: Measured): FleetResult {
  const { options, wave, steady, storms } = phases;
  const perServer = (key: keyof Memory): number => (full[key] - empty[key]) / options.servers;
  const settled = [wave, ...storms];
  const areListsRight = settled.every(
    ({ checks, wellAfterS }) =>
      wellAfterS !== undefined && checks.every(({ missing, surplus }) => missing + surplus === 0),
  );
  return {
    ...phases,
    carries: PARTS.flatMap((part) => carriedBy(part, steady)),
    perServer: {
      redisBytes: perServer('redisBytes'),
      redisDatasetBytes: perServer('redisDatasetBytes'),
      replicaHeapBytes: perServer('replicaHeapBytes'),
      replicaRssBytes: perServer('replicaRssBytes'),
    },
    gzipListBytes: readers.gzipBytes,
    plainListBytes: readers.plainBytes,
    nothingLost: areListsRight && [steady, ...settled].every(({ lost }) => lost === 0),
  };
}

/** Nothing for a part that there is not. */
function carriedBy(part: Carries['part'], { parts, pings }: Phase): Carries[] {
  const uses = parts.filter(({ name }) => name.startsWith(part));
  if (uses.length === 0) return [];
  const cpuUsAPing = uses.reduce((sum, { cpuS }) => sum + 1e6 * cpuS, 0) / pings.count;
  const serversAt = (intervalS: number): number => Math.floor((1e6 / cpuUsAPing) * intervalS);
  return [{ part, cpuUsAPing, serversAt10S: serversAt(10), serversAt30S: serversAt(30) }];
}
