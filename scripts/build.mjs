/**
 * Builds the program into dist: cli.js and what it loads, the Lua scripts, the page and the viewer of the API. With
 * `--if-needed` only when the sources are not those that dist was built of. Types are checked elsewhere (`npm test`).
 */

import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
/** The hash of what dist was built of. Written last: a build that was cut short counts as none. */
const STAMP = join(DIST, '.built-of');
/** What a build reads. The lock file stands for the packages. */
const SOURCES = ['src', 'clients/typescript/src', 'scripts/build.mjs', 'tsconfig.json', 'package-lock.json'];

/** What the viewer of the API serves, and the licences of that. Its package has six times as much. */
const SWAGGER_UI = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
  'NOTICE',
];

/**
 * Packages stay outside the bundle, and are loaded by require(): Node 20 reads every file of a CommonJS package twice
 * for an import, to learn the names that it exports.
 */
const requiredPackages = {
  name: 'required-packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z@]/ }, ({ path, kind }) => {
      if (kind === 'entry-point' || path.startsWith('node:')) return undefined;
      return kind === 'import-statement' ? { path, namespace: 'package' } : { path, external: true };
    });
    onLoad({ filter: /./, namespace: 'package' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};

const sources = hashOf(SOURCES.flatMap(filesIn));
const isBuilt = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources;
if (!isBuilt || !process.argv.includes('--if-needed')) {
  rmSync(DIST, { recursive: true, force: true });
  cpSync(join(ROOT, 'src/registry/redis/lua'), join(DIST, 'lua'), { recursive: true });
  for (const name of SWAGGER_UI)
    cpSync(join(ROOT, 'node_modules/swagger-ui-dist', name), join(DIST, 'swagger-ui', name));
  await Promise.all([bundle(), import('../src/page/build.mjs')]);
  writeFileSync(STAMP, sources);
}

/**
 * The sources in few files, since each takes a third of a millisecond to load, and more on a slow machine: cli.js, and
 * in dist/program what a command of the service loads once it needs it (src/runtime/package-files.ts). Each command
 * that asks a service is built by itself: what it shared with the others would be many small files.
 */
async function bundle() {
  const { build } = await import('esbuild');
  const common = {
    absWorkingDir: ROOT,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: {
      js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  };
  const tools = [];
  await build({
    ...common,
    entryPoints: ['src/cli.ts'],
    outdir: DIST,
    chunkNames: 'program/[name]-[hash]',
    plugins: [apart(tools), requiredPackages],
  });
  const outdir = join(DIST, 'program');
  for (const tool of tools)
    await build({ ...common, entryPoints: [join('src', tool)], outdir, plugins: [requiredPackages] });
}

/** Leaves the tools out of cli.ts, which loads them by name, and adds their paths to `tools`. */
function apart(tools) {
  return {
    name: 'apart',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\/tools\/\w+\/\w+\.ts$/ }, ({ path, kind, importer }) => {
        if (kind !== 'dynamic-import' || basename(importer) !== 'cli.ts') return undefined;
        tools.push(path);
        return { path: `./program/${basename(path, '.ts')}.js`, external: true };
      });
    },
  };
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
