/**
 * The links of the documents, and what they name without one: every file and heading exists. So do those named in
 * files.
 */

import { existsSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { anchorsOf, codeOf, linksOf, readDocument } from '../support/markdown.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A file or a folder of the repository, named in a sentence. */
const FILE =
  /^((bench|clients|deploy|docs|examples|scripts|src|test|\.ci)(\/[\w.-]+)*\/?|[A-Z]+\.md|Dockerfile)$/;

/** Paths relative to the root, of all files in the folder that end so. */
function filesIn(folder: string, end: string): string[] {
  const names = readdirSync(posix.join(ROOT, folder), { recursive: folder !== '.', encoding: 'utf8' });
  return names.filter((name) => name.endsWith(end)).map((name) => posix.join(folder, name));
}

/** Whether the target of a link in the document exists. Links to other sites are not followed. */
function exists(path: string, target: string): boolean {
  if (/^[a-z]+:/.test(target)) return true;
  const [file, anchor] = target.split('#') as [string, string?];
  const linked = file === '' ? path : posix.join(posix.dirname(path), file);
  if (!existsSync(posix.join(ROOT, linked))) return false;
  return anchor === undefined || anchorsOf(readDocument(linked)).has(anchor);
}

describe('the links', () => {
  for (const path of ['.', 'docs', 'clients', 'examples', 'bench'].flatMap((folder) =>
    filesIn(folder, '.md'),
  ))
    it(`of ${path} lead somewhere`, () => {
      expect(linksOf(readDocument(path)).filter((target) => !exists(path, target))).to.deep.equal([]);
    });

  it('of the README lead to every document, in two steps at most', () => {
    const next = linksOf(readDocument('README.md')).filter((target) => target.endsWith('.md'));
    const linked = next.flatMap((path) => [
      path,
      ...linksOf(readDocument(path)).map((target) => posix.join(posix.dirname(path), target.split('#')[0]!)),
    ]);
    const unseen = filesIn('docs', '.md').filter((path) => !linked.includes(path));
    expect(unseen).to.deep.equal([]);
  });

  it('that messages, comments and alerts name are documents, and headings of them', () => {
    const files = ['src', 'scripts', 'bench', 'clients', 'examples', 'deploy'].flatMap((folder) =>
      filesIn(folder, '').filter((path) =>
        /\.(ts|tsx|lua|mjs|py|cs|c|h|gd|ya?ml|env|cfg|conf|service)$/.test(path),
      ),
    );
    const named = files.flatMap((path) => readDocument(path).match(/docs\/[\w/-]+\.md(#[\w-]+)?/g) ?? []);
    expect(named.length).to.be.above(20);
    expect(named.filter((target) => !exists('README.md', target))).to.deep.equal([]);
  });
});

describe('the files that are named without a link', () => {
  for (const path of ['CONTRIBUTING.md', 'SECURITY.md', ...filesIn('docs', '.md')])
    it(`of ${path} exist`, () => {
      const named = codeOf(readDocument(path)).filter(
        ({ language, text }) => language === undefined && FILE.test(text),
      );
      expect(
        named.map(({ text }) => text).filter((text) => !existsSync(posix.join(ROOT, text))),
      ).to.deep.equal([]);
    });
});
