/**
 * The configuration of Mocha for `npm run test:quick`: every test file that starts no process, some side by side. Each
 * of their tests has to be done within five seconds.
 */

import { availableParallelism } from 'node:os';
import { startsProcesses, testFiles } from './test-files.mjs';

export default {
  import: 'tsx/esm',
  require: ['test/support/build.ts', 'test/support/seed.ts'],
  timeout: 5000,
  parallel: true,
  jobs: Math.max(2, availableParallelism()),
  spec: testFiles.filter((path) => !startsProcesses(path)),
};
