/** The process of some senders, as seen from the one that measures. */

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { SendersOptions, SendersReport } from './senders.ts';
import type { SendersOrder } from './senders-process.ts';

export interface SendersProcess {
  broadcast(count: number): Promise<void>;
  report(): Promise<SendersReport>;
  end(): void;
}

/**
 * Resolves when they are ready to broadcast. They end with this process. `niceness`: they leave the cores to the others,
 * as if they were on another machine.
 */
export async function startSenders(options: SendersOptions, niceness = 0): Promise<SendersProcess> {
  const program = fileURLToPath(new URL('senders-process.ts', import.meta.url));
  const child: ChildProcess = fork(program, { execArgv: ['--import', 'tsx/esm'], serialization: 'advanced' });
  setPriority(child.pid!, niceness);
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  const ask = async <T>(order: SendersOrder): Promise<T> => {
    child.send(order);
    return ((await once(child, 'message')) as [T])[0];
  };
  await ask({ order: 'begin', options });
  return {
    broadcast: (count) => ask({ order: 'broadcast', count }),
    report: () => ask({ order: 'report' }),
    end,
  };
}
