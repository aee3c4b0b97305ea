/** The Debian packages as files: what is in them, and what lintian says. */

import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { needs } from '../support/needs.ts';
import { useDirectory } from '../support/use-directory.ts';
import { madeFile, VERSION } from './support/made-release.ts';

/** The machine of a program, in the head of an ELF file: its place, and its numbers. */
const MACHINE_AT = 18;
const MACHINES = { amd64: 0x3e, arm64: 0xb7 };

needs('dpkg-deb', 'Linux').describe('the Debian package', () => {
  for (const [architecture, machine] of Object.entries(MACHINES))
    describe(`for ${architecture}`, () => {
      const newPath = useDirectory();
      let folder = '';

      before(() => {
        folder = newPath();
        const file = madeFile(`gsls_VERSION_${architecture}.deb`);
        execFileSync('dpkg-deb', ['--raw-extract', file, folder]);
      });

      it('says for which processor it is, and depends on libc and libstdc++ alone', () => {
        const control = readFileSync(join(folder, 'DEBIAN/control'), 'utf8');
        expect(control).to.include(`Package: gsls\nVersion: ${VERSION}\nArchitecture: ${architecture}\n`);
        expect(control).to.include('\nDepends: libc6 (>= 2.28), libstdc++6\n');
      });

      it('has the Node of this processor', () => {
        const head = Buffer.alloc(MACHINE_AT + 2);
        const file = openSync(join(folder, 'usr/lib/gsls/node'), 'r');
        readSync(file, head);
        closeSync(file);
        expect(head.subarray(0, 4).toString('latin1')).to.equal('\u007FELF');
        expect(head.readUInt16LE(MACHINE_AT)).to.equal(machine);
      });

      it('belongs to root, and nobody else may change it', () => {
        const file = madeFile(`gsls_VERSION_${architecture}.deb`);
        const lines = execFileSync('dpkg-deb', ['--contents', file]).toString().trimEnd().split('\n');
        const others = lines.filter(
          (line) => !/^(?:drwxr-xr-x|-rwxr-xr-x|-rw-r--r--) root\/root /.test(line),
        );
        expect(others).to.deep.equal([]);
      });

      it('names a license for each package of npm', () => {
        const copyright = readFileSync(join(folder, 'usr/share/doc/gsls/copyright'), 'utf8');
        const modules = join(folder, 'usr/lib/gsls/node_modules');
        for (const name of readdirSync(modules).filter((each) => !each.startsWith('@'))) {
          const stanza = new RegExp(
            `^Files: usr/lib/gsls/node_modules/${name}/\\*\nCopyright: .+\n(?: .+\n)*License: .+\n(?: .+\n)+`,
            'm',
          );
          expect(copyright, name).to.match(stanza);
        }
      });
    });

  needs('lintian').it('has nothing that lintian complains about', () => {
    const file = madeFile('gsls_VERSION_amd64.deb');
    const { stdout, stderr } = spawnSync('lintian', ['--fail-on', 'error,warning', file], {
      encoding: 'utf8',
    });
    expect(stdout + stderr.replace('running with root privileges is not recommended!\n', '')).to.equal('');
  });
});
