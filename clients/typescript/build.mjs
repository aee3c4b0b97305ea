/**
 * Builds the package into dist, or into another folder (`node build.mjs <folder>`): modules for Node and browsers, and
 * types that need nothing else. Needs the packages of the root (`npm ci` there).
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '../..');
const dist = process.argv[2] ?? join(HERE, 'dist');

rmSync(dist, { recursive: true, force: true });
await build({
  absWorkingDir: HERE,
  entryPoints: ['src/index.ts', 'src/read.ts'],
  outdir: dist,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  target: ['es2022', 'node20', 'safari16'],
  chunkNames: 'shared-[hash]',
  logLevel: 'warning',
});
declareTypes();

/** The declarations of the public sources and of what they name, side by side, whatever folder they are from. */
function declareTypes() {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const emitted = mkdtempSync(join(tmpdir(), 'gsls-client-types-'));
  execFileSync(process.execPath, [tsc, '-p', HERE, '--outDir', emitted], { stdio: 'inherit' });
  // What is a declaration already is not emitted.
  const declarationOf = (source) =>
    source.endsWith('.d.ts') ? join(ROOT, source) : join(emitted, source.replace(/\.ts$/, '.d.ts'));
  const sources = new Set(['clients/typescript/src/index.ts', 'clients/typescript/src/read.ts']);
  for (const source of sources) {
    const text = readFileSync(declarationOf(source), 'utf8').replaceAll(
      /(?<= from ')\.[^']+(?=')/g,
      (target) => {
        sources.add(join(dirname(source), target));
        return `./${nameOf(target)}.js`;
      },
    );
    writeFileSync(join(dist, `${nameOf(source)}.d.ts`), text);
  }
  rmSync(emitted, { recursive: true });
}

function nameOf(source) {
  return basename(source).replace(/(?:\.d)?\.ts$/, '');
}
