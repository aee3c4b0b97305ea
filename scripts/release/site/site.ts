/** The documents as a site of static files, which any server can serve, under any path. */

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
// @ts-expect-error It has no types.
import { Eleventy } from '@11ty/eleventy';
import { build } from 'esbuild';
import { packTar } from '../archives.ts';
import { ROOT, type Making } from '../making.ts';
import { groupPages, isDocument, readPages, type Page } from './documents.ts';
import { createMarkdown } from './markdown.ts';

/** The part of Eleventy's configuration that the site needs. */
interface Configuration {
  setLibrary(engine: 'md', library: unknown): void;
  addGlobalData(name: string, value: unknown): void;
  addTemplate(path: string, content: string, data: object): void;
}

const HERE = fileURLToPath(new URL('.', import.meta.url));
const PACKAGES = join(ROOT, 'node_modules');
const FONT = '@fontsource-variable/inter';
/** The licenses of what the site has from packages. */
const LICENSES = [`${FONT}/LICENSE`, 'minisearch/LICENSE.txt'];

export async function makeSite(making: Making): Promise<void> {
  const name = `gsls-docs-${making.version}`;
  const folder = making.newFolder();
  const site = join(folder, name);
  const pages = readPages();
  await writePages(pages, site, making.version);
  await writeAssets(pages, join(site, 'site'));
  // Pictures, and what a page shows as text.
  for (const path of [...pages.values()].flatMap(({ linked }) => linked))
    if (!isDocument(path)) cpSync(join(ROOT, path), join(site, path));
  await packTar(making, making.out(`${name}.tar.gz`), folder);
}

async function writePages(pages: ReadonlyMap<string, Page>, output: string, version: string): Promise<void> {
  const groups = groupPages(pages);
  const order = groups.flatMap(({ links }) => links);
  const config = (configuration: Configuration): object => {
    configuration.setLibrary('md', createMarkdown());
    configuration.addGlobalData('groups', groups);
    configuration.addGlobalData('version', version);
    for (const page of pages.values()) {
      const at = order.findIndex(({ address }) => address === page.address);
      configuration.addTemplate(`${page.path}.md`, page.markdown, {
        layout: 'page.njk',
        permalink: page.address,
        own: page,
        root: '../'.repeat(page.path.split('/').length - 1),
        headings: page.sections.filter(({ level }) => level === 2 || level === 3),
        previous: order[at - 1],
        next: at >= 0 && order[at + 1],
        download: !isDocument(page.path) && posix.basename(page.path),
      });
    }
    return { templateFormats: ['md'], markdownTemplateEngine: false };
  };
  await new Eleventy(HERE, output, { quietMode: true, configPath: null, config }).write();
}

async function writeAssets(pages: ReadonlyMap<string, Page>, folder: string): Promise<void> {
  for (const name of ['site.css', 'icon.svg']) cpSync(join(HERE, name), join(folder, name));
  cpSync(join(PACKAGES, FONT, 'files/inter-latin-wght-normal.woff2'), join(folder, 'inter.woff2'));
  const licenses = LICENSES.map((path) => readFileSync(join(PACKAGES, path), 'utf8'));
  writeFileSync(join(folder, 'LICENSES.txt'), licenses.join('\n'));
  await build({ entryPoints: [join(HERE, 'search.ts')], outdir: folder, bundle: true, minify: true });
  const entries = [...pages.values()]
    .filter(({ path }) => isDocument(path))
    .flatMap(({ address, title, sections }) =>
      sections.map((section) => [`${address}#${section.id}`, title, section.title, section.text]),
    );
  // A page that is opened as a file may load a script, and read nothing.
  writeFileSync(join(folder, 'entries.js'), `globalThis.gslsEntries = ${JSON.stringify(entries)};\n`);
}
