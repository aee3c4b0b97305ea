/** The pages of the site, README.md and each file that a page links to, and their order, which docs/README.md has. */

import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { ROOT } from '../making.ts';
import { addressOf, createMarkdown, isPicture, type Found } from './markdown.ts';

export interface Page extends Pick<Found, 'sections'> {
  /** The path of its file in the repository. */
  readonly path: string;
  readonly address: string;
  readonly title: string;
  readonly markdown: string;
  /** The paths of the files that it links to. */
  readonly linked: readonly string[];
}

interface Link {
  readonly name: string;
  readonly address: string;
}

/** Pages for the same readers, under the names that the contents give them. */
export interface Group {
  readonly name: string;
  readonly links: readonly Link[];
}

const FRONT = 'README.md';
const CONTENTS = 'docs/README.md';
/** A row of the table in the contents. The first cell is empty where the group of the row above goes on. */
const ROW = /^\| (?<group>.*?) *\| (?<cell>.*\]\(.*?) *\|$/gm;
const FENCE = '`````';

export function isDocument(path: string): boolean {
  return path.endsWith('.md');
}

/** All pages by their paths. Throws where a link leads to no file. */
export function readPages(): Map<string, Page> {
  const pages = new Map<string, Page>();
  const read = (path: string): void => {
    if (pages.has(path) || isPicture(path)) return;
    const page = readPage(path);
    pages.set(path, page);
    page.linked.forEach(read);
  };
  read(FRONT);
  return pages;
}

/** A file that is no document is a page that shows its text. */
function readPage(path: string): Page {
  const text = readFileSync(posix.join(ROOT, path), 'utf8');
  const markdown = isDocument(path)
    ? text
    : `# ${posix.basename(path)}\n\n${FENCE}\n${text.trimEnd()}\n${FENCE}\n`;
  const found = {} as Found;
  createMarkdown().parse(markdown, found);
  const { targets, sections } = found;
  const linked = targets.map((target) => posix.join(posix.dirname(path), target));
  return { path, address: addressOf(path), title: sections[0]!.title, markdown, sections, linked };
}

/** The documents in the order of the contents. Those that it does not name are the last group. */
export function groupPages(pages: ReadonlyMap<string, Page>): Group[] {
  const named = new Set<string>();
  const linkTo = (path: string, name = pages.get(path)!.title): Link => {
    named.add(path);
    return { name, address: addressOf(path) };
  };
  const groups = [{ name: 'begin', links: [linkTo(FRONT, 'GSLS'), linkTo(CONTENTS)] }];
  for (const { groups: row } of pages.get(CONTENTS)!.markdown.matchAll(ROW)) {
    if (row!['group'] !== '') groups.push({ name: row!['group']!, links: [] });
    for (const [, name, target] of row!['cell']!.matchAll(/\[(.*?)\]\((.*?)\)/g))
      groups.at(-1)!.links.push(linkTo(posix.join('docs', target!), name));
  }
  const others = [...pages.keys()].filter((path) => isDocument(path) && !named.has(path));
  return [...groups, { name: 'further', links: others.map((path) => linkTo(path)) }];
}
