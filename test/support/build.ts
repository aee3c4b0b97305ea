/** Mocha requires it: before any test, builds the program where it is not of these sources. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './program.ts';

export function mochaGlobalSetup(): void {
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.mjs'), '--if-needed'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}
