/** The documents of the project as the tests read them: tables, blocks of code, links. */

import { readFileSync } from 'node:fs';

/** `path` is relative to the root of the repository. */
export function readDocument(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

/** The cells of the table between the two comments that carry the name, without the head. */
export function tableOf(document: string, name: string): string[][] {
  return markedPart(document, name)
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => plainText(cell.trim())),
    );
}

/** The items of the list between the two comments that carry the name, without what stands in brackets at their end. */
export function listOf(document: string, name: string): string[] {
  return [...markedPart(document, name).matchAll(/^- (.*?)(?: \([^()]*\))?$/gm)].map(([, item]) => item!);
}

function markedPart(document: string, name: string): string {
  const [, begun] = document.split(`<!-- ${name}: held to the code by a test -->`);
  return begun!.split(`<!-- end of ${name} -->`)[0]!.trim();
}

/** A cell that is code without its backticks, any other without Markdown's escapes. */
function plainText(cell: string): string {
  return /^`[^`]*`$/.test(cell) ? cell.slice(1, -1) : cell.replaceAll(/\\([*_<>|])/g, '$1');
}

/** Shell commands of a document and what they print; undefined where the document does not say. */
export interface Commands {
  readonly script: string;
  readonly output: string | undefined;
}

/** The blocks that are marked to be run by a test, in order. */
export function commandsOf(document: string): Commands[] {
  const marked = /<!-- run by a test -->\n\n```sh\n(.*?)```\n(?:\n```text\n(.*?)```)?/gs;
  return [...document.matchAll(marked)].map(([, script, output]) => ({ script: script!, output }));
}

/** A piece of code in a document: a block, or a few words in a line. */
export interface Code {
  /** The language of a block; undefined for code in a line. */
  readonly language: string | undefined;
  readonly text: string;
  /** The line of the document on which it begins, from 1 on. */
  readonly line: number;
}

/** All code of a document, in order. Throws an Error for a fence that neither begins nor ends a block. */
export function codeOf(document: string): Code[] {
  const all = /^(?<indent> *)```(?<language>\w+)\n(?<block>.*?)^\k<indent>```$|`(?<span>[^`\n]+)`/gms;
  const code = [...document.matchAll(all)].map(({ index, groups }) => {
    const { language, block, span } = groups!;
    return {
      language,
      text: block ?? span!.replaceAll('\\|', '|'),
      line: document.slice(0, index).split('\n').length,
    };
  });
  const blocks = code.filter(({ language }) => language !== undefined);
  if (document.match(/^ *```/gm)?.length !== (blocks.length === 0 ? undefined : 2 * blocks.length))
    throw new Error('a block of code has no language or no end');
  return code;
}

/** The targets of the links and pictures of a document, those of other sites too. */
export function linksOf(document: string): string[] {
  return [...withoutCode(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
}

/** The names by which the headings of a document can be linked to, as GitHub makes them. */
export function anchorsOf(document: string): Set<string> {
  const headings = withoutCode(document).match(/(?<=^#{1,6} ).*/gm) ?? [];
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Without blocks of code. Code in a line stays where it is a plain name, as in a heading. */
function withoutCode(document: string): string {
  return document
    .replaceAll(/^```.*?^```$/gms, '')
    .replaceAll(/`[^`\n]*`/g, (code) => (/^`[\w /.-]+`$/.test(code) ? code.slice(1, -1) : ''));
}
