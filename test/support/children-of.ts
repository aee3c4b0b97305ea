/** The processes that a process has started, by ps. */

import { execFileSync } from 'node:child_process';

/** Their ids; none of those that have ended. */
export function childrenOf(pid: number): readonly number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, state]) => Number(parent) === pid && state?.startsWith('Z') === false)
    .map(([child]) => Number(child));
}
