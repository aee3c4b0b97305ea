/** Filters in words. */

import { FLAGS } from '../parts/flags.ts';
import type { Texts } from '../texts/en.ts';

export interface FilterInWords {
  readonly label: string;
  /** As a game server may have written it; '' where the label says all. */
  readonly value: string;
}

/** `name`: as in the address, with its `!`. `text`: its value, decoded. */
export function describeFilter(texts: Texts, name: string, text: string): FilterInWords {
  const whole = `${name}=${text}`;
  if (whole === 'full=false') return { label: texts.filters.notFull, value: '' };
  if (whole === 'empty=false') return { label: texts.filters.notEmpty, value: '' };
  const without = FLAGS.find((flag) => whole === `${flag}!=true`);
  if (without !== undefined) return { label: texts.flags[without].without, value: '' };
  const plain = name.replace(/!$/, '');
  const flagNames = Object.fromEntries(FLAGS.map((flag) => [flag, texts.flags[flag].name]));
  const names: Record<string, string> = { ...texts.columns, ...texts.filters.names, ...flagNames };
  const known = Object.hasOwn(names, plain) ? names[plain]! : plain;
  return { label: name === plain ? texts.filters.is(known) : texts.filters.isNot(known), value: text };
}

/** As one text, for names of buttons. */
export function inWords({ label, value }: FilterInWords): string {
  return value === '' ? label : `${label} ${value}`;
}
