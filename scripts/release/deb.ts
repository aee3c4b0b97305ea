/** The Debian packages: one for each processor, with Node in it, so that they depend on libc and libstdc++ alone. */

import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { componentsOf, nodeComponent, writeBill } from './bill-of-materials.ts';
import { describeProgram } from './commands.ts';
import { bashCompletion, fishCompletion, zshCompletion } from './completions.ts';
import { licenseFiles, OF_PAGE, renderCopyright } from './copyright.ts';
import { ARCHITECTURES, DEBIAN_NAMES, ROOT, type Architecture, type Making } from './making.ts';
import { writeManPages } from './man-pages.ts';
import { fetchNode, stageProgram } from './program.ts';

const TEMPLATES = fileURLToPath(new URL('debian', import.meta.url));
const SCRIPTS = ['postinst', 'prerm', 'postrm'];
const CONFIG = 'etc/gsls/gsls.yaml';
const EXECUTABLE = [...SCRIPTS.map((name) => `DEBIAN/${name}`), 'usr/bin/gsls', 'usr/lib/gsls/node'];
/** A level of xz. Level 3 takes three times as long, and 5 % off the size. */
const LEVEL = 1;

/** What the unit says otherwise here: the program is that of this package, and it reads the file of this package. */
const UNIT: readonly (readonly [string, string])[] = [
  [
    '# In /usr/local/bin or /usr/bin, as `npm install --global` puts it.\nExecStart=gsls\n',
    'ExecStart=/usr/bin/gsls\n',
  ],
  ['EnvironmentFile=', `Environment=GSLS_CONFIG=/${CONFIG}\nEnvironmentFile=`],
];

export async function makeDebs(making: Making): Promise<void> {
  const root = await layOut(making, await fetchNode(making, 'x64'));
  await Promise.all(ARCHITECTURES.map((architecture) => makeDeb(making, architecture, root)));
}

/** `common`: all but Node. */
async function makeDeb(making: Making, architecture: Architecture, common: string): Promise<void> {
  const root = making.newFolder();
  cpSync(common, root, { recursive: true });
  cpSync(join(await fetchNode(making, architecture), 'bin/node'), join(root, 'usr/lib/gsls/node'));
  await pack(making, root, architecture);
  const name = `gsls_${making.version}_${DEBIAN_NAMES[architecture]}`;
  writeBill(making, name, [...componentsOf(await stageProgram(making)), nodeComponent(architecture)]);
}

/** Resolves with a folder that has all but Node, the same for all processors. */
async function layOut(making: Making, node: string): Promise<string> {
  const root = making.newFolder();
  const { version, addresses, epochS } = making;
  const write = (path: string, content: string | Buffer): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  const program = await stageProgram(making);
  write('usr/share/doc/gsls/copyright', renderCopyright(program, addresses));
  write('usr/share/doc/gsls/node-license.gz', gzipSync(readFileSync(join(node, 'LICENSE')), { level: 9 }));
  const installed = join(root, 'usr/lib/gsls');
  cpSync(program, installed, { recursive: true });
  for (const path of [...licenseFiles(installed), ...programsIn(installed)])
    if (!path.endsWith(OF_PAGE)) rmSync(path);
  const entry = join(root, 'usr/lib/gsls/dist/cli.js');
  writeFileSync(entry, readFileSync(entry, 'utf8').replace(/^#!.*\n/, ''));

  write('usr/bin/gsls', template('gsls'));
  write(CONFIG, template('gsls.yaml'));
  const unit = readFileSync(join(ROOT, 'deploy/systemd/gsls.service'), 'utf8');
  write('lib/systemd/system/gsls.service', UNIT.reduce(replaceOne, unit));
  const commands = await describeProgram(version);
  writeManPages(making, commands, join(root, 'usr/share/man'));
  write('usr/share/bash-completion/completions/gsls', bashCompletion(commands));
  write('usr/share/zsh/vendor-completions/_gsls', zshCompletion(commands));
  write('usr/share/fish/vendor_completions.d/gsls.fish', fishCompletion(commands));
  write('usr/share/doc/gsls/README', `Documents: ${addresses.homepage}\n${template('README').toString()}`);
  const date = new Date(epochS * 1000).toUTCString().replace('GMT', '+0000');
  const changelog = `gsls (${version}) stable; urgency=medium\n\n  * GSLS ${version}: its own changelog says what is new.\n\n -- ${addresses.maintainer}  ${date}\n`;
  write('usr/share/doc/gsls/changelog.gz', gzipSync(changelog, { level: 9 }));
  write('usr/share/lintian/overrides/gsls', template('lintian-overrides'));

  for (const name of SCRIPTS) write(`DEBIAN/${name}`, template(name));
  write('DEBIAN/conffiles', `/${CONFIG}\n`);
  return root;
}

function template(name: string): Buffer {
  return readFileSync(join(TEMPLATES, name));
}

/** Throws where the text is not there: the unit has changed. */
function replaceOne(text: string, [from, to]: readonly [string, string]): string {
  if (!text.includes(from)) throw new Error(`gsls.service has no line ${from.trim()}`);
  return text.replace(from, to);
}

/** The programs of packages of npm, which nobody calls. */
function programsIn(program: string): readonly string[] {
  const paths = filesIn(join(program, 'node_modules')).map((path) => join(program, 'node_modules', path));
  return paths.filter((path) => readFileSync(path).subarray(0, 2).toString() === '#!');
}

async function pack(
  { run, version, addresses, epochS, out }: Making,
  root: string,
  architecture: Architecture,
): Promise<void> {
  const files = filesIn(root).filter((path) => !path.startsWith('DEBIAN/'));
  const sums = files
    .filter((path) => path !== CONFIG)
    .map(
      (path) =>
        `${createHash('md5')
          .update(readFileSync(join(root, path)))
          .digest('hex')}  ${path}\n`,
    );
  writeFileSync(join(root, 'DEBIAN/md5sums'), sums.join(''));
  const kibibytes = files.map((path) => Math.ceil(lstatSync(join(root, path)).size / 1024));
  const fields = {
    Package: 'gsls',
    Version: version,
    Architecture: DEBIAN_NAMES[architecture],
    Maintainer: addresses.maintainer,
    'Installed-Size': kibibytes.reduce((sum, size) => sum + size, 0),
    Depends: 'libc6 (>= 2.28), libstdc++6',
    Section: 'net',
    Priority: 'optional',
    Homepage: addresses.homepage,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
  writeFileSync(join(root, 'DEBIAN/control'), lines.join('') + template('description').toString());
  for (const path of ['', ...readdirSync(root, { recursive: true, encoding: 'utf8' })]) {
    const isOpen = EXECUTABLE.includes(path) || lstatSync(join(root, path)).isDirectory();
    chmodSync(join(root, path), isOpen ? 0o755 : 0o644);
    utimesSync(join(root, path), epochS, epochS);
  }
  const file = out(`gsls_${version}_${DEBIAN_NAMES[architecture]}.deb`);
  const form = ['--root-owner-group', '-Zxz', `-z${LEVEL}`, '--threads-max=1'];
  await run('dpkg-deb', [...form, '--build', root, file]);
}

/** The paths of all files in the folder, from there on, in order. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => lstatSync(join(folder, path)).isFile())
    .toSorted();
}
