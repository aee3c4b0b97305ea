/**
 * Filters: which entries a query is about. They are canonical: filters that mean the same have the same text, in
 * whatever order and spelling they were given. A match costs a bounded time, and no text of a client becomes a regular
 * expression.
 */

import type { ListedGameServer } from '../registry/game-server.ts';
import { parseIp } from '../registry/ip.ts';
import type { QueryFields } from './fields.ts';
import { LONGEST_SEARCH, MOST_ALTERNATIVES } from './limits.ts';
import { decode, type RawParameter, type Problem } from './parameters.ts';
import { wordsOf } from './search.ts';

/** Canonical filters. */
export interface Filters<Row = ListedGameServer> {
  /** As a query string: equal texts mean equal filters. '' for none. */
  readonly text: string;
  /** Whether every entry matches. */
  readonly isEmpty: boolean;
  readonly matches: (row: Row) => boolean;
}

/** What filters look at. */
export interface Searched<Row> {
  readonly fields: QueryFields<Row>;
  /** The text that is searched for words (searchedText). */
  readonly searchedTextOf: (row: Row) => string;
  /** The scalars that an entry has under a key of `meta`. */
  readonly metaValuesOf: (row: Row, key: string) => readonly string[];
}

/** One alternative of a parameter, or a whole condition. */
interface Test<T> {
  /** Canonical and percent-encoded. */
  readonly text: string;
  readonly holdsFor: (value: T) => boolean;
}

/** Reads one alternative, which is not decoded yet. */
type Parse<T> = (raw: string) => Test<T> | Problem;

/** With what the name of a filter by a key of `meta` begins. */
export const META = 'meta.';

/** In canonical form; a comma and a star that stand for themselves are encoded. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('*', '%2A');
}

/** `canonical`: of a whole value; undefined if there is none. */
function parseText(
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
  return whole === undefined ? 'no address' : { text: encode(whole), holdsFor: (value) => value === whole };
}

/** A range of numbers, or one number. */
export const RANGE = /^(\d{0,9})(?:\.\.(\d{0,9}))?$/;

function parseRange(raw: string): Test<number> | Problem {
  const [, from, to = from] = RANGE.exec(decode(raw) ?? '') ?? [];
  if (from === undefined || to === undefined || from + to === '') return 'no range';
  const first = from === '' ? 0 : Number(from);
  const last = to === '' ? Infinity : Number(to);
  if (first > last) return 'no range';
  const text = first === last ? `${first}` : `${first}..${last === Infinity ? '' : last}`;
  return { text, holdsFor: (value) => value >= first && value <= last };
}

function parseBoolean(raw: string): Test<boolean> | Problem {
  const text = decode(raw);
  if (text !== 'true' && text !== 'false') return 'no boolean';
  return { text, holdsFor: (value) => String(value) === text };
}

/** One of several texts is enough. */
function parseTextAmong(raw: string): Test<readonly string[]> | Problem {
  const test = parseText(raw);
  if (typeof test === 'string') return test;
  return { text: test.text, holdsFor: (values) => values.some(test.holdsFor) };
}

/** An entry that does not say the value does not match. */
function filterBy<Row, T>(valueOf: (row: Row) => T | undefined, parse: Parse<T>): Parse<Row> {
  return (raw) => {
    const test = parse(raw);
    if (typeof test === 'string') return test;
    const { text, holdsFor } = test;
    const matches = (row: Row): boolean => {
      const value = valueOf(row);
      return value !== undefined && holdsFor(value);
    };
    return { text, holdsFor: matches };
  };
}

/** Undefined if there is no such field. */
function filterOf<Row>(
  { text, texts, number, boolean }: QueryFields<Row>,
  name: string,
): Parse<Row> | undefined {
  if (name === 'ip') return filterBy(text[name]!, (raw) => parseText(raw, parseIp));
  if (Object.hasOwn(text, name)) return filterBy(text[name]!, parseText);
  if (Object.hasOwn(texts, name)) return filterBy(texts[name]!, parseTextAmong);
  if (Object.hasOwn(number, name)) return filterBy(number[name]!, parseRange);
  return Object.hasOwn(boolean, name) ? filterBy(boolean[name]!, parseBoolean) : undefined;
}

