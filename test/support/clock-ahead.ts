/** The clock of a program that is started with it, which a test puts ahead (clock-ahead.c). */

import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface ClockAhead {
  /** The variables for the program. */
  readonly environment: Readonly<Record<string, string>>;
  putAhead(seconds: number): void;
}

/** Compiles it in a folder that is made for it. It needs gcc. */
export function createClockAhead(folder: string): ClockAhead {
  mkdirSync(folder);
  const [library, file] = [join(folder, 'clock-ahead.so'), join(folder, 'ahead')];
  const args = ['-shared', '-fPIC', '-o', library, 'test/support/clock-ahead.c'];
  const { status, stderr } = spawnSync('gcc', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`gcc: ${stderr}`);
  const write = (seconds: number, flags: string): void => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(seconds));
    const opened = openSync(file, flags);
    writeSync(opened, bytes, 0, bytes.length, 0);
    closeSync(opened);
  };
  write(0, 'w');
  return {
    environment: { LD_PRELOAD: library, CLOCK_FILE: file },
    putAhead: (seconds) => write(seconds, 'r+'),
  };
}
