/**
 * The copyright file of the Debian package, in the form of Debian: GSLS, Node, what the page is made of, and each
 * package of npm, with the license that it came with.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Addresses } from './making.ts';

/** The name of a file of licenses; that of a bundle begins with the name of the bundle. */
const LICENSE = /^(?:.*\.js\.)?(?:licen[cs]es?|notice)(?:\.(?:txt|md|markdown))?$/i;
/** A line that names who has the rights, and a year or the sign. */
const HOLDER = /^[\s*]*(?:copyright:? +)?((?<=copyright:? +).*\d{4}.*|(?:\(c\)|©) .*[^:;,]$)/gim;
/** Debian has the longest license for all packages, and wants it quoted in none. */
const APACHE = /^\s*Apache License\s+Version 2\.0[^]*END OF TERMS AND CONDITIONS/;
const COMMON_APACHE = 'Apache License, Version 2.0: in Debian it is /usr/share/common-licenses/Apache-2.0.\n';
/** What has no text of its own. */
const OF_NODE = 'The license of Node, and of what is in it, is node-license.gz beside this file.';

interface Manifest {
  readonly license: string;
  readonly author?: string | { readonly name: string };
}

/** What the page has from others: it is handed out with the page, and so is in no file of licenses that can go. */
export const OF_PAGE = 'dist/page/LICENSES.txt';

/** The files in `program` that hold licenses: the copyright file has all that they say. */
export function licenseFiles(program: string): readonly string[] {
  return readdirSync(program, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENSE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

/** `program`: the folder that becomes /usr/lib/gsls. */
export function renderCopyright(program: string, { homepage }: Addresses): string {
  const licenses = licenseFiles(program);
  const stanza = (path: string, { license, author }: Manifest, text = textIn(path)): string => {
    const holders = [...text.matchAll(HOLDER)].map(([, holder]) => holder!.trim());
    const others = typeof author === 'object' ? author.name : (author ?? 'those whom the license names');
    const copyright = holders.length > 0 ? holders.join('\n ') : others;
    const quoted = text
      .trimEnd()
      .replaceAll(/[^\S\n]*$/gm, '')
      .replaceAll(/^$/gm, '.')
      .replaceAll(/^/gm, ' ');
    return `Files: ${path}\nCopyright: ${copyright}\nLicense: ${license}\n${quoted}\n`;
  };
  const textIn = (path: string): string =>
    licenses
      .filter((file) => dirname(file) === join(program, path.replace(/^usr\/lib\/gsls\/|\/?\*$/g, '')))
      .map((file) => readFileSync(file, 'utf8').replace(APACHE, COMMON_APACHE))
      .join('\n');
  const packages = readdirSync(program, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(path),
  );
  return [
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
    `Upstream-Name: GSLS\nSource: ${homepage}\n`,
    stanza('*', { license: 'MIT' }),
    stanza('usr/lib/gsls/node', { license: 'Node.js' }, OF_NODE),
    stanza('usr/lib/gsls/dist/page/*', { license: 'MIT' }),
    stanza('usr/lib/gsls/dist/swagger-ui/*', { license: 'Apache-2.0-and-MIT' }),
    ...packages.toSorted().map((path) => {
      const manifest = JSON.parse(readFileSync(join(program, path), 'utf8')) as Manifest;
      return stanza(`usr/lib/gsls/${dirname(path)}/*`, manifest);
    }),
  ].join('\n');
}
