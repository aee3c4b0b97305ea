/** One process a file, also after crashes. */

import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { FileLock } from '../../../src/registry/data-file/file-lock.ts';
import { useDirectory } from '../../support/use-directory.ts';

/** As the process with this id, while these are running. */
async function lockAs(path: string, ownPid: number, running: readonly number[] = []): Promise<FileLock> {
  const lock = new FileLock(path, { ownPid, isRunning: (pid) => running.includes(pid) });
  await lock.take();
  return lock;
}

function failureOf(locking: Promise<unknown>): Promise<string> {
  return locking.then(
    () => expect.fail('it was locked'),
    ({ message }: Error) => message,
  );
}

describe('a lock of a file', () => {
  const newPath = useDirectory();

  it('keeps out a second process, and tells it which process has the file and what to do', async () => {
    const path = newPath();
    await lockAs(path, 1001);
    expect(await failureOf(lockAs(path, 1002, [1001, 1002]))).to.equal(
      `process 1001 uses it; if that is another program, delete ${path}.1001.lock`,
    );
    expect(existsSync(`${path}.1001.lock`)).to.equal(true);
    expect(existsSync(`${path}.1002.lock`)).to.equal(false);
  });

  it('lets the next one in when it is given up', async () => {
    const path = newPath();
    const lock = await lockAs(path, 1001);
    await lock.release();
    await lockAs(path, 1002, [1001, 1002]);
  });

  it('is taken over from a process that is gone', async () => {
    const path = newPath();
    await lockAs(path, 1001);
    await lockAs(path, 1002, [1002]);
    expect(existsSync(`${path}.1001.lock`)).to.equal(false);
  });

  it('is taken over from a process with the same id, as after each restart of a container', async () => {
    const path = newPath();
    await lockAs(path, 1, [1]);
    await lockAs(path, 1, [1]);
  });

  it('is taken over from before the machine started, though its id is in use again', async () => {
    const path = newPath();
    await writeFile(`${path}.1001.lock`, '');
    const beforeBoot = Date.now() / 1000 - uptime() - 60;
    await utimes(`${path}.1001.lock`, beforeBoot, beforeBoot);
    await lockAs(path, 1002, [1001, 1002]);
  });

  it('is never held by two processes that start together', async () => {
    const pids = [1001, 1002, 1003, 1004];
    for (let round = 0; round < 50; round += 1) {
      const path = newPath();
      // What a crash left makes no difference.
      await writeFile(`${path}.1000.lock`, '');
      const locks = await Promise.allSettled(pids.map((pid) => lockAs(path, pid, pids)));
      expect(locks.filter(({ status }) => status === 'fulfilled').length).to.be.at.most(1);
    }
  });

  it('is of one file only', async () => {
    const path = newPath();
    const running = [1001, 1002, 1003];
    await lockAs(path, 1001, running);
    await lockAs(`${path}.1002`, 1002, running);
    await lockAs(`${path}0`, 1003, running);
  });
});
