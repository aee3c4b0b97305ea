/** The client for C: compiled as strictly as it promises, and with the sanitizers, for which a leak is an error too. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../support/program.ts';
import type { JudgedClient } from './judged-client.ts';

const run = promisify(execFile);

export const C_FOLDER = join(ROOT, 'clients/c');
/** Valid in both languages. */
const WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Werror'];
export const STRICT = [...WARNINGS, `-I${C_FOLDER}`];
export const SANITIZED = ['-g', '-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'];

/** In clients/c. Rejects with what gcc says, if it says anything. */
export async function compileC(...args: readonly string[]): Promise<void> {
  await run('gcc', ['-std=c99', ...STRICT, ...args], { cwd: C_FOLDER });
}

export async function compileCpp(...args: readonly string[]): Promise<void> {
  await run('g++', ['-x', 'c++', '-std=c++11', ...STRICT, ...args], { cwd: C_FOLDER });
}

export const C: JudgedClient = {
  name: 'C',
  needs: ['gcc', 'curl-config'],
  build: async (into, from = ROOT) => {
    const program = join(into, 'conformance');
    const args = ['-std=c99', ...WARNINGS, ...SANITIZED, '-o', program, 'conformance.c', '-lcurl'];
    await run('gcc', args, { cwd: join(from, 'clients/c') });
    return [program];
  },
};
