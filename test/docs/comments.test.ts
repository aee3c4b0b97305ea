/** The form of comments, of which the linter knows no rule: their width, and that somebody does something in them. */

import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { readDocument } from '../support/markdown.ts';

const MOST_COLUMNS = 120;

/** A line that is nothing but a comment, with a place where it could be broken. What `--#` begins in Lua is code. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*|\{\/\*|--(?!#))\s*\S+ \S/;

/** Written by openapi-typescript. */
const GENERATED = ['src/model/view/api.d.ts', 'clients/typescript/src/details.d.ts'];

/** First words of comments without a subject: a reader who meets them has to guess who does what. */
const NO_SUBJECT =
  /^(?:Of|So|Likewise|That of|Those|Also|As\b[^.,]*,|In which|From which|Where|With what|By what|With which)\b/;

/** The doc comments that may begin so all the same, as `path: first words`. The list only shrinks. */
const EXCEPTIONS: readonly string[] = [];
/** The most comments that begin with `What`, which is rarely a question. */
const MOST_WHATS = 120;

/** The doc comments of the source, each in one line. */
function docComments(): { readonly path: string; readonly text: string }[] {
  return ['src', 'clients/typescript/src']
    .flatMap((folder) => filesIn(folder, /\.tsx?$/))
    .flatMap((path) =>
      [...readDocument(path).matchAll(/\/\*\*\s*(?:\n\s*\* ?)?(.*?)\*\//gs)].map(([, text]) => ({
        path,
        text: text!
          .replaceAll(/\s*\n\s*\* ?/g, ' ')
          .trim()
          .replace(/^\* /, ''),
      })),
    );
}

function filesIn(folder: string, ending: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => ending.test(path) && !GENERATED.includes(path));
}

/** `path:line`, for each comment that is too long. */
function longComments(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.length > MOST_COLUMNS && COMMENT.test(line) ? [`${path}:${index + 1}`] : [],
    );
}

describe('comments', () => {
  for (const folder of ['src', 'clients/typescript/src', 'test', 'bench', 'scripts'])
    it(`of ${folder} wrap at ${MOST_COLUMNS} columns`, () => {
      const paths = filesIn(folder, /\.(ts|tsx|lua|mjs|css)$/);
      expect(paths).to.have.length.above(0);
      expect(paths.flatMap((path) => longComments(path, readDocument(path)))).to.deep.equal([]);
    });

  it('begin with who or what does something', () => {
    const bare = docComments().filter(({ text }) => NO_SUBJECT.test(text));
    expect(bare.map(({ path, text }) => `${path}: ${text.slice(0, 40)}`)).to.have.members(EXCEPTIONS);
  });

  it(`begin with "What" no more than ${MOST_WHATS} times`, () => {
    expect(docComments().filter(({ text }) => text.startsWith('What ')).length).to.be.at.most(MOST_WHATS);
  });

  it('are told from code, and from a word that cannot be broken', () => {
    const words = 'word '.repeat(30);
    const long = [`// ${words}`, ` * ${words}`, `/** ${words} */`, `-- ${words}`, `      {/* ${words} */}`];
    for (const line of long) expect(longComments('a', `x\n${line}`)).to.deep.equal(['a:2']);
    for (const line of [`const a = '${words}';`, `// https://example.com/${'a'.repeat(120)}`, '// short'])
      expect(longComments('a', line)).to.deep.equal([]);
  });
});
