/**
 * Builds the program into dist: the compiled sources, the Lua scripts, the page and the viewer of the API. With
 * `--if-needed` only when the sources are not those that dist was built of.
 */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
/** The hash of what dist was built of. Written last: a build that was cut short counts as none. */
const STAMP = join(DIST, '.built-of');
/** What a build reads. The lock file stands for the packages. */
const SOURCES = ['src', 'scripts/build.mjs', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

/** What the viewer of the API serves, and the licences of that. Its package has six times as much. */
const SWAGGER_UI = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
  'NOTICE',
];

const sources = hashOf(SOURCES.flatMap(filesIn));
const isBuilt = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources;
if (!isBuilt || !process.argv.includes('--if-needed')) {
  rmSync(DIST, { recursive: true, force: true });
  cpSync(join(ROOT, 'src/registry/redis/lua'), join(DIST, 'registry/redis/lua'), { recursive: true });
  for (const name of SWAGGER_UI)
    cpSync(join(ROOT, 'node_modules/swagger-ui-dist', name), join(DIST, 'swagger-ui', name));
  await Promise.all([compile(), import('../src/page/build.mjs')]);
  writeFileSync(STAMP, sources);
}

/** Ends the process with exit code 1 where the sources have errors, which it prints. */
async function compile() {
  const args = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
  await promisify(execFile)(process.execPath, args, { cwd: ROOT }).catch(({ stdout, stderr }) => {
    process.stderr.write(`${stdout}${stderr}`);
    process.exit(1);
  });
}

/** The files of a folder in order, or the file itself, as paths from the root. */
function filesIn(path) {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  return readdirSync(join(ROOT, path))
    .toSorted()
    .flatMap((name) => filesIn(`${path}/${name}`));
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const bytes = readFileSync(join(ROOT, path));
    hash.update(`${path} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}
