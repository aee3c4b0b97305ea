/**
 * The program with all that it needs to run but libc and libstdc++: the built service, the packages of the lock file
 * and Node itself. The Debian package and the image hold it.
 */

import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { settleModes } from './archives.ts';
import { onceEach, ROOT, type Architecture } from './making.ts';

/** The Node of a release: the packages of npm with the program of nodejs.org, each by its hash. */
interface PinnedNode {
  readonly version: string;
  readonly integrity: Readonly<Record<Architecture, string>>;
}
export const NODE = JSON.parse(readFileSync(new URL('node.json', import.meta.url), 'utf8')) as PinnedNode;

/** What a running program never reads. Licenses stay, whatever they are called. */
const NOT_NEEDED: readonly RegExp[] = [
  /\.(?:map|d\.[cm]?ts|html)$/,
  /(?<!\/licen[cs]e)\.(?:md|markdown)$/i,
  /\/node_modules\/(?:.*\/)?\.[^/]+$/,
  /\/node_modules\/(?:@[^/]+\/)?[^/]+\/(?:tests?|spec|bench|benchmarks?|examples?|docs)$/,
  /\/bintrees\/dist$/,
];

/** Resolves with a folder: package.json, LICENSE, dist, and node_modules with what runs. Whoever takes it copies it. */
export const stageProgram = onceEach(async ({ run, newFolder }) => {
  const folder = newFolder();
  for (const name of ['package.json', 'package-lock.json', 'clients/typescript/package.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  const install = ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', install, { cwd: folder });
  // The client of the commands is in dist.
  for (const name of ['clients', 'package-lock.json', 'node_modules/gsls-client', 'node_modules/.bin'])
    rmSync(join(folder, name), { recursive: true, force: true });
  const program = newFolder();
  cpSync(folder, program, { recursive: true, filter: isNeeded });
  cpSync(join(ROOT, 'LICENSE'), join(program, 'LICENSE'));
  cpSync(join(ROOT, 'dist'), join(program, 'dist'), {
    recursive: true,
    filter: (path) => !path.endsWith('.built-of'),
  });
  settleModes(program);
  return program;
});

function isNeeded(path: string): boolean {
  return !NOT_NEEDED.some((pattern) => pattern.test(path));
}

/** Resolves with a folder that has `bin/node`, LICENSE and README.md. Rejects if the bytes are not those pinned. */
export const fetchNode = onceEach(async ({ run, newFolder }, architecture: Architecture) => {
  const folder = newFolder();
  const name = `node-linux-${architecture}@${NODE.version}`;
  const args = ['pack', '--json', '--prefer-offline', '--pack-destination', folder, name];
  const answer = JSON.parse(await run('npm', args, { cwd: folder })) as Record<string, NpmPacked>;
  const [packed] = Object.values(answer);
  if (packed?.integrity !== NODE.integrity[architecture])
    throw new Error(`${name} is not what scripts/release/node.json says: ${packed?.integrity}`);
  await run('tar', ['--extract', `--file=${packed.filename}`], { cwd: folder });
  return join(folder, 'package');
});

/** One line of what `npm pack --json` prints. */
interface NpmPacked {
  readonly filename: string;
  readonly integrity: string;
}
