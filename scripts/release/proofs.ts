/**
 * What people check a release by: the sum of each file, a statement of how the files were made, and a signature of the
 * sums, which thereby holds for all files.
 */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, type Making } from './making.ts';
import { NODE } from './program.ts';

export const SUMS = 'SHA256SUMS';
export const SIGNATURE = `${SUMS}.minisig`;

/** `key`: the path of a secret key of minisign without a password; without one nothing is signed. */
export async function writeProofs(making: Making, folder: string, key: string | undefined): Promise<void> {
  const { version, out, run } = making;
  const provenance = `gsls-${version}.provenance.json`;
  const files = readdirSync(folder).filter((name) => ![SUMS, SIGNATURE, provenance].includes(name));
  const subject = files.map((name) => ({ name, digest: { sha256: sumOf(out(name)) } }));
  writeFileSync(out(provenance), `${JSON.stringify(await statementOf(making, subject), undefined, 2)}\n`);
  const lines = [...files, provenance].toSorted().map((name) => `${sumOf(out(name))}  ${name}\n`);
  writeFileSync(out(SUMS), lines.join(''));
  if (key === undefined) return;
  const comment = ['-t', `GSLS ${version}`];
  await run('minisign', ['-S', '-s', key, '-m', out(SUMS), '-x', out(SIGNATURE), ...comment]);
}

/** A statement of in-toto with the predicate of SLSA 1.0: https://slsa.dev/spec/v1.0/provenance. */
async function statementOf({ addresses, version, run }: Making, subject: readonly object[]): Promise<object> {
  const git = (...args: readonly string[]): Promise<string> =>
    run('git', args, { cwd: ROOT }).then(
      (text) => text.trim(),
      () => '',
    );
  const [commit, changed] = await Promise.all([git('rev-parse', 'HEAD'), git('status', '--porcelain')]);
  const tools = { node: process.versions.node, npm: (await run('npm', ['--version'])).trim() };
  const nodes = Object.entries(NODE.integrity).map(([architecture, integrity]) => ({
    uri: `pkg:npm/node-linux-${architecture}@${NODE.version}`,
    digest: { sha512: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') },
  }));
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${addresses.homepage}#npm-run-release`,
        externalParameters: { version, repository: addresses.repository, commit },
        // Whoever publishes refuses what no commit holds.
        internalParameters: { tools, changedSinceCommit: changed !== '' },
        resolvedDependencies: [
          { uri: `git+${addresses.repository}@${commit}`, digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: sumOf(join(ROOT, 'package-lock.json')) } },
          ...nodes,
        ],
      },
      runDetails: { builder: { id: `${addresses.homepage}#npm-run-release` } },
    },
  };
}

/** The SHA-256 of a file, in hexadecimal. */
export function sumOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
