/**
 * The configuration of Mocha for `npm run test:quick`: every test file that starts no process. Each of its tests has to
 * be done within two seconds.
 */

import { startsProcesses, testFiles } from './test-files.mjs';

export default {
  import: 'tsx/esm',
  timeout: 2000,
  spec: testFiles.filter((path) => !startsProcesses(path)),
};
