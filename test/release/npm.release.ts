/** The packages for npm, as npm packs them. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { needs } from '../support/needs.ts';
import { useDirectory } from '../support/use-directory.ts';
import { INSTALL_COMMANDS } from './support/install-commands.ts';
import { madeFile, VERSION } from './support/made-release.ts';

needs('npm').describe('the packages for npm', () => {
  const newPath = useDirectory();

  for (const name of ['game-server-listing-service', 'gsls-client'])
    it(`say of ${name} where it comes from`, () => {
      const manifest = execFileSync('tar', [
        '-xOzf',
        madeFile(`${name}-VERSION.tgz`),
        'package/package.json',
      ]);
      const said = JSON.parse(manifest.toString()) as Record<string, unknown>;
      expect(said).to.include({ name, version: VERSION });
      expect(said).to.include.keys('repository', 'homepage', 'bugs');
    });

  it('are installed by the command of docs/install.md', () => {
    const prefix = newPath();
    const command = `${INSTALL_COMMANDS.get('npm')!} --prefix ${prefix} --prefer-offline --no-audit --no-fund`;
    execFileSync('sh', ['-c', command], { cwd: madeFile('') });
    const said = execFileSync(join(prefix, 'bin/gsls'), ['--version'], { encoding: 'utf8' });
    expect(said.trim()).to.equal(VERSION);
  });
});
