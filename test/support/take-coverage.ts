/**
 * Mocha requires it where coverage is measured: writes what the tests of a file covered when they are done. Mocha lets
 * a worker end within a second, which is less than it takes to write all of it at the end.
 */

import { takeCoverage } from 'node:v8';

export const mochaHooks = {
  afterAll(): void {
    takeCoverage();
  },
};
