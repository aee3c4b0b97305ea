/** The languages of the page, and which of them suits a reader. To add one: a file like en.ts, and a line here. */

import { DE } from './de.ts';
import { EN, type Texts } from './en.ts';

/** By their tags (BCP 47); the first one is for readers of other languages. */
export const LANGUAGES: ReadonlyMap<string, Texts> = new Map([
  ['en', EN],
  ['de', DE],
]);

/** The tag of the language that suits best. `wanted`: tags such as `de-AT`, the best first. */
export function chooseLanguage(wanted: readonly string[]): string {
  const known = [...LANGUAGES.keys()];
  const primary = wanted.map((tag) => tag.toLowerCase().split('-')[0]!);
  return primary.find((tag) => LANGUAGES.has(tag)) ?? known[0]!;
}
