/**
 * Tests that need a program of the machine, or an operating system. Where it is missing they are pending, with the
 * reason in their title: never absent. Where CI is set a missing program is an error instead.
 */

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Func, AsyncFunc, Suite, Test } from 'mocha';

type Program =
  | ('redis-server' | 'haproxy' | 'openssl' | 'prlimit' | 'script' | 'mkfifo')
  | ('bash' | 'curl' | 'redis-cli' | 'python3' | 'mcs' | 'mono');
export type Need = Program | 'Linux' | 'POSIX';

export interface NeedyTests {
  describe(title: string, body: (this: Suite) => void): Suite;
  it(title: string, body: Func | AsyncFunc): Test;
}

/** `needs('redis-server').describe('a connection', …)`: runs where all of these are there. */
export function needs(...wanted: readonly Need[]): NeedyTests {
  const missing = wanted.filter((need) => !has(need));
  if (missing.length === 0) return { describe, it };
  const reason = `(pending: needs ${missing.join(' and ')})`;
  return {
    describe: (title, body) => describe.skip(`${title} ${reason}`, body) as Suite,
    it: (title, body) => it.skip(`${title} ${reason}`, body as Func),
  };
}

/** Whether this is there: a program on the PATH. Throws where CI is set and a program is not. */
export function has(need: Need): boolean {
  if (need === 'Linux') return process.platform === 'linux';
  if (need === 'POSIX') return process.platform !== 'win32';
  const found = (process.env['PATH'] ?? '').split(delimiter).some((folder) => isProgram(join(folder, need)));
  if (!found && process.env['CI'])
    throw new Error(`${need} is missing: install it, CI tests on the real thing`);
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
