/**
 * One process a file: who uses it says so in a file beside it that has the process id in its name. Knows nothing
 * of what is in the file.
 */

import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** What there is to know of processes. */
export interface Processes {
  readonly ownPid: number;
  /** Whether a process of this machine, or container, has the id. */
  isRunning(pid: number): boolean;
}

/**
 * Resolves with a function that gives the lock up; rejects when another process has it. What a crash leaves
 * behind is taken away: the lock of a process that is gone, of one before the machine started, and of our own
 * id, which in a container is always the same. Each process first makes its own lock and then looks for others,
 * so of two that start together at least one sees the other.
 */
export async function lockFile(path: string, processes: Processes): Promise<() => Promise<void>> {
  const { ownPid } = processes;
  const lockOf = (pid: number): string => join(dirname(path), `${basename(path)}.${pid}.lock`);
  const unlock = (): Promise<void> => rm(lockOf(ownPid), { force: true });

  await unlock();
  // Nothing that lies there is written through, be it a link.
  await writeFile(lockOf(ownPid), '', { flag: 'wx' });
  for (const pid of await lockPids(path)) {
    if (pid === ownPid) continue;
    if (processes.isRunning(pid) && (await isOfThisBoot(lockOf(pid)))) {
      await unlock();
      throw new Error(`process ${pid} uses it; if that is another program, delete ${lockOf(pid)}`);
    }
    await rm(lockOf(pid), { force: true });
  }
  return unlock;
}

async function lockPids(path: string): Promise<number[]> {
  const beginning = `${basename(path)}.`;
  return (await readdir(dirname(path))).flatMap((name) => {
    const [, pid] = (name.startsWith(beginning) && /^(\d+)\.lock$/.exec(name.slice(beginning.length))) || [];
    return pid === undefined ? [] : Number(pid);
  });
}

/** After a power cut some other program may have the id that is in the lock. */
async function isOfThisBoot(lock: string): Promise<boolean> {
  const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: 0 }));
  return mtimeMs > Date.now() - uptime() * 1000;
}
