/**
 * The releases from which one can come to this version, each built from its commit in a temporary folder: releases.json
 * names the commits, because tags may not travel with a clone. Mocha requires this file for the lane: it builds them
 * once, before the files that run side by side.
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

type Block = (release: () => string, name: string) => void;

interface Release {
  readonly version: string;
  readonly commit: string;
}

const folderOf = ({ version }: Release): string => join(process.env[BUILDS]!, version);

/** All that this clone has. They are removed when the process ends. */
export async function mochaGlobalSetup(): Promise<void> {
  const builds = mkdtempSync(join(tmpdir(), 'gsls-releases-'));
  process.once('exit', () => rmSync(builds, { recursive: true, force: true }));
  process.env[BUILDS] = builds;
  await Promise.all(releases.filter(({ commit }) => hasCommit(commit)).map(build));
}

/**
 * A describe block for each release, from the oldest on, with RELEASE in its title replaced by the name of the release.
 * `release()` is the folder of its build, once the tests run.
 */
export function describeWithEachRelease(title: string, block: Block): void {
  for (const release of releases) describeWith(release, title, block);
}

/** The same for one release: `only`, the one that GSLS_TEST_RELEASE names, or the last. */
export function describeWithRelease(title: string, block: Block, only?: string): void {
  const wanted = only ?? process.env['GSLS_TEST_RELEASE'] ?? releases.at(-1)!.version;
  const release = releases.find(({ version }) => version === wanted);
  if (release === undefined) throw new Error(`releases.json has no ${wanted}`);
  describeWith(release, title, block);
}

/**
 * Where the clone does not have the commit the block is pending; where CI is set it fails, unless the clone is a
 * shallow one.
 */
function describeWith(release: Release, titleOfEach: string, block: Block): void {
  const { version, commit } = release;
  const name = `release ${version}`;
  const title = titleOfEach.replace('RELEASE', name);
  const reason = hasCommit(commit) ? undefined : `the clone lacks ${commit}, the commit of ${name}`;
  const body = (): void => {
    before('the release', async function () {
      if (reason !== undefined) throw new Error(reason);
      this.timeout(BUILD_LIMIT_MS);
      // A file by itself, without the lane.
      if (process.env[BUILDS] === undefined) await mochaGlobalSetup();
    });
    block(() => folderOf(release), name);
  };
  if (reason === undefined || (process.env['CI'] && !isShallow())) describe(title, body);
  else describe.skip(`${title} (pending: ${reason})`, body);
}

function hasCommit(commit: string): boolean {
  return spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).status === 0;
}

function isShallow(): boolean {
  return (
    execFileSync('git', ['rev-parse', '--is-shallow-repository'], { cwd: ROOT, encoding: 'utf8' }) ===
    'true\n'
  );
}

async function build(release: Release): Promise<void> {
  const folder = folderOf(release);
  mkdirSync(folder);
  const run = promisify(execFile);
  const archive = execFileSync('git', ['archive', release.commit], { cwd: ROOT, maxBuffer: 2 ** 28 });
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
