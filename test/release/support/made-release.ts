/**
 * The release that the tests of the lane judge. Mocha requires this file: it has it made once, in a temporary folder,
 * before the files that run side by side. GSLS_TEST_RELEASE names one that is made already.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../support/program.ts';

const FOLDER = 'GSLS_TEST_RELEASE';

export const VERSION = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string })
  .version;

export function mochaGlobalSetup(): void {
  if (process.env[FOLDER] !== undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'gsls-release-made-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  execFileSync('npm', ['run', '--silent', 'release', '--', '--out', folder], { cwd: ROOT, stdio: 'inherit' });
  process.env[FOLDER] = folder;
}

/** The path of a file of the release; VERSION in its name stands for that of this version. */
export function madeFile(name: string): string {
  return join(process.env[FOLDER]!, name.replace('VERSION', VERSION));
}
