/**
 * The last release, built from its commit in a temporary folder: releases.json names the commit, because tags may not
 * travel with a clone. Knows nothing of what is tested with it.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import releases from '../releases.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const BUILD_LIMIT_MS = 300_000;

const { version, commit } = releases.at(-1)!;
/** As it is called in titles and reports. */
export const RELEASE = `release ${version}`;

let built: string | undefined;

/**
 * A describe block that needs the release; `release()` is the folder of its build, once the tests run. Where the clone
 * does not have the commit the block is pending; where CI is set it fails, unless the clone is a shallow one.
 */
export function describeWithRelease(title: string, block: (release: () => string) => void): void {
  const reason = hasCommit() ? undefined : `the clone lacks ${commit}, the commit of ${RELEASE}`;
  const body = (): void => {
    before('the release', function () {
      if (reason !== undefined) throw new Error(reason);
      this.timeout(BUILD_LIMIT_MS);
      built ??= build();
    });
    block(() => built!);
  };
  if (reason === undefined || (process.env['CI'] && !isShallow())) describe(title, body);
  else describe.skip(`${title} (pending: ${reason})`, body);
}

function hasCommit(): boolean {
  return spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).status === 0;
}

function isShallow(): boolean {
  return (
    execFileSync('git', ['rev-parse', '--is-shallow-repository'], { cwd: ROOT, encoding: 'utf8' }) ===
    'true\n'
  );
}

/** The folder is removed when the process ends. */
function build(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gsls-release-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const run = (program: string, ...args: string[]): void =>
    void execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['--extract'], { cwd: folder, input: archive });
  // With the same dependencies nothing has to be installed, and no network is needed.
  if (dependenciesOf(folder) === dependenciesOf(ROOT))
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  else run('npm', 'ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund');
  run('npm', 'run', '--silent', 'build');
  return folder;
}

/** All installed packages, as the lock file pins them. */
function dependenciesOf(folder: string): string {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>;
  };
  const { '': _itself, ...packages } = lock.packages;
  return JSON.stringify(packages);
}
