/**
 * The program as one file for Linux on x64: Node's single executable application. A bundle of the sources and of all
 * packages is the script in it, and the files of the package are its assets.
 */

import { chmodSync, cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { packTar } from './archives.ts';
import { componentsAt, nodeComponent, packagesInDist, writeBill } from './bill-of-materials.ts';
import { ROOT, type Making } from './making.ts';
import { fetchNode } from './program.ts';

/**
 * Node looks for these words in itself: https://nodejs.org/docs/latest-v24.x/api/single-executable-applications.html.
 */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const POSTJECT = 'postject@1.0.0-alpha.6';
const PACKAGE = 'file:///gsls/';

const inFolder = (name: string): string => fileURLToPath(new URL(`single-file/${name}`, import.meta.url));

/** Leads the sources to what is inside. Packages read no files of theirs. */
const inside: Plugin = {
  name: 'inside',
  setup(bundle) {
    bundle.onResolve({ filter: /^node:fs(?:\/promises)?$/ }, ({ path, importer }) =>
      importer.startsWith(join(ROOT, 'src/'))
        ? { path: inFolder(`${path.slice('node:'.length).replace('/', '-')}.ts`) }
        : undefined,
    );
    // The renderer of the page is a module, and becomes a part of the program.
    bundle.onLoad({ filter: /\/load-renderer\.ts$/ }, () => ({
      contents: `import renderer from './plain.mjs'; export const loadRenderer = async () => renderer;`,
      resolveDir: join(ROOT, 'dist/page'),
    }));
  },
};

export async function makeSingleFile(making: Making): Promise<void> {
  const { run, newFolder, version } = making;
  const folder = newFolder();
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [inFolder('main.ts')],
    outfile: join(folder, 'gsls.cjs'),
    bundle: true,
    metafile: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    define: {
      PACKAGE: JSON.stringify(PACKAGE),
      'import.meta.url': JSON.stringify(`${PACKAGE}dist/program/gsls.cjs`),
    },
    plugins: [inside],
    logLevel: 'warning',
  });
  // Node writes the path of the script into the file: this one is the same wherever a release is made.
  const configuration = {
    main: 'gsls.cjs',
    output: 'gsls.blob',
    disableExperimentalSEAWarning: true,
    assets: assets(),
  };
  writeFileSync(join(folder, 'sea.json'), JSON.stringify(configuration));
  const node = join(await fetchNode(making, 'x64'), 'bin/node');
  await run(node, ['--experimental-sea-config', 'sea.json'], { cwd: folder });
  const name = `gsls-${version}-linux-x64`;
  const packed = newFolder();
  const file = join(packed, 'gsls');
  cpSync(node, file);
  const inject = ['--yes', POSTJECT, file, 'NODE_SEA_BLOB', 'gsls.blob', '--sentinel-fuse', FUSE];
  await run('npx', inject, { cwd: folder });
  chmodSync(file, 0o755);
  cpSync(join(ROOT, 'LICENSE'), join(packed, 'LICENSE'));
  await packTar(making, making.out(`${name}.tar.xz`), packed);
  const packages = Object.keys(metafile.inputs).flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
  );
  writeBill(making, name, [...componentsAt([...packages, ...packagesInDist()]), nodeComponent('x64')]);
}

/** The paths of the files inside by their names there. */
function assets(): Record<string, string> {
  const manifest = join(ROOT, 'package.json');
  const folders = ['lua', 'lua/lib', 'page', 'swagger-ui'].map((name) => `dist/${name}`);
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [`${folder}/${name}`, join(ROOT, folder, name)] as const),
  );
  // cli.ts looks for the manifest from the folder of the built program, all others from one below.
  return { ...Object.fromEntries(files), 'package.json': manifest, 'dist/package.json': manifest };
}
