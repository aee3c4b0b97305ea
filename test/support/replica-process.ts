/** A replica in a process of its own, started from the sources as a user starts it: one that can be killed. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface ReplicaProcess {
  readonly url: string;
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the exit code, null after a signal. */
  readonly exited: Promise<number | null>;
  /** Kills it if it still runs. */
  stop(): Promise<void>;
}

/** Resolves once it listens; on a free port unless told otherwise. */
export async function startReplicaProcess(
  environment: Readonly<Record<string, string>> = {},
): Promise<ReplicaProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx/esm', 'src/cli.ts'], {
    env: {
      PATH: process.env['PATH'],
      GSLS_PORT: '0',
      GSLS_HOST: '127.0.0.1',
      GSLS_LOG_FORMAT: 'json',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const url = await new Promise<string>((resolve, reject) => {
    void exited.then((code) => reject(new Error(`the replica ended with ${code} before it listened`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = JSON.parse(line) as { url?: string };
      if (entry.url !== undefined) resolve(entry.url);
    });
  });
  return {
    url,
    pid: child.pid!,
    kill: (signal) => void child.kill(signal),
    exited,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
