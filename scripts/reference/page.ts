/** The form of a page of the reference: its title, its parts, and the words of people beside what the code says. */

/** The parts in order, with an empty line between them. */
export function page(title: string, parts: readonly string[]): string {
  return [`# ${title}`, '<!-- Written by `npm run generate -- reference`. -->', ...parts].join('\n\n') + '\n';
}

export const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

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

/** What the code says of one thing that a page explains. */
export interface Entry {
  readonly group: string;
  readonly heading: string;
  /** A fact that stands as a quote below the heading. */
  readonly quote?: string | undefined;
}

/**
 * The page with the headings and quotes of these entries. What stands before the first heading, and what people wrote
 * under each, is kept. Throws an Error where nothing is written for an entry, or something for none.
 */
export function renewed(text: string, entries: readonly Entry[], file: string): string {
  const [head = '', ...sections] = text.replaceAll('\r\n', '\n').split(/^(?=##)/m);
  const words = new Map<string, string>();
  for (const section of sections.filter((each) => each.startsWith('### '))) {
    const [heading = '', ...lines] = section.slice('### '.length).split('\n');
    words.set(
      heading,
      lines
        .filter((line) => !line.startsWith('> '))
        .join('\n')
        .trim(),
    );
  }
  const missing = entries.find(({ heading }) => !words.get(heading));
  if (missing !== undefined) throw new Error(`${file} says nothing under "### ${missing.heading}": add it`);
  const left = [...words.keys()].find((each) => entries.every(({ heading }) => heading !== each));
  if (left !== undefined) throw new Error(`${file} has "### ${left}", which is no longer there: take it out`);
  const parts = grouped(
    entries,
    ({ group }) => group,
    (those) =>
      those.flatMap(({ heading, quote }) => [
        `### ${heading}`,
        ...(quote === undefined ? [] : [`> ${quote}`]),
        words.get(heading)!,
      ]),
  );
  return [head.trim(), ...parts].join('\n\n') + '\n';
}
