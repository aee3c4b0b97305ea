/** The alternatives of a filter: each is a value, the beginning of one, or a range, and tests any value. */

import { decode, type Problem } from './parameters.ts';

/** One alternative of a filter. */
export interface Test<T> {
  /** A canonical, percent-encoded text. */
  readonly text: string;
  readonly holdsFor: (value: T) => boolean;
  /** The only value for which it holds, if there is just one. */
  readonly only?: T;
}

/** Parses one alternative, which is still percent-encoded. */
export type Parse<T> = (raw: string) => Test<T> | Problem;

/** The text in canonical, percent-encoded form. A comma or a star in it is encoded, as it stands for itself. */
export function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('*', '%2A');
}

/** `canonical`: returns the canonical form of a whole value; undefined if it has none. */
export function parseText(
  raw: string,
  canonical: (text: string) => string | undefined = (text) => text,
): Test<string> | Problem {
  const isPrefix = raw.endsWith('*');
  const rawText = isPrefix ? raw.slice(0, -1) : raw;
  if (raw === '') return 'empty';
  if (rawText.includes('*')) return 'star within';
  const decoded = decode(rawText);
  if (decoded === undefined) return 'bad escape';
  if (isPrefix) return { text: `${encode(decoded)}*`, holdsFor: (value) => value.startsWith(decoded) };
  const whole = canonical(decoded);
  return whole === undefined
    ? 'no address'
    : { text: encode(whole), only: whole, holdsFor: (value) => value === whole };
}

/** A number, or a range of numbers. */
export const RANGE = /^(\d{0,9})(?:\.\.(\d{0,9}))?$/;

export function parseRange(raw: string): Test<number> | Problem {
  const [, from, to = from] = RANGE.exec(decode(raw) ?? '') ?? [];
  if (from === undefined || to === undefined || from + to === '') return 'no range';
  const first = from === '' ? 0 : Number(from);
  const last = to === '' ? Infinity : Number(to);
  if (first > last) return 'no range';
  const text = first === last ? `${first}` : `${first}..${last === Infinity ? '' : last}`;
  return { text, holdsFor: (value) => value >= first && value <= last };
}

export function parseBoolean(raw: string): Test<boolean> | Problem {
  const text = decode(raw);
  if (text !== 'true' && text !== 'false') return 'no boolean';
  return { text, holdsFor: (value) => String(value) === text };
}

/** The test holds if one of several texts is the alternative. */
export function parseTextAmong(raw: string): Test<readonly string[]> | Problem {
  const test = parseText(raw);
  if (typeof test === 'string') return test;
  return { text: test.text, holdsFor: (values) => values.some(test.holdsFor) };
}

/** A test for any of these alternatives. Single values are looked up, however many there are. */
export function anyOf<T>(tests: readonly Test<T>[]): Test<T>['holdsFor'] {
  if (tests.length === 1) return tests[0]!.holdsFor;
  const meant = new Set<unknown>(tests.map(({ only }) => only));
  const others = tests.filter(({ only }) => only === undefined);
  return (value) => {
    if (meant.has(value)) return true;
    for (const { holdsFor } of others) if (holdsFor(value)) return true;
    return false;
  };
}
