/** The program as another program starts it, for what it prints: byte by byte, whatever it is. */

import { execFile } from 'node:child_process';
import { PROGRAM, ROOT } from './program.ts';
import type { CliExit } from './start-cli.ts';

/** Resolves once it has ended by itself. Variables of the machine that begin with GSLS_ stay outside. */
export function runProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CliExit> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GSLS_'));
  const env = { ...Object.fromEntries(inherited), ...environment };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...PROGRAM, ...args],
      { cwd: ROOT, env, encoding: 'utf8' },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}
