/** The search in the pages. It needs no server: what it searches is a script, loaded when a reader turns to it. */

import MiniSearch from 'minisearch';

/** The address, relative to the site, the title of the page, the title of the section, and its text. */
type Entry = readonly [address: string, page: string, title: string, text: string];

const MOST_FOUND = 20;
/** An excerpt begins so many characters before the first word that was searched. */
const EXCERPT_BEFORE = 40;
const EXCERPT_LENGTH = 160;

const { src } = document.currentScript as HTMLScriptElement;
const search = document.querySelector('search')!;
const input = search.querySelector('input')!;
const panel = search.querySelector<HTMLElement>('.found')!;
let loading: Promise<MiniSearch> | undefined;

/** A word with hyphens also counts as its parts: `rate` finds `--rate-limit`. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*/gu) ?? [];
  return words.flatMap((word) => (word.includes('-') ? [word, ...word.split('-')] : [word]));
}

async function load(): Promise<MiniSearch> {
  const script = document.createElement('script');
  script.src = new URL('entries.js', src).href;
  document.head.append(script);
  await new Promise((resolve, reject) => Object.assign(script, { onload: resolve, onerror: reject }));
  const { gslsEntries } = globalThis as unknown as { readonly gslsEntries: readonly Entry[] };
  const index = new MiniSearch({
    fields: ['page', 'title', 'text'],
    storeFields: ['entry'],
    tokenize: wordsOf,
    searchOptions: { combineWith: 'AND', prefix: true, boost: { title: 4, page: 2 } },
  });
  index.addAll(
    gslsEntries.map((entry, id) => ({ id, entry, page: entry[1], title: entry[2], text: entry[3] })),
  );
  return index;
}

async function show(): Promise<void> {
  const found = (await (loading ??= load())).search(input.value);
  panel.hidden = input.value.trim() === '';
  panel.querySelector('p')!.textContent = found.length === 0 ? 'Nothing found' : `${found.length} found`;
  const links = found.slice(0, MOST_FOUND).map(({ entry, terms }) => linkTo(entry as Entry, terms));
  panel.querySelector('ul')!.replaceChildren(...links.map((link) => make('li', link)));
}

function linkTo([address, page, title, text]: Entry, terms: readonly string[]): HTMLElement {
  const searched = new RegExp(`(${terms.join('|')})`, 'iu');
  const from = Math.max(0, text.search(searched) - EXCERPT_BEFORE);
  const excerpt = text
    .slice(from, from + EXCERPT_LENGTH)
    .replace(/\s\S*$/, ' …')
    .split(searched);
  const marked = excerpt.map((part, n) => (n % 2 === 1 ? make('mark', part) : part));
  const where = make('small', title === page ? '' : page);
  const href = new URL(`../${address}`, src).href;
  return Object.assign(make('a', make('strong', title), ' ', where, make('span', ...marked)), { href });
}

function make(name: string, ...content: readonly (string | Node)[]): HTMLElement {
  const element = document.createElement(name);
  element.append(...content);
  return element;
}

search.hidden = false;
input.addEventListener('focus', () => void (loading ??= load()));
input.addEventListener('input', () => void show());
search.addEventListener('keydown', ({ key }) => {
  const stops = [input, ...panel.querySelectorAll('a')];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  if (key === 'ArrowDown') stops[at + 1]?.focus();
  else if (key === 'ArrowUp') stops[at - 1]?.focus();
  else if (key === 'Enter' && at === 0) panel.querySelector('a')?.click();
  else if (key === 'Escape') panel.hidden = true;
});
document.addEventListener('click', ({ target }) => {
  if (!search.contains(target as Node)) panel.hidden = true;
  // The list of headings would cover the one that it led to.
  (target as Element).closest<HTMLElement>(':popover-open:has(a:focus)')?.hidePopover();
});
