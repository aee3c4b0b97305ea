/**
 * `npm run release`: makes into release/ all that people install, the same bytes from the same commit. Then it writes
 * what they check it by: a list of what is in it, the sums, and how it was made.
 */

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeClients } from './release/clients.ts';
import { makeDebs } from './release/deb.ts';
import { makeImages } from './release/image.ts';
import { createMaking, ROOT, type Making } from './release/making.ts';
import { makeNpmPackages } from './release/npm-packages.ts';
import { writeProofs } from './release/proofs.ts';
import { makeSingleFile } from './release/single-file.ts';
import { makeSite } from './release/site/site.ts';

interface Part {
  readonly sentence: string;
  readonly make: (making: Making) => Promise<void>;
}

/** In this order. */
const PARTS: Readonly<Record<string, Part>> = {
  npm: { sentence: 'the packages for npm: the service, and gsls-client', make: makeNpmPackages },
  clients: { sentence: 'the clients for Python, Unity, .NET, Godot and C', make: makeClients },
  deb: { sentence: 'the Debian packages, with Node in them', make: makeDebs },
  image: { sentence: 'the image, for amd64 and arm64', make: makeImages },
  file: { sentence: 'the program as one file, for Linux on x64', make: makeSingleFile },
  site: { sentence: 'the documents as a site of static files', make: makeSite },
};

const WRONG_USAGE = 2;

const HELP = `npm run release -- [parts] [options]

Makes the files of a release. Without parts all of them:
${Object.entries(PARTS)
  .map(([name, { sentence }]) => `  ${name.padEnd(9)} ${sentence}\n`)
  .join('')}
Options:
  --out <folder>    where they go (default: release)
  --sign <file>     signs the sums with this secret key of minisign
  --help

Examples:
  npm run release
  npm run release -- npm deb --out /tmp/release
  minisign -G -W -s gsls.key -p gsls.pub && npm run release -- --sign gsls.key
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { out: { type: 'string' }, sign: { type: 'string' }, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const unknown = positionals.filter((name) => !Object.hasOwn(PARTS, name));
  if (unknown.length > 0) throw new TypeError(`a release has no ${unknown.join(', ')}; see --help`);
  const names = positionals.length > 0 ? positionals : Object.keys(PARTS);
  const script = fileURLToPath(new URL('build.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [script, '--if-needed'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the build failed');
  const folder = values.out ?? join(ROOT, 'release');
  if (positionals.length === 0) rmSync(folder, { recursive: true, force: true });
  const making = createMaking(folder);
  try {
    for (const name of names) await makePart(name, making);
    await writeProofs(making, folder, values.sign);
  } finally {
    making.close();
  }
}

async function makePart(name: string, making: Making): Promise<void> {
  process.stderr.write(`${name}: ${PARTS[name]!.sentence}\n`);
  const from = performance.now();
  await PARTS[name]!.make(making);
  process.stderr.write(`${name}: made in ${((performance.now() - from) / 1000).toFixed(1)} s\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`npm run release: ${(error as Error).message}\n`);
  process.exitCode = error instanceof TypeError ? WRONG_USAGE : 1;
}
