/** Archives of the release, unpacked in an empty folder as their users do. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { madeFile } from './made-release.ts';

/** Unpacks it into this folder, which is made. Returns the folder. */
export function unpack(name: string, folder: string): string {
  const file = madeFile(name);
  mkdirSync(folder, { recursive: true });
  if (file.endsWith('.zip')) execFileSync('python3', ['-m', 'zipfile', '--extract', file, folder]);
  else execFileSync('tar', ['--extract', '--file', file], { cwd: folder });
  return folder;
}

/** The paths of the files in the folder, however deep, as seen from it. */
export function filesIn(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return paths.filter((path) => statSync(path).isFile()).map((path) => relative(folder, path));
}
