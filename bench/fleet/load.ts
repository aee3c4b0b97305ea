/** The two processes that play the game servers and the readers, as seen from the one that measures. */

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
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
  close(): void;
}

/** Readers begin at once, game servers when they are told to. */
export async function startLoad(gameServers: GameServersOptions, readers: ReadersOptions): Promise<Load> {
  const [game, reading] = [new LoadProcess(), new LoadProcess()];
  await Promise.all([
    game.ask({ order: 'game-servers', options: gameServers }),
    reading.ask({ order: 'readers', options: readers }),
  ]);
  return {
    pids: [game.pid, reading.pid],
    start: (end, withinMs = 0) => game.ask({ order: 'start', end, withinMs }),
    pingAllWithin: (withinMs) => game.ask({ order: 'ping-all', withinMs }),
    silence: (share) => game.ask({ order: 'silence', share }),
    livingIds: async () => Buffer.from(await game.ask<Uint8Array>({ order: 'ids' })),
    async report() {
      const order = { order: 'report' } as const;
      const [served, read] = await Promise.all([
        game.ask<GameServersReport>(order),
        reading.ask<ReadersReport>(order),
      ]);
      return { gameServers: served, readers: read };
    },
    close() {
      game.end();
      reading.end();
    },
  };
}

/** Answers come in the order of the orders. */
class LoadProcess {
  readonly #child: ChildProcess;
  #last: Promise<unknown> = Promise.resolve();
  #isEnding = false;

  constructor() {
    const program = fileURLToPath(new URL('load-process.ts', import.meta.url));
    this.#child = fork(program, { execArgv: ['--import', 'tsx/esm'], serialization: 'advanced' });
    this.#child.once('exit', (code, signal) => {
      if (!this.#isEnding) throw new Error(`a process of the load ended: ${code ?? signal}`);
    });
    process.once('exit', () => this.end());
  }

  get pid(): number {
    return this.#child.pid!;
  }

  ask<T>(order: LoadOrder): Promise<T> {
    const answer = this.#last.then(async () => {
      this.#child.send(order);
      return ((await once(this.#child, 'message')) as [T])[0];
    });
    this.#last = answer;
    return answer;
  }

  end(): void {
    this.#isEnding = true;
    this.#child.kill('SIGKILL');
  }
}
