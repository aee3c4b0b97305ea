/** Reserves a file for one process, by a lock file beside it with the process id in its name. */

import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** The processes of this machine, as far as a lock has to know them. */
export interface Processes {
  readonly ownPid: number;
  /** Whether a process of this machine, or container, has the id. */
  isRunning(pid: number): boolean;
}

export class FileLock {
  /** The path of the locked file. */
  readonly path: string;
  readonly #processes: Processes;

  constructor(path: string, processes: Processes) {
    this.path = path;
    this.#processes = processes;
  }

  /**
   * Locks the file. Rejects, with a message for people, if another process has the lock. Deletes the locks that a crash
   * left behind: that of a process that is not running, one from before the machine started, and one with our own id,
   * which in a container is always the same. Each process creates its own lock first and then looks for others, so of
   * two that start together at least one sees the other.
   */
  async take(): Promise<void> {
    const { ownPid } = this.#processes;
    await this.release();
    // `wx` makes it fail if a link has this name, rather than write through it.
    await writeFile(this.#lockOf(ownPid), '', { flag: 'wx' });
    for (const pid of await this.#lockPids()) {
      if (pid === ownPid) continue;
      const lock = this.#lockOf(pid);
      if (this.#processes.isRunning(pid) && (await isOfThisBoot(lock))) {
        await this.release();
        throw new Error(`process ${pid} uses it; if that is another program, delete ${lock}`);
      }
      await rm(lock, { force: true });
    }
  }

  /** Does nothing when the lock is not taken. */
  release(): Promise<void> {
    return rm(this.#lockOf(this.#processes.ownPid), { force: true });
  }

  #lockOf(pid: number): string {
    return join(dirname(this.path), `${basename(this.path)}.${pid}.lock`);
  }

  async #lockPids(): Promise<number[]> {
    const beginning = `${basename(this.path)}.`;
    return (await readdir(dirname(this.path))).flatMap((name) => {
      const [, pid] =
        (name.startsWith(beginning) && /^(\d+)\.lock$/.exec(name.slice(beginning.length))) || [];
      return pid === undefined ? [] : Number(pid);
    });
  }
}

/** Whether the lock is from after the machine started: after a power cut another program may have its process id. */
async function isOfThisBoot(lock: string): Promise<boolean> {
  const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: 0 }));
  return mtimeMs > Date.now() - uptime() * 1000;
}
