/** The files of tests, and which of them start processes. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** `import type` brings nothing that could start one. */
const IMPORT = /^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm;
const STARTERS = ['node:child_process', 'playwright-core'];
const known = new Map();

/** The files that start processes among a file of tests and what it imports from outside src/. */
export function startersOf(path) {
  if (!known.has(path)) {
    const imported = [...readFileSync(path, 'utf8').matchAll(IMPORT)].map(([, from]) => from);
    const files = imported.filter((from) => from.startsWith('.')).map((from) => join(dirname(path), from));
    const helpers = files.filter((file) => !file.startsWith('src'));
    const own = imported.some((from) => STARTERS.includes(from)) ? [path] : [];
    known.set(path, new Set([...own, ...helpers.flatMap((helper) => [...startersOf(helper)])]));
  }
  return known.get(path);
}

export function startsProcesses(path) {
  return startersOf(path).size > 0;
}

/** Every file under test/ whose name ends so, as a path from the root of the repository. */
export function filesEnding(end) {
  return readdirSync('test', { recursive: true })
    .filter((path) => path.endsWith(end))
    .map((path) => join('test', path));
}
