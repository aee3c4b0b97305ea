/** What publishes a release: what it refuses, and the commands that it runs. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createMaking, type Making } from '../../scripts/release/making.ts';
import { writeProofs } from '../../scripts/release/proofs.ts';
import { publishRelease } from '../../scripts/release/publish.ts';
import { needs } from '../support/needs.ts';
import { useDirectory } from '../support/use-directory.ts';
import { VERSION } from './support/made-release.ts';

const ADDRESSES = {
  repository: 'ssh://git@git.test/gsls.git',
  homepage: 'https://gsls.test',
  bugs: 'https://gsls.test/bugs',
  maintainer: 'Ada <ada@gsls.test>',
  image: 'images.test/gsls',
  files: 'ada@gsls.test:/srv/gsls',
};

const changedRepository: Making['run'] = async (_, args) =>
  args[0] === 'status' ? ' M src/cli.ts' : 'c0ffee';

needs('minisign').describe('publishing a release', () => {
  const newPath = useDirectory();
  let folder: string;
  let making: Making & { close(): void };
  let commands: string[];

  /** A signed release of one file, from a commit that holds everything. */
  beforeEach(async () => {
    folder = newPath();
    const key = newPath();
    mkdirSync(folder);
    execFileSync('minisign', ['-G', '-W', '-s', key, '-p', `${key}.pub`]);
    writeFileSync(join(folder, 'gsls.txt'), 'a file');
    const real = createMaking(folder);
    const run: Making['run'] = async (program, args, options) => {
      if (program === 'git') return args[0] === 'rev-parse' ? 'c0ffee' : '';
      return real.run(program, args, options);
    };
    await writeProofs({ ...real, run }, folder, key);
    commands = [];
    making = {
      ...real,
      addresses: ADDRESSES,
      run: async (program, args) => {
        commands.push([program, ...args].join(' '));
        return '';
      },
    };
  });
  afterEach(() => making.close());

  const publish = (isTrial: boolean, its: Making = making): Promise<void> =>
    publishRelease(its, { isTrial, print: () => undefined });

  it('tags its commit, and gives each file to the program that publishes it', async () => {
    await publish(false);
    const shown = commands.map((line) => line.replaceAll(`${folder}/`, '').replaceAll(VERSION, 'VERSION'));
    expect(shown).to.deep.equal([
      'git tag vVERSION c0ffee',
      'git push ssh://git@git.test/gsls.git vVERSION',
      'rsync --recursive --mkpath  ada@gsls.test:/srv/gsls/VERSION/',
      'npm publish --access public game-server-listing-service-VERSION.tgz',
      'npm publish --access public gsls-client-VERSION.tgz',
      'npm publish --access public com.gsls.client-VERSION.tgz',
      'twine upload gsls_client-VERSION-py3-none-any.whl gsls_client-VERSION.tar.gz',
      'buildah manifest create images.test/gsls:VERSION',
      'buildah manifest add images.test/gsls:VERSION docker-archive:gsls-VERSION-image-amd64.tar.xz',
      'buildah manifest add images.test/gsls:VERSION docker-archive:gsls-VERSION-image-arm64.tar.xz',
      'buildah manifest push --all --rm images.test/gsls:VERSION docker://images.test/gsls:VERSION',
    ]);
  });

  it('runs nothing where it is a trial', async () => {
    await publish(true);
    expect(commands).to.deep.equal([]);
  });

  const refusals: readonly [string, () => Making, RegExp][] = [
    [
      'an address that the owner has not written',
      () => ({ ...making, addresses: { ...ADDRESSES, image: 'registry.example.com/gsls' } }),
      /^image in release\.json is still registry\.example\.com/,
    ],
    [
      'a file that has changed',
      () => (writeFileSync(join(folder, 'gsls.txt'), 'A file'), making),
      /^gsls\.txt is not the file of which SHA256SUMS has the sum$/,
    ],
    [
      'a file that is missing',
      () => (rmSync(join(folder, 'gsls.txt')), making),
      /^gsls\.txt is not the file/,
    ],
    [
      'a release without a signature',
      () => (rmSync(join(folder, 'SHA256SUMS.minisig')), making),
      /^it is not signed/,
    ],
    ['another version', () => ({ ...making, version: '9.9.9' }), /^it is not of version 9\.9\.9$/],
    [
      'no release',
      () => (rmSync(join(folder, 'SHA256SUMS')), making),
      /^there is no release: run npm run release/,
    ],
  ];
  for (const [what, spoil, message] of refusals)
    it(`refuses ${what}`, async () => {
      const refused = await publish(false, spoil()).then(
        () => undefined,
        (error: unknown) => error as Error,
      );
      expect(refused?.message).to.match(message);
      expect(commands).to.deep.equal([]);
    });

  it('refuses what no commit holds', async () => {
    await writeProofs({ ...making, run: changedRepository }, folder, undefined);
    const refused = await publish(false).catch((error: unknown) => error as Error);
    expect(refused?.message).to.match(/^it was made from files that no commit holds/);
  });
});
