/** The packages for npm, as npm packs them. */

import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { needs } from '../support/needs.ts';
import { madeFile, VERSION } from './support/made-release.ts';

needs('npm').describe('the packages for npm', () => {
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
});
