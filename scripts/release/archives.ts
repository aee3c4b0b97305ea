/** Archives whose bytes follow from what is in the folder and from the time of the release, and from nothing else. */

import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** Packs all that is in the folder, whose files get the time of the release. */
export async function packZip({ run, epochS }: Making, file: string, folder: string): Promise<void> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
  for (const name of names) utimesSync(join(folder, name), epochS, epochS);
  await run('zip', ['-X', '-9', '--quiet', file, ...names], { cwd: folder });
}
