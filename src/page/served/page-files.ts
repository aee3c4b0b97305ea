/**
 * The output of the page's build: the files that the page loads, beside those of the operator, and the renderer with
 * which the service renders the page.
 */

import { readdir, readFile } from 'node:fs/promises';
import { hashedName, type ServedFile, type ServedFiles } from '../../api/http/served-files.ts';
import { BUILT } from '../../runtime/package-files.ts';
import type { PlainRenderer } from '../plain/renderer.ts';
import { loadRenderer } from './load-renderer.ts';
import { pictureOf, type Picture } from './picture.ts';

const FOLDER = new URL('page/', BUILT);

export interface PageFilesOptions {
  readonly logo?: Picture | undefined;
  /** The folder with the files of the page. */
  readonly folder?: URL | undefined;
}

/** The names of files, and all files by their names. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
  readonly worker: string;
  /** The script that applies the theme that the reader has chosen. */
  readonly theme: string;
  /** What the desk of moderators loads. */
  readonly desk: { readonly script: string; readonly style: string };
  readonly logo: string | undefined;
  readonly icon: string;
  readonly all: ServedFiles;
  /** Renders the page for a browser before its script runs. */
  readonly renderer: PlainRenderer;
}

/** The names in the build's list of its files. */
type Built = Pick<PageFiles, 'script' | 'style' | 'worker' | 'theme' | 'desk'>;

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};
/** The script that loads the page's script. It has this name in every release. */
export const START = 'start.js';
/** How long files are cached whose names stay when they change, in s. */
const SHORT_AGE_S = 600;
/** The name of a file of the build. The hash in it lets caches keep the file for good; names that stay have none. */
const BUILT_NAME = /^(?:[\w-]+-[A-Z\d]{8}\.(?:js|css)|(?<stays>embed\.js|start\.js|LICENSES\.txt))$/;

/** The icon of a page without a logo, for the tab of the browser: three rows of a list. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><g fill="#4285f4"><path d="M1 2h14v3H1z"/><path d="M1 6.5h14v3H1z" opacity=".8"/><path d="M1 11h14v3H1z" opacity=".6"/></g></svg>
`;

/** Rejects if the page is not built. `cacheAudience`: the caches that may keep the files. */
export async function readPageFiles(
  { logo, folder = FOLDER }: PageFilesOptions,
  cacheAudience: 'private' | 'public',
): Promise<PageFiles> {
  const built = JSON.parse(await readFile(new URL('files.json', folder), 'utf8')) as Built;
  const all = new Map<string, ServedFile>();
  for (const name of await readdir(folder)) {
    const match = BUILT_NAME.exec(name);
    if (match === null) continue;
    all.set(name, {
      bytes: await readFile(new URL(name, folder)),
      headers: {
        'Content-Type': TYPES[name.split('.').at(-1)!]!,
        ...(match.groups!['stays'] !== undefined && {
          'Cache-Control': `${cacheAudience}, max-age=${SHORT_AGE_S}`,
        }),
      },
    });
  }
  const add = (name: string, extension: string, file: ServedFile): string => {
    const hashed = hashedName(name, extension, file.bytes);
    all.set(hashed, file);
    return hashed;
  };
  const renderer = await loadRenderer(folder);
  const logoName = logo && add('logo', logo.extension, logo);
  return {
    ...built,
    logo: logoName,
    icon: logoName ?? add('icon', 'svg', pictureOf(Buffer.from(ICON))!),
    all,
    renderer,
  };
}
