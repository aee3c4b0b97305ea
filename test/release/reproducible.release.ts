/** The same commit makes the same bytes, whoever makes them, wherever and when. */

import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { needs } from '../support/needs.ts';
import { ROOT } from '../support/program.ts';
import { useDirectory } from '../support/use-directory.ts';
import { madeFile } from './support/made-release.ts';

const run = promisify(execFile);

/**
 * Copies the checkout into the folder $1, with the modes of a strict mask. The packages are copied too: esbuild names
 * files by where they really are, and a link would lead it out of the folder.
 */
const COPY = `
git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- |
  tar --extract --no-same-permissions --directory "$1"
chmod --recursive go-rwx "$1"
cp --archive --reflink=auto node_modules "$1"
`;

needs('bash', 'git', 'npm').describe('a release', () => {
  const newPath = useDirectory();

  it('has the same bytes from another folder, time zone and mask of modes', async () => {
    const [folder, out] = [newPath(), newPath()];
    mkdirSync(folder);
    await run('bash', ['-euo', 'pipefail', '-c', COPY, 'bash', folder], { cwd: ROOT });
    const { stdout: time } = await run('git', ['log', '-1', '--format=%ct'], { cwd: ROOT });
    const given = process.env['SOURCE_DATE_EPOCH'] ?? time.trim();
    const env = { ...process.env, TZ: 'Asia/Tokyo', SOURCE_DATE_EPOCH: given };
    const make = 'umask 077 && npm run --silent release -- --out "$1"';
    await run('bash', ['-euc', make, 'bash', out], { cwd: folder, env });

    // The copy is no clone, and says so.
    const names = readdirSync(out).filter((name) => !/SHA256SUMS|provenance/.test(name));
    expect(names).to.have.length.above(15);
    const others = names.filter(
      (name) => !readFileSync(join(out, name)).equals(readFileSync(madeFile(name))),
    );
    expect(others).to.deep.equal([]);
  });
});
