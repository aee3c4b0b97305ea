/**
 * The release from which one can come to this version, built from its commit in a temporary folder: releases.json names
 * the commit, because tags may not travel with a clone. Mocha requires this file for the lane: it builds the release
 * once, before the files that run side by side.
 */

import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import releases from '../releases.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Names the folder of the build to the processes in which the tests run. */
const BUILD = 'GSLS_TEST_RELEASE_BUILD';
const BUILD_LIMIT_MS = 300_000;

const { version, commit } = releases[0]!;

/** If this clone has it. The build is removed when the process ends. */
export async function mochaGlobalSetup(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gsls-release-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env[BUILD] = folder;
  if (hasCommit()) await build(folder);
}

/**
 * A describe block with RELEASE in its title replaced by the name of the release. `release()` is the folder of its
 * build, once the tests run. Where the clone does not have the commit the block is pending; where CI is set it fails,
 * unless the clone is a shallow one.
 */
export function describeWithRelease(
  titleOfAny: string,
  block: (release: () => string, name: string) => void,
): void {
  const name = `release ${version}`;
  const title = titleOfAny.replace('RELEASE', name);
  const reason = hasCommit() ? undefined : `the clone lacks ${commit}, the commit of ${name}`;
  const body = (): void => {
    before('the release', async function () {
      if (reason !== undefined) throw new Error(reason);
      this.timeout(BUILD_LIMIT_MS);
      // A file by itself, without the lane.
      if (process.env[BUILD] === undefined) await mochaGlobalSetup();
    });
    block(() => process.env[BUILD]!, name);
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

async function build(folder: string): Promise<void> {
  const run = promisify(execFile);
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['--extract'], { cwd: folder, input: archive });
  // With the same dependencies nothing has to be installed, and no network is needed.
  if (dependenciesOf(folder) === dependenciesOf(ROOT))
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  else
    await run('npm', ['ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
    });
  await run('npm', ['run', '--silent', 'build'], { cwd: folder });
}

/** All installed packages, as the lock file pins them. */
function dependenciesOf(folder: string): string {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>;
  };
  const { '': _itself, ...packages } = lock.packages;
  return JSON.stringify(packages);
}
