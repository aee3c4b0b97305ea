/** The files of tests, and which of them start processes. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORT = /^(?:import|export) [^;]*?from '([^']+)'/gm;
const STARTERS = ['node:child_process', 'playwright-core'];
const known = new Map();

/** Whether a file of tests can start a process, by itself or by what it imports from outside src/. */
export function startsProcesses(path) {
  if (!known.has(path)) {
    const imported = [...readFileSync(path, 'utf8').matchAll(IMPORT)].map(([, from]) => from);
    const files = imported.filter((from) => from.startsWith('.')).map((from) => join(dirname(path), from));
    const helpers = files.filter((file) => !file.startsWith('src'));
    known.set(path, imported.some((from) => STARTERS.includes(from)) || helpers.some(startsProcesses));
  }
  return known.get(path);
}

/** Every `*.test.ts`, as a path from the root of the repository. */
export const testFiles = readdirSync('test', { recursive: true })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => join('test', path));
