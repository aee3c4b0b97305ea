/**
 * Mocha requires it: where GSLS_TEST_TIMES names a file, each file of tests leaves a line of JSON there with how long
 * it took, hooks included.
 */

import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Context, Suite } from 'mocha';
import { ROOT } from './program.ts';

const path = process.env['GSLS_TEST_TIMES'];
let beganAt = 0;

function countTests(suite: Suite): number {
  return suite.tests.length + suite.suites.reduce((sum, each) => sum + countTests(each), 0);
}

export const mochaHooks =
  path === undefined
    ? {}
    : {
        beforeAll(): void {
          beganAt = performance.now();
        },
        afterAll(this: Context): void {
          const { parent } = this.test!;
          const file = relative(ROOT, parent!.suites.find((suite) => suite.file !== undefined)?.file ?? '');
          const line = { file, ms: Math.round(performance.now() - beganAt), tests: countTests(parent!) };
          appendFileSync(path, `${JSON.stringify(line)}\n`);
        },
      };
