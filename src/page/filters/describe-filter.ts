/** Describes filters in words. */

import { metaKeyOf } from '../connection/messages.ts';
import { FLAGS } from '../parts/flags.ts';
import { metaLabel, metaValueInWords } from '../parts/meta-words.ts';
import type { Texts } from '../texts/en.ts';
import type { Formats } from '../texts/formats.ts';

export interface FilterInWords {
  readonly label: string;
  /** The value as a game server may have written it; '' if the label is enough. */
  readonly value: string;
}

/** The words of the page, of which PageContext has more. */
export interface Words {
  readonly texts: Texts;
  readonly regionName: (region: string) => string;
  readonly formats: Pick<Formats, 'country'>;
}

/** `name`: as in the address, with its `!`. `text`: the decoded value. */
export function describeFilter(words: Words, name: string, text: string): FilterInWords {
  const { texts } = words;
  const whole = `${name}=${text}`;
  if (whole === 'full=false') return { label: texts.filters.notFull, value: '' };
  if (whole === 'empty=false') return { label: texts.filters.notEmpty, value: '' };
  const without = FLAGS.find((flag) => whole === `${flag}!=true`);
  if (without !== undefined) return { label: texts.flags[without].without, value: '' };
  const plain = name.replace(/!$/, '');
  const field = fieldInWords(texts, plain);
  return {
    label: name === plain ? texts.filters.is(field) : texts.filters.isNot(field),
    value: valueInWords(words, plain, text),
  };
}

/** `name`: of a field, or of a key of `meta`, as in the address. */
export function fieldInWords(texts: Texts, name: string): string {
  const metaKey = metaKeyOf(name);
  if (metaKey !== undefined) return metaLabel(texts, metaKey);
  const flagNames = Object.fromEntries(FLAGS.map((flag) => [flag, texts.flags[flag].name]));
  const names: Record<string, string> = { ...texts.columns, ...texts.filters.names, ...flagNames };
  return Object.hasOwn(names, name) ? names[name]! : name;
}

export function valueInWords({ texts, regionName, formats }: Words, name: string, value: string): string {
  if (name === 'region') return regionName(value);
  if (name === 'country') return formats.country(value);
  return metaKeyOf(name) === undefined ? value : metaValueInWords(texts, value);
}

/** The filter as one text, for names of buttons. */
export function inWords({ label, value }: FilterInWords): string {
  return value === '' ? label : `${label} ${value}`;
}
