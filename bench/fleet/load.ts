/** The two processes that play the game servers and the readers, as seen from the one that measures. */

import { Worker } from '../support/processes.ts';
import type { GameServersOptions, GameServersReport } from './game-servers-report.ts';
import type { LoadOrder } from './load-process.ts';
import type { ReadersOptions, ReadersReport } from './readers.ts';

export interface LoadReport {
  readonly gameServers: GameServersReport;
  readonly readers: ReadersReport;
}

export interface Load {
  readonly pids: readonly number[];
  /** Game servers up to the number `end` broadcast, as fast as they are answered or spread over a time. */
  start(end: number, withinMs?: number): Promise<void>;
  pingAllWithin(withinMs: number): Promise<void>;
  /** This share of the game servers falls silent for good. */
  silence(share: number): Promise<void>;
  /** Ids of those that live, ID_LENGTH bytes each; zeros for the others. */
  livingIds(): Promise<Buffer>;
  report(): Promise<LoadReport>;
  close(): Promise<void>;
}

/** Readers begin at once, game servers when they are told to. */
export async function startLoad(gameServers: GameServersOptions, readers: ReadersOptions): Promise<Load> {
  const script = new URL('load-process.ts', import.meta.url);
  const [playing, reading] = [new Worker(script), new Worker(script)];
  const play = <T>(order: LoadOrder): Promise<T> => playing.ask(order);
  const read = <T>(order: LoadOrder): Promise<T> => reading.ask(order);
  await Promise.all([
    play({ order: 'game-servers', options: gameServers }),
    read({ order: 'readers', options: readers }),
  ]);
  return {
    pids: [playing.pid, reading.pid],
    start: (end, withinMs = 0) => play({ order: 'start', end, withinMs }),
    pingAllWithin: (withinMs) => play({ order: 'ping-all', withinMs }),
    silence: (share) => play({ order: 'silence', share }),
    livingIds: async () => Buffer.from(await play<Uint8Array>({ order: 'ids' })),
    async report() {
      const order = { order: 'report' } as const;
      const [served, seen] = await Promise.all([play<GameServersReport>(order), read<ReadersReport>(order)]);
      return { gameServers: served, readers: seen };
    },
    async close() {
      await playing.end();
      await reading.end();
    },
  };
}
