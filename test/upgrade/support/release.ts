/**
 * Releases, built from their commits in a temporary folder: the one from which one can come to this version, and the
 * oldest one that a mirror can follow. releases.json names the commits, because tags may not travel with a clone. Mocha
 * requires this file for the lane: it builds them once, before the files that run side by side.
 */

import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import releases from '../releases.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Names the folder of the builds to the processes in which the tests run. */
const BUILDS = 'GSLS_TEST_RELEASE_BUILDS';
const BUILD_LIMIT_MS = 300_000;

type Release = keyof typeof releases;

/** Those that this clone has. The builds are removed when the process ends. */
export async function mochaGlobalSetup(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gsls-releases-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env[BUILDS] = folder;
  const names = Object.keys(releases) as Release[];
  await Promise.all(names.filter(hasCommit).map((name) => build(releases[name].commit, join(folder, name))));
}

/**
 * A describe block with RELEASE in its title replaced by the name of the release. `release()` is the folder of its
 * build, once the tests run. Where the clone does not have the commit the block is pending; where CI is set it fails,
 * unless the clone is a shallow one.
 */
export function describeWithRelease(
  titleOfAny: string,
  block: (release: () => string, name: string) => void,
  which: Release = 'last',
): void {
  const { version, commit } = releases[which];
  const name = `release ${version}`;
  const title = titleOfAny.replace('RELEASE', name);
  const reason = hasCommit(which) ? undefined : `the clone lacks ${commit}, the commit of ${name}`;
  const body = (): void => {
    before('the release', async function () {
      if (reason !== undefined) throw new Error(reason);
      this.timeout(BUILD_LIMIT_MS);
      // A file by itself, without the lane.
      if (process.env[BUILDS] === undefined) await mochaGlobalSetup();
    });
    block(() => join(process.env[BUILDS]!, which), name);
  };
  if (reason === undefined || (process.env['CI'] && !isShallow())) describe(title, body);
  else describe.skip(`${title} (pending: ${reason})`, body);
}

function hasCommit(which: Release): boolean {
  const { commit } = releases[which];
  return spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).status === 0;
}

function isShallow(): boolean {
  return (
    execFileSync('git', ['rev-parse', '--is-shallow-repository'], { cwd: ROOT, encoding: 'utf8' }) ===
    'true\n'
  );
}

async function build(commit: string, folder: string): Promise<void> {
  mkdirSync(folder);
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

/** All installed packages of others, as the lock file pins them. */
function dependenciesOf(folder: string): string {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>;
  };
  const others = Object.entries(lock.packages).filter(([path]) => path.startsWith('node_modules/'));
  return JSON.stringify(others);
}
