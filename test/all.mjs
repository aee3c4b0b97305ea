/**
 * The configuration of Mocha for `npm test` and `npm run coverage`: every test file, some side by side. More of them
 * than there are cores, because most wait most of the time; those that take longest first.
 */

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { startsProcesses, testFiles } from './test-files.mjs';

/** Whole services, with failovers and restarts; then what starts processes at all; then the rest. */
function rankOf(path) {
  if (path.startsWith(join('test', 'service'))) return 0;
  return startsProcesses(path) ? 1 : 2;
}

export default {
  import: 'tsx/esm',
  require: [
    'test/support/build.ts',
    'test/support/seed.ts',
    ...(process.env['NODE_V8_COVERAGE'] === undefined ? [] : ['test/support/take-coverage.ts']),
  ],
  timeout: 20_000,
  parallel: true,
  jobs: availableParallelism() + 1,
  spec: testFiles.toSorted((a, b) => rankOf(a) - rankOf(b)),
};
