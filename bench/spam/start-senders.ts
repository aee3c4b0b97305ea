/** The process of some senders, as seen from the one that measures. */

import { setPriority } from 'node:os';
import { Worker } from '../support/processes.ts';
import type { SendersOptions, SendersReport } from './senders.ts';
import type { SendersOrder } from './senders-process.ts';

export interface SendersProcess {
  broadcast(count: number): Promise<void>;
  report(): Promise<SendersReport>;
  end(): Promise<void>;
}

/**
 * Resolves when they are ready to broadcast. `niceness`: they leave the cores to the others, as if on another machine.
 */
export async function startSenders(options: SendersOptions, niceness = 0): Promise<SendersProcess> {
  const worker = new Worker(new URL('senders-process.ts', import.meta.url));
  const ask = <T>(order: SendersOrder): Promise<T> => worker.ask(order);
  setPriority(worker.pid, niceness);
  await ask({ order: 'begin', options });
  return {
    broadcast: (count) => ask({ order: 'broadcast', count }),
    report: () => ask({ order: 'report' }),
    end: () => worker.end(),
  };
}
