/** The other processes of this machine. */

import type { ServiceOptions } from '../service.ts';

export const otherProcesses: ServiceOptions['processes'] = { ownPid: process.pid, isRunning };

/** EPERM means that the process runs, under another user. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
