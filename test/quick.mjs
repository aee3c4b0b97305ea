/**
 * The configuration of Mocha for `npm run test:quick`: every test file that starts no process, neither by itself nor
 * by what it imports from test/. Each of its tests has to be done within two seconds.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORT = /^(?:import|export) [^;]*?from '([^']+)'/gm;
const known = new Map();

/** Whether a file under test/ can start a process. */
function startsProcesses(path) {
  if (!known.has(path)) {
    const imported = [...readFileSync(path, 'utf8').matchAll(IMPORT)].map(([, from]) => from);
    const files = imported.filter((from) => from.startsWith('.')).map((from) => join(dirname(path), from));
    const helpers = files.filter((file) => file.startsWith('test'));
    known.set(path, imported.includes('node:child_process') || helpers.some(startsProcesses));
  }
  return known.get(path);
}

const tests = readdirSync('test', { recursive: true })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => join('test', path));

export default {
  import: 'tsx/esm',
  timeout: 2000,
  spec: tests.filter((path) => !startsProcesses(path)),
};
