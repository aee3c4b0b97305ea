/**
 * Bundles the page into dist/page: files whose names change with their content, and files.json, which lists those that
 * the service puts into its HTML. It is a part of `npm run build`.
 *
 * There is one script, one worker and one style, the desk has its own, and no code is loaded later: a page that was
 * opened before an upgrade never asks for a file of its release. The exception is what measures how near servers are,
 * which few players want, and whose absence is as that of a beacon.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { minify } from 'terser';

const PAGE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(PAGE, '../..');
const OUT = join(ROOT, 'dist/page');

const common = {
  absWorkingDir: ROOT,
  bundle: true,
  minify: true,
  metafile: true,
  outdir: OUT,
  entryNames: '[name]-[hash]',
  target: ['es2022', 'safari16'],
  legalComments: 'none',
  tsconfig: join(PAGE, 'tsconfig.json'),
  logLevel: 'warning',
};

const near = await build({ ...common, entryPoints: [join(PAGE, 'near/near-code.ts')], format: 'esm' });
const [nearFile] = Object.keys(near.metafile.outputs);
const define = { NEAR_CODE: JSON.stringify(`./${basename(nearFile)}`) };

const others = await Promise.all([
  build({ ...common, entryPoints: [join(PAGE, 'main.tsx')], format: 'esm', define }),
  build({ ...common, entryPoints: [join(PAGE, 'worker/worker.ts')], format: 'esm' }),
  build({ ...common, entryPoints: { desk: join(PAGE, 'desk/main.tsx') }, format: 'esm' }),
  build({ ...common, entryPoints: [join(PAGE, 'theme.ts')], format: 'iife' }),
  // The service loads this renderer itself.
  build({
    ...common,
    entryPoints: { plain: join(PAGE, 'plain/plain.tsx') },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    loader: { '.css': 'empty' },
  }),
  // The names of these two stay: pages of others load one of them, and every release has the other.
  build({
    ...common,
    entryPoints: [join(PAGE, 'embed.ts'), join(PAGE, 'start.ts')],
    format: 'iife',
    entryNames: '[name]',
  }),
]);
const results = [near, ...others];

// terser takes some 3 % more off what esbuild has made small.
for (const [index, file] of results.flatMap(({ metafile }, at) =>
  Object.keys(metafile.outputs).map((name) => [at, name]),
)) {
  if (!file.endsWith('.js')) continue;
  const path = join(ROOT, file);
  const { code } = await minify(readFileSync(path, 'utf8'), {
    module: index < 4,
    ecma: 2022,
    compress: { passes: 3 },
  });
  writeFileSync(path, code);
}

const outputs = results.flatMap(({ metafile }) => Object.entries(metafile.outputs));
/** The name of the file that was built from this source. */
const fileOf = (source, extension) => {
  const [path] = outputs.find(
    ([name, { entryPoint }]) => entryPoint === `src/page/${source}` && name.endsWith(extension),
  );
  return basename(path);
};
const styleOf = (source) =>
  basename(outputs.find(([, { entryPoint }]) => entryPoint === `src/page/${source}`)[1].cssBundle);
const files = {
  script: fileOf('main.tsx', '.js'),
  style: styleOf('main.tsx'),
  worker: fileOf('worker/worker.ts', '.js'),
  theme: fileOf('theme.ts', '.js'),
  embed: fileOf('embed.ts', '.js'),
  desk: { script: fileOf('desk/main.tsx', '.js'), style: styleOf('desk/main.tsx') },
};
writeFileSync(join(OUT, 'files.json'), JSON.stringify(files));

/** The packages whose code is in the bundles. */
const packages = new Set(
  results
    .flatMap(({ metafile }) => Object.keys(metafile.inputs))
    .flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(relative('.', path))?.[1] ?? []),
);
const licenses = [...packages].toSorted().map((name) => {
  const text = readFileSync(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8').trim();
  return `${name}\n\n${text}\n`;
});
writeFileSync(join(OUT, 'LICENSES.txt'), licenses.join(`\n${'-'.repeat(80)}\n\n`));
