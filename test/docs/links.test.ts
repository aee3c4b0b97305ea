/** The links of the documents, and what they name without one: every file and heading exists. So do documents named in the code. */

import { existsSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { anchorsOf, codeOf, linksOf, readDocument } from '../support/markdown.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A file or a folder of the repository, named in a sentence. */
const FILE = /^((bench|deploy|docs|examples|scripts|src|test|\.ci)(\/[\w.-]+)*\/?|[A-Z]+\.md|Dockerfile)$/;

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
  for (const path of ['.', 'docs', 'examples', 'bench'].flatMap((folder) => filesIn(folder, '.md')))
    it(`of ${path} lead somewhere`, () => {
      expect(linksOf(readDocument(path)).filter((target) => !exists(path, target))).to.deep.equal([]);
    });

  it('of the README lead to every document', () => {
    const linked = linksOf(readDocument('README.md'));
    expect(filesIn('docs', '.md').filter((path) => !linked.includes(path))).to.deep.equal([]);
  });

  it('that messages and comments name are documents', () => {
    const named = filesIn('src', '.ts').flatMap(
      (path) => readDocument(path).match(/docs\/[\w-]+\.md/g) ?? [],
    );
    expect(named.filter((path) => !existsSync(posix.join(ROOT, path)))).to.deep.equal([]);
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
