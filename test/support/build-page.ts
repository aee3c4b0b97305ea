/** Mocha requires it: bundles the page once before any test, for services that run from their sources. */

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export function mochaGlobalSetup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../src/page/build.mjs', import.meta.url))], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}
