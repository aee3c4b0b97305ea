/** What the tests start as a user does. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The arguments of Node that start the built program. */
export const BUILT_PROGRAM: readonly string[] = [join(ROOT, 'dist/cli.js')];

/**
 * The variables of a process that measures no coverage. It starts with an eighth of the CPU, and one that SIGKILL ends
 * would write none anyway.
 */
export const UNCOVERED = { NODE_V8_COVERAGE: '' } as const;

/**
 * The arguments of Node that start the built program. Where coverage is measured, they start its sources: a function
 * that ran in both forms would count as two, one of which some tests did not call.
 */
export const PROGRAM: readonly string[] =
  process.env['NODE_V8_COVERAGE'] === undefined
    ? BUILT_PROGRAM
    : ['--import', import.meta.resolve('tsx/esm'), join(ROOT, 'src/cli.ts')];
