/** Archives whose bytes follow from what is in the folder and from the time of the release, and from nothing else. */

import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Making } from './making.ts';

/** What belongs to nobody, in the order of the names, with one time and one set of modes. */
const TAR = [
  '--format=ustar',
  '--sort=name',
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  '--mode=u=rwX,go=rX',
];

/** Packs the entries of the folder, or those named. The end of its name, .gz or .xz, says how it is compressed. */
export async function packTar(
  { run, epochS, newFolder }: Making,
  file: string,
  folder: string,
  entries = readdirSync(folder).toSorted(),
): Promise<void> {
  const plain = join(newFolder(), 'plain.tar');
  await run('tar', [
    '--create',
    `--file=${plain}`,
    `--mtime=@${epochS}`,
    ...TAR,
    `--directory=${folder}`,
    ...entries,
  ]);
  if (file.endsWith('.gz')) writeFileSync(file, await promisify(gzip)(readFileSync(plain)));
  // Podman 4 loads no image that gzip has compressed. Several threads make blocks, however many cores there are.
  if (file.endsWith('.xz'))
    await run('sh', ['-c', 'xz --stdout -2 --threads=2 "$1" > "$2"', 'xz', plain, file]);
}

/** Packs all that is in the folder, whose files get the time of the release and the modes that are usual. */
export async function packZip({ run, epochS }: Making, file: string, folder: string): Promise<void> {
  settleModes(folder);
  const paths = entriesOf(folder)
    .filter((path) => statSync(path).isFile())
    .toSorted();
  for (const path of paths) utimesSync(path, epochS, epochS);
  const names = paths.map((path) => relative(folder, path));
  // zip adds to a file that is there.
  rmSync(file, { force: true });
  await run('zip', ['-X', '-9', '--quiet', file, ...names], { cwd: folder });
}

/**
 * Gives a folder and what is in it the modes of a checkout with the usual mask. What its owner can run stays a program.
 */
export function settleModes(folder: string): void {
  for (const path of [folder, ...entriesOf(folder)]) {
    const status = lstatSync(path);
    if (status.isSymbolicLink()) continue;
    chmodSync(path, status.isDirectory() || (status.mode & 0o100) > 0 ? 0o755 : 0o644);
  }
}

/** The paths of all that is in the folder, however deep. */
function entriesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}
