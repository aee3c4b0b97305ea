/**
 * Markdown as GitHub shows it: headings have the same anchors. The pages of the site lie where the files of the
 * repository do, so a link to a file becomes one to its page. An item or a row that begins with code, such as an
 * option, has an anchor too.
 */

import MarkdownIt from 'markdown-it';
import type Token from 'markdown-it/lib/token.mjs';

/** A part of a document with an anchor. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** The level of a heading, or 0 for an item or a row. */
  readonly level: number;
  text: string;
}

/** What a document has, as Markdown adds it to the environment that it renders in. */
export interface Found {
  /** The paths of the files that it links to or shows, relative to its own. */
  readonly targets: string[];
  readonly sections: Section[];
}

const OF_ANOTHER_HOST = /^[a-z]+:/;
const ITEM = /^(?:list_item|tr)_(?:open|close)$/;

export function isPicture(path: string): boolean {
  return /\.(?:png|svg)$/.test(path);
}

/** The address of the page for a file of the repository, whose path may be relative. A picture has its own. */
export function addressOf(path: string): string {
  if (isPicture(path)) return path;
  return `${path.replace(/(?<![^/])README\.md$/, 'index.md').replace(/\.md$/, '')}.html`;
}

export function createMarkdown(): MarkdownIt {
  const markdown = MarkdownIt({ html: true });
  markdown.core.ruler.push('site', ({ tokens, env }) => {
    Object.assign(env as object, {
      targets: leadLinks(tokens),
      sections: nameSections(tokens),
    } satisfies Found);
  });
  const { rules } = markdown.renderer;
  // The boxes of a checklist.
  rules['text'] = (tokens, n) => markdown.utils.escapeHtml(tokens[n]!.content).replace(/^\[ \] /, '☐ ');
  // An empty cell is the heading of nothing.
  rules['th_open'] = (tokens, n) => (tokens[n + 1]!.content === '' ? '<td>' : '<th>');
  rules['th_close'] = (tokens, n) => (tokens[n - 1]!.content === '' ? '</td>' : '</th>');
  rules['html_block'] = (tokens, n) => tokens[n]!.content.replaceAll(/<!--.*?-->\n?/gs, '');
  // A wide table or block scrolls by itself, and keys can scroll it too.
  rules['table_open'] = () => '<div class="table" role="group" aria-label="Table" tabindex="0"><table>\n';
  rules['table_close'] = () => '</table></div>\n';
  rules['fence'] = (tokens, n) =>
    `<pre tabindex="0"><code>${markdown.utils.escapeHtml(tokens[n]!.content)}</code></pre>\n`;
  return markdown;
}

/** Turns the links to pages, and returns the files that they led to. */
function leadLinks(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ children }) =>
    (children ?? []).flatMap((token) => {
      const name = token.type === 'image' ? 'src' : 'href';
      const target = token.attrGet(name) ?? '';
      const [path] = target.split('#') as [string];
      if (path === '' || OF_ANOTHER_HOST.test(path)) return [];
      token.attrSet(name, target.replace(path, addressOf));
      return [path];
    }),
  );
}

/** Gives the sections their anchors. A text belongs to the item or row that it stands in, or to the heading above. */
function nameSections(tokens: readonly Token[]): Section[] {
  const sections: Section[] = [];
  const counts = new Map<string, number>();
  const idOf = (title: string): string => {
    const name = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  };
  const begin = (token: Token, title: string, level: number): Section => {
    const section = { id: token.attrGet('id') ?? idOf(title), title, level, text: '' };
    token.attrSet('id', section.id);
    sections.push(section);
    return section;
  };
  // The headings come first: an item must not take the anchor of one below it.
  for (const [n, token] of tokens.entries())
    if (token.type === 'heading_open') token.attrSet('id', idOf(textOf(tokens[n + 1]!)));
  let heading: Section | undefined;
  let item: Section | undefined;
  for (const [n, token] of tokens.entries()) {
    if (token.type === 'heading_open') heading = begin(token, textOf(tokens[n + 1]!), Number(token.tag[1]));
    else if (ITEM.test(token.type)) {
      const code = tokens[n + 2]?.children?.[0];
      item = token.nesting === 1 && code?.type === 'code_inline' ? begin(token, code.content, 0) : undefined;
    } else if (heading !== undefined && tokens[n - 1]?.type !== 'heading_open')
      (item ?? heading).text += token.content === '' ? '' : `${textOf(token)}\n`;
  }
  return sections;
}

function textOf({ children, content }: Token): string {
  return children?.map(({ type, content: text }) => (type === 'softbreak' ? ' ' : text)).join('') ?? content;
}
