/**
 * The libraries that Node needs, from Debian's packages for an architecture, without the rest of a system: the files
 * that a program loads, and who wrote them. apt checks the signatures of what it fetches, and asks the sources of this
 * machine, so that a release has the security fixes of its day.
 */

import { cpSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DEBIAN_NAMES, type Architecture, type Making } from './making.ts';

/** Node needs the first two, which need the others; the last has the copyright file of each. */
const PACKAGES = ['libc6', 'libstdc++6', 'libgcc-s1', 'gcc-12-base'];
/** The libraries of which `ldd` tells, those that look names up, the links to them, and who wrote them. */
const NEEDED =
  /\/(?:lib(?:c|m|dl|pthread|rt|resolv|nss_dns|nss_files|gcc_s|stdc\+\+)|ld-linux[^/]*)\.so[.\d]*$|\/doc\/[^/]+(?:\/copyright)?$/;

/**
 * Resolves with a folder that has them where Debian puts them. Their control files are in var/lib/dpkg/status.d, where
 * scanners look for the packages of an image that has no dpkg.
 */
export async function stageLibraries(
  { run, newFolder }: Making,
  architecture: Architecture,
): Promise<string> {
  const system = newFolder();
  const status = join(system, 'var/lib/dpkg/status.d');
  mkdirSync(status, { recursive: true });
  const fetched = await fetchPackages({ run, newFolder }, DEBIAN_NAMES[architecture]);
  for (const name of readdirSync(fetched)) {
    const unpacked = newFolder();
    await run('dpkg-deb', ['--extract', join(fetched, name), unpacked]);
    for (const path of readdirSync(unpacked, { recursive: true, encoding: 'utf8' })) {
      const from = join(unpacked, path);
      if (lstatSync(from).isDirectory() || !NEEDED.test(`/${path}`)) continue;
      mkdirSync(dirname(join(system, path)), { recursive: true });
      cpSync(from, join(system, path), { verbatimSymlinks: true });
    }
    writeFileSync(join(status, name.split('_')[0]!), await run('dpkg-deb', ['--field', join(fetched, name)]));
  }
  return system;
}

/** Resolves with a folder of them. apt gets folders of its own, and so changes nothing on this machine. */
async function fetchPackages(
  { run, newFolder }: Pick<Making, 'run' | 'newFolder'>,
  architecture: string,
): Promise<string> {
  const folder = newFolder();
  for (const name of ['state/lists/partial', 'cache/archives/partial', 'fetched'])
    mkdirSync(join(folder, name), { recursive: true });
  const settings = {
    'Dir::State': join(folder, 'state'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': join(folder, 'cache'),
    'APT::Architecture': architecture,
    'APT::Architectures': architecture,
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
  };
  const options = ['-qq', ...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])];
  await run('apt-get', [...options, 'update']);
  await run('apt-get', [...options, 'download', ...PACKAGES], { cwd: join(folder, 'fetched') });
  return join(folder, 'fetched');
}
