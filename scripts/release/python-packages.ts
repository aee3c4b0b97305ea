/** The packages of the client for Python: the wheel, and the sources, as setuptools makes both. */

import { appendFileSync, copyFileSync, cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packTar, settleModes } from './archives.ts';
import type { Making } from './making.ts';

/** The Python of Debian, which finds setuptools as a package of Debian. The python3 of the PATH may be another. */
const PYTHON = '/usr/bin/python3';
/** Makes both of the folder that it runs in, and puts them into its argument. The mask decides on modes in a wheel. */
const PROGRAM = `
import os, sys
folder = sys.argv[1]
try:
    import wheel
    from setuptools import build_meta
except ImportError as error:
    sys.exit(f"{error}: apt-get install python3-setuptools python3-wheel")
os.umask(0o022)
build_meta.build_wheel(folder)
build_meta.build_sdist(folder)
`;

/** `client`: the folder with pyproject.toml. A copy of it gets the addresses of the owner. */
export async function makePythonPackages(making: Making, client: string): Promise<void> {
  const { run, newFolder, out, version, addresses } = making;
  const [sources, built, unpacked] = [newFolder(), newFolder(), newFolder()];
  for (const name of ['pyproject.toml', 'README.md', 'LICENSE', 'gsls'])
    cpSync(join(client, name), join(sources, name), {
      recursive: true,
      filter: (path) => !path.endsWith('__pycache__'),
    });
  const urls = { Homepage: addresses.homepage, Repository: addresses.repository, Issues: addresses.bugs };
  const lines = Object.entries(urls).map(([name, url]) => `${name} = ${JSON.stringify(url)}\n`);
  appendFileSync(join(sources, 'pyproject.toml'), `\n[project.urls]\n${lines.join('')}`);
  settleModes(sources);
  await run(PYTHON, ['-B', '-c', PROGRAM, built], { cwd: sources });

  const wheel = `gsls_client-${version}-py3-none-any.whl`;
  copyFileSync(join(built, wheel), out(wheel));
  // setuptools writes the time of the build into the archive of the sources, and before version 69 a hyphen into its
  // name, which today's rules replace.
  const made = readdirSync(built).find((name) => name.endsWith('.tar.gz'))!;
  const name = `gsls_client-${version}`;
  mkdirSync(join(unpacked, name));
  const extract = ['--extract', '--strip-components=1', `--file=${join(built, made)}`];
  await run('tar', extract, { cwd: join(unpacked, name) });
  await packTar(making, out(`${name}.tar.gz`), unpacked);
}
