/** The client for JavaScript and TypeScript, built. */

import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { ROOT } from '../../support/program.ts';
import type { JudgedClient } from './judged-client.ts';

const FOLDER = 'clients/typescript';

/** Makes in the folder what npm packs. `from`: the folder of the version that is packed. */
export async function buildPackage(folder: string, from = ROOT): Promise<void> {
  await promisify(execFile)(process.execPath, [join(from, FOLDER, 'build.mjs'), join(folder, 'dist')]);
  for (const name of ['package.json', 'README.md', 'LICENSE'])
    cpSync(join(from, FOLDER, name), join(folder, name));
}

/**
 * The modules of the program of a user, bundled for browsers. `home`: where the package is installed. `splitting`:
 * whether the first module loads others where it needs them, in place of having all in it.
 */
export async function bundleFor(
  program: string,
  home: string,
  splitting = false,
): Promise<readonly string[]> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: home },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    splitting,
    outdir: home,
    write: false,
  });
  return outputFiles.map(({ text }) => text);
}

export const TYPESCRIPT: JudgedClient = {
  name: 'TypeScript',
  needs: [],
  async build(into, from = ROOT) {
    await buildPackage(into, from);
    cpSync(join(from, FOLDER, 'conformance.mjs'), join(into, 'conformance.mjs'));
    return [process.execPath, join(into, 'conformance.mjs')];
  },
};
