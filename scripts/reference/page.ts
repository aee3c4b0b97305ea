/** The form of a page of the reference: its title, its parts, tables, and the words that people have written for it. */

import { readFileSync } from 'node:fs';

/** The parts in order, with an empty line between them. */
export function page(title: string, parts: readonly string[]): string {
  return [`# ${title}`, '<!-- Written by `npm run reference`. -->', ...parts].join('\n\n') + '\n';
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A text of the code as Markdown: nothing in it is a mark, but for what stands in backticks. */
export function plain(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(/[*_<>|]/g, String.raw`\$&`) : part))
    .join('`');
}

/** Each part under the heading that its items share, in the order of their first items. */
export function grouped<T>(
  items: readonly T[],
  headingOf: (item: T) => string,
  render: (items: readonly T[]) => readonly string[],
): string[] {
  const headings = [...new Set(items.map(headingOf))];
  return headings.flatMap((heading) => [
    `## ${heading}`,
    ...render(items.filter((item) => headingOf(item) === heading)),
  ]);
}

/** What docs/words/<name>.md says under each of these headings, which must be all that it has. Throws an Error. */
export function readWords(name: string, headings: readonly string[]): ReadonlyMap<string, string> {
  const text = readFileSync(new URL(`../../docs/words/${name}.md`, import.meta.url), 'utf8');
  return checkWords(text, headings, `docs/words/${name}.md`);
}

export function checkWords(
  text: string,
  headings: readonly string[],
  file: string,
): ReadonlyMap<string, string> {
  const [, ...sections] = text.replaceAll('\r\n', '\n').split(/^## /m);
  const words = new Map(
    sections.map((section): [string, string] => {
      const [heading = '', ...lines] = section.split('\n');
      return [heading, lines.join('\n').trim()];
    }),
  );
  const missing = headings.find((heading) => !words.get(heading));
  if (missing !== undefined) throw new Error(`${file} says nothing under "## ${missing}"`);
  const left = [...words.keys()].find((heading) => !headings.includes(heading));
  if (left !== undefined) throw new Error(`${file} has "## ${left}", which is no longer there`);
  return words;
}
