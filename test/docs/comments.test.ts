/** Comments wrap at 120 columns: no rule of the linter says so of comments alone. */

import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { readDocument } from '../support/markdown.ts';

const MOST_COLUMNS = 120;

/** A line that is nothing but a comment, with a place where it could be broken. What `--#` begins in Lua is code. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*|\{\/\*|--(?!#))\s*\S+ \S/;

/** Written by openapi-typescript. */
const GENERATED = ['src/model/view/api.d.ts'];

/** `path:line`, for each comment that is too long. */
function longComments(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.length > MOST_COLUMNS && COMMENT.test(line) ? [`${path}:${index + 1}`] : [],
    );
}

describe('comments', () => {
  for (const folder of ['src', 'test', 'bench', 'scripts'])
    it(`of ${folder} wrap at ${MOST_COLUMNS} columns`, () => {
      const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
        .filter((path) => /\.(ts|tsx|lua|mjs|css)$/.test(path) && !GENERATED.includes(path));
      expect(paths).to.have.length.above(0);
      expect(paths.flatMap((path) => longComments(path, readDocument(path)))).to.deep.equal([]);
    });

  it('are told from code, and from a word that cannot be broken', () => {
    const words = 'word '.repeat(30);
    const long = [`// ${words}`, ` * ${words}`, `/** ${words} */`, `-- ${words}`, `      {/* ${words} */}`];
    for (const line of long) expect(longComments('a', `x\n${line}`)).to.deep.equal(['a:2']);
    for (const line of [`const a = '${words}';`, `// https://example.com/${'a'.repeat(120)}`, '// short'])
      expect(longComments('a', line)).to.deep.equal([]);
  });
});
