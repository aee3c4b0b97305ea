/**
 * The alternatives of a filter: each is one value, the beginning of one, or a range, and says of any value whether it
 * is meant.
 */

import { decode, type Problem } from './parameters.ts';

/** One alternative of a parameter. */
export interface Test<T> {
  /** Canonical and percent-encoded. */
  readonly text: string;
  readonly holdsFor: (value: T) => boolean;
  /** The only value for which it holds, if there is one. */
  readonly only?: T;
}

/** Reads one alternative, which is not decoded yet. */
export type Parse<T> = (raw: string) => Test<T> | Problem;

/** In canonical form; a comma and a star that stand for themselves are encoded. */
export function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('*', '%2A');
}

/** `canonical`: of a whole value; undefined if there is none. */
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

/** A range of numbers, or one number. */
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

/** One of several texts is enough. */
export function parseTextAmong(raw: string): Test<readonly string[]> | Problem {
  const test = parseText(raw);
  if (typeof test === 'string') return test;
  return { text: test.text, holdsFor: (values) => values.some(test.holdsFor) };
}

/** The values that are meant are looked up, however many they are. */
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
