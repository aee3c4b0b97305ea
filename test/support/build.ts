/** Mocha requires it: builds the program once before any test, for those that start it as a user does. */

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export function mochaGlobalSetup(): void {
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    // On Windows npm is a script.
    shell: process.platform === 'win32',
  });
}
