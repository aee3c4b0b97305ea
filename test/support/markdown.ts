/** The documents of the project as the tests read them: tables, blocks of code, links. Knows no document by name. */

import { readFileSync } from 'node:fs';

/** `path` is relative to the root of the repository. */
export function readDocument(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

/** The cells of the table between the two comments that carry the name, without the head. */
export function tableOf(document: string, name: string): string[][] {
  const [, table] = document.split(`<!-- ${name}: held to the code by a test -->`);
  const [rows] = table!.split(`<!-- end of ${name} -->`);
  return rows!
    .trim()
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => plainText(cell.trim())),
    );
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
