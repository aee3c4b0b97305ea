/** A game server of another project, as it runs in a test: what it says, and how it ends. */

import { rm } from 'node:fs/promises';
import type { RunningProcess } from './processes.ts';

export interface RealGameServer extends RunningProcess {
  /** Of UDP. */
  readonly port: number;
}

/** `home`: its folder, which goes with it. */
export function realGameServer(program: RunningProcess, port: number, home: string): RealGameServer {
  return {
    port,
    pid: program.pid,
    get lines() {
      return program.lines;
    },
    get ended() {
      return program.ended;
    },
    signal: (signal) => program.signal(signal),
    async stop(signal) {
      const code = await program.stop(signal);
      await rm(home, { recursive: true, force: true });
      return code;
    },
  };
}
