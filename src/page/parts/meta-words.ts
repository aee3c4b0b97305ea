/** Keys and values of `meta` as words, cut to lengths that somebody reads. */

import type { Texts } from '../texts/en.ts';

const LONGEST_TEXT = 500;
const LONGEST_LABEL = 80;

/** The name of a key. */
export function metaLabel({ details: { meta } }: Texts, key: string): string {
  return Object.hasOwn(meta.names, key) ? meta.names[key as keyof typeof meta.names] : labelOfKey(key);
}

/** A value as a filter names it: true is "on". */
export function metaValueInWords({ details: { meta } }: Texts, value: string): string {
  if (value === 'true') return meta.on;
  if (value === 'false') return meta.off;
  return value === 'null' ? meta.nothing : cut(value);
}

/** `friendly_fire`, `friendlyFire` and `friendly-fire` are "Friendly fire"; what has spaces is words already. */
export function labelOfKey(key: string): string {
  const shown = cut(key, LONGEST_LABEL);
  if (/\s/.test(shown)) return shown;
  const words = shown
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu}[\p{L}\d])|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    // A word in capitals, such as PVP, stays so.
    .map((word) => (/^\p{Lu}\p{Ll}+$/u.test(word) ? word.toLowerCase() : word))
    .join(' ');
  return words === '' ? shown : words.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** Cuts a text to a length, without splitting a pair of surrogates. */
export function cut(text: string, length = LONGEST_TEXT): string {
  return text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
