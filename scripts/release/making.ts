/** What every part of a release is made with: the version, the time, the folders, and the programs of the machine. */

import { execFile, spawnSync, type ExecFileOptions } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Where the owner publishes, by release.json. */
export interface Addresses {
  readonly repository: string;
  readonly homepage: string;
  readonly bugs: string;
  /** Who maintains the Debian package: a name, and an address in angle brackets. */
  readonly maintainer: string;
  /** The name of the image, without a tag. */
  readonly image: string;
  /** Where rsync puts a folder with all files for each version. */
  readonly files: string;
}

/** A processor, as Node calls it. */
export type Architecture = 'x64' | 'arm64';
export const ARCHITECTURES: readonly Architecture[] = ['x64', 'arm64'];
/** The same, as Debian and images call it. */
export const DEBIAN_NAMES: Readonly<Record<Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/** What one release is made with. Two with the same version and time make the same bytes. */
export interface Making {
  readonly version: string;
  /** The time of all files in archives: that of the commit, in s. */
  readonly epochS: number;
  readonly addresses: Addresses;
  /** The path of a file of the release. */
  readonly out: (name: string) => string;
  /** A new folder, which goes at the end. */
  readonly newFolder: () => string;
  /** Runs a program of the machine. Resolves with what it prints; rejects with an Error that quotes it. */
  readonly run: (command: string, args: readonly string[], options?: RunOptions) => Promise<string>;
}

export type RunOptions = Pick<ExecFileOptions, 'cwd'>;

/** The Debian package of a program that a release needs, where it has another name. */
const PACKAGES: Readonly<Record<string, string>> = {
  'dpkg-deb': 'dpkg',
  '/usr/bin/python3': 'python3',
};
const MOST_OUTPUT_BYTES = 2 ** 28;
/** An error quotes the end of what a failed program printed. */
const QUOTED_CHARACTERS = 2000;

/**
 * `folder`: where the files of the release go. Throws an Error of one line where the time of the commit is not known.
 */
export function createMaking(folder: string): Making & { close(): void } {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const addresses = JSON.parse(readFileSync(join(ROOT, 'release.json'), 'utf8')) as Addresses;
  const epochS = commitTime();
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'gsls-release-'));
  // Programs that know it give the files that they write this time, in words of no language and in no time zone.
  const environment = { LC_ALL: 'C.UTF-8', TZ: 'UTC', SOURCE_DATE_EPOCH: String(epochS) };
  return {
    version,
    epochS,
    addresses,
    out: (name) => join(folder, name),
    newFolder: () => mkdtempSync(join(work, 'part-')),
    run: (command, args, options) =>
      runProgram(command, args, { ...options, env: { ...process.env, ...environment } }),
    close: () => rmSync(work, { recursive: true, force: true }),
  };
}

/** In s: SOURCE_DATE_EPOCH, or that of the commit. */
function commitTime(): number {
  const given = process.env['SOURCE_DATE_EPOCH'];
  if (given !== undefined && /^\d+$/.test(given)) return Number(given);
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' });
  const seconds = Number(stdout);
  if (!stdout || !Number.isInteger(seconds))
    throw new Error('this is no clone: give the time of the release in s as SOURCE_DATE_EPOCH');
  return seconds;
}

/** Makes what several parts of one release take no more than once for the same words. */
export function onceEach<Words extends readonly string[]>(
  make: (making: Making, ...words: Words) => Promise<string>,
): (making: Making, ...words: Words) => Promise<string> {
  const made = new WeakMap<Making, Map<string, Promise<string>>>();
  return (making, ...words) => {
    const known = made.get(making) ?? new Map<string, Promise<string>>();
    made.set(making, known);
    const folder = known.get(words.join(' ')) ?? make(making, ...words);
    known.set(words.join(' '), folder);
    return folder;
  };
}

function runProgram(command: string, args: readonly string[], options: ExecFileOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      command,
      args,
      { ...options, encoding: 'utf8', maxBuffer: MOST_OUTPUT_BYTES },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else if ((error as NodeJS.ErrnoException).code === 'ENOENT')
          reject(new Error(`${command} is missing: apt-get install ${PACKAGES[command] ?? command}`));
        else
          reject(
            new Error(`${command} ${args[0] ?? ''} failed: ${(stderr || stdout).slice(-QUOTED_CHARACTERS)}`),
          );
      },
    );
  });
}
