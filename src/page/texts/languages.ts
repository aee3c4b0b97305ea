/** The languages of the page, and the choice for a reader. A new language needs a file like en.ts, and a line here. */

import { DE } from './de.ts';
import { EN, type Texts } from './en.ts';

/** The texts by language tag (BCP 47). The first is for readers of other languages. */
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
