/** The packages for npm: the service, and gsls-client. */

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { settleModes } from './archives.ts';
import { ROOT, type Making } from './making.ts';

/** What a manifest says to whoever works on the sources. npm would ask its users whether these scripts may run. */
const OF_THE_CLONE = [
  'scripts',
  'devDependencies',
  'workspaces',
  'overrides',
  'allowScripts',
  'scarfSettings',
];

export async function makeNpmPackages(making: Making): Promise<void> {
  await packNpm(making, ROOT);
  await packNpm(making, join(ROOT, 'clients/typescript'));
}

/** Packs a folder with a package.json, which gets the addresses of the owner. Resolves with the path of the file. */
export async function packNpm({ run, newFolder, addresses, out }: Making, folder: string): Promise<string> {
  const unpacked = newFolder();
  // npm says what belongs to the package; then it packs that, and its manifest is another.
  // The service is built already, and gsls-client is built by its `prepack`.
  const scripts = folder === ROOT ? ['--ignore-scripts'] : [];
  const first = await run('npm', ['pack', '--silent', ...scripts, '--pack-destination', unpacked], {
    cwd: folder,
  });
  const tarball = lastLine(first);
  await run('tar', ['--extract', `--file=${tarball}`], { cwd: unpacked });
  const manifest = join(unpacked, 'package/package.json');
  const { repository, homepage, bugs } = addresses;
  const directory = folder === ROOT ? {} : { directory: relative(ROOT, folder) };
  const fields = { repository: { type: 'git', url: `git+${repository}`, ...directory }, homepage, bugs };
  const said = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, unknown>;
  for (const name of OF_THE_CLONE) delete said[name];
  writeFileSync(manifest, `${JSON.stringify({ ...said, ...fields }, undefined, 2)}\n`);
  settleModes(unpacked);
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', unpacked];
  const name = lastLine(await run('npm', args, { cwd: join(unpacked, 'package') }));
  copyFileSync(join(unpacked, name), out(name));
  return out(name);
}

/** Before it stands what scripts of the package print. */
function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)!;
}