type Holds<Row> = Test<Row>['holdsFor'];

function anyOf<Row>(tests: readonly Holds<Row>[]): Holds<Row> {
  if (tests.length === 1) return tests[0]!;
  return (row) => {
    for (const holdsFor of tests) if (holdsFor(row)) return true;
    return false;
  };
}

function allOf<Row>(tests: readonly Holds<Row>[]): Holds<Row> {
  if (tests.length === 1) return tests[0]!;
  return (row) => {
    for (const holdsFor of tests) if (!holdsFor(row)) return false;
    return true;
  };
}

/** `name=a,b`; with `name!`, none of these. */
function parseCondition<Row>({ name, rawValue }: RawParameter, filter: Parse<Row>): Test<Row> | Problem {
  const isNegated = name.endsWith('!');
  const parts = rawValue.split(',', MOST_ALTERNATIVES + 1);
  if (parts.length > MOST_ALTERNATIVES) return 'too many alternatives';
  const alternatives = new Map<string, Holds<Row>>();
  for (const part of parts) {
    const alternative = filter(part);
    if (typeof alternative === 'string') return alternative;
    alternatives.set(alternative.text, alternative.holdsFor);
  }
  const isAny = anyOf([...alternatives.values()]);
  return {
    text: `${encode(name)}=${[...alternatives.keys()].toSorted().join(',')}`,
    holdsFor: isNegated ? (row) => !isAny(row) : isAny,
  };
}

function parseSearch(rawValue: string): readonly string[] | Problem {
  const text = decode(rawValue);
  if (text === undefined) return 'bad escape';
  if (Array.from(text).length > LONGEST_SEARCH) return 'too long';
  const words = wordsOf(text);
  return words.length === 0 ? 'empty' : words;
}

/** Reads filters, parameter by parameter. */
export class FilterReader<Row> {
  readonly #searched: Searched<Row>;
  readonly #conditions = new Map<string, Holds<Row>>();
  readonly #words: string[] = [];

  constructor(searched: Searched<Row>) {
    this.#searched = searched;
  }

  /** Says what is wrong with the parameter: then it is left out. */
  add(parameter: RawParameter): Problem | undefined {
    const { name, rawValue, problem } = parameter;
    if (problem !== undefined) return problem;
    if (name === 'q') {
      const words = parseSearch(rawValue);
      if (typeof words === 'string') return words;
      this.#words.push(...words);
      return undefined;
    }
    const filter = this.#filterOf(name.replace(/!$/, ''));
    if (filter === undefined) return 'unknown';
    const condition = parseCondition(parameter, filter);
    if (typeof condition === 'string') return condition;
    this.#conditions.set(condition.text, condition.holdsFor);
    return undefined;
  }

  /** Of all that was added. */
  get filters(): Filters<Row> {
    const texts = [...this.#conditions.keys()].toSorted();
    const tests = texts.map((text) => this.#conditions.get(text)!);
    if (this.#words.length > 0) {
      // The search comes last: it costs the most.
      const { text, holdsFor } = this.#search();
      texts.push(text);
      tests.push(holdsFor);
    }
    return { text: texts.join('&'), isEmpty: texts.length === 0, matches: allOf(tests) };
  }

  #filterOf(name: string): Parse<Row> | undefined {
    const { fields, metaValuesOf } = this.#searched;
    if (name.startsWith(META) && name.length > META.length)
      return filterBy((row) => metaValuesOf(row, name.slice(META.length)), parseTextAmong);
    return filterOf(fields, name);
  }

  /** A word within another one asks for nothing more. */
  #search(): Test<Row> {
    const all = this.#words;
    const { searchedTextOf } = this.#searched;
    const words = [...new Set(all)]
      .filter((word) => !all.some((other) => other !== word && other.includes(word)))
      .toSorted();
    return {
      text: `q=${encode(words.join(' '))}`,
      holdsFor(row) {
        const text = searchedTextOf(row);
        return words.every((word) => text.includes(word));
      },
    };
  }
}
