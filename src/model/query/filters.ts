/**
 * Filters: the entries that a query is about. They are canonical: filters that mean the same have the same text, in
 * whatever order and spelling they came. Matching takes bounded time, and no client's text becomes a regular
 * expression.
 */

import type { ListedGameServer } from '../game-server.ts';
import { parseIp } from '../net/ip.ts';
import {
  anyOf,
  encode,
  parseBoolean,
  parseRange,
  parseText,
  parseTextAmong,
  type Parse,
  type Test,
} from './alternatives.ts';
import type { QueryFields } from './fields.ts';
import { LONGEST_SEARCH, MOST_ALTERNATIVES } from './limits.ts';
import { decode, type RawParameter, type Problem } from './parameters.ts';
import { wordsOf } from './search.ts';

/** The value of a field in an entry; undefined if the entry has none. */
export type FieldValue = string | number | boolean | readonly string[] | Uint16Array | undefined;

/** A fact about entries that a condition can test. */
export interface Field<Row> {
  /** Equal names mean equal fields, except for those that are worked out from others. */
  readonly name: string;
  readonly valueOf: ValueOf<Row>;
}

export interface DerivedFrom<Row> {
  readonly field: Field<Row>;
  /** `most`: a number above it may be any that is above it. */
  readonly derive: (value: FieldValue, most?: number) => FieldValue;
}

export interface ValueOf<Row> {
  (row: Row): FieldValue;
  /** The field whose values these are worked out from, where they are for one query alone. */
  readonly from?: DerivedFrom<Row>;
}

/** A condition for one field, which depends on its value alone. */
export interface Condition<Row = ListedGameServer> {
  readonly field: Field<Row>;
  /** How many text comparisons the condition may need for a value. */
  readonly cost: number;
  readonly holdsFor: (value: FieldValue) => boolean;
}

export interface Filters<Row = ListedGameServer> {
  /** The filters as a query string: equal texts mean equal filters. '' if there are none. */
  readonly text: string;
  /** Whether every entry matches. */
  readonly isEmpty: boolean;
  /** An entry matches if all conditions hold. The costliest come last. */
  readonly conditions: readonly Condition<Row>[];
  readonly matches: (row: Row) => boolean;
}

/** The functions by which filters read entries. */
export interface Searched<Row> {
  readonly fields: QueryFields<Row>;
  /** The text in which words are searched (searchedText). */
  readonly searchedTextOf: (row: Row) => string;
  /** The scalars that an entry has under a key of `meta`. */
  readonly metaValuesOf: (row: Row, key: string) => readonly string[];
}

/** The cost of a search for a word, in comparisons. */
const COST_OF_A_SEARCH = 16;
/** How many texts a list value has when its cost is computed: tags, or the texts under a key of meta. */
const TEXTS_OF_A_LIST = 16;

/** A filter: the field that it reads, and the parser of its alternatives. */
interface Filter<Row> {
  readonly field: Field<Row>;
  readonly parse: Parse<Said>;
  /** The most texts of a value. */
  readonly mostTexts: number;
}

/** The beginning of the name of a filter by a key of `meta`. */
export const META = 'meta.';

function filterBy<Row, T extends FieldValue>(
  name: string,
  valueOf: (row: Row) => T | undefined,
  parse: Parse<T>,
  mostTexts = 1,
): Filter<Row> {
  return { field: { name, valueOf }, parse: parse as unknown as Filter<Row>['parse'], mostTexts };
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** The scalars under a key of `meta`, single or in a list. Numbers, booleans and null are given as JSON. */
export function metaValues(
  meta: Readonly<Record<string, unknown>> | undefined,
  key: string,
): readonly string[] {
  if (meta === undefined || !Object.hasOwn(meta, key)) return [];
  const value = meta[key];
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter(isScalar).map(String);
}

/** The filter by this name; undefined if there is no such field. */
function filterOf<Row>(
  { text, texts, number, boolean }: QueryFields<Row>,
  name: string,
): Filter<Row> | undefined {
  if (name === 'ip') return filterBy(name, text[name]!, (raw) => parseText(raw, parseIp));
  if (name === 'country') return filterBy(name, text[name], (raw) => parseText(raw.toUpperCase()));
  if (Object.hasOwn(text, name)) return filterBy(name, text[name]!, parseText);
  if (Object.hasOwn(texts, name)) return filterBy(name, texts[name]!, parseTextAmong, TEXTS_OF_A_LIST);
  if (Object.hasOwn(number, name)) return filterBy(name, number[name]!, parseRange);
  return Object.hasOwn(boolean, name) ? filterBy(name, boolean[name]!, parseBoolean) : undefined;
}

type Said = Exclude<FieldValue, undefined>;

/** Parses `name=a,b`, or `name!=a,b` for none of these. An entry without the value matches no alternative. */
function parseCondition<Row>(
  { name, rawValue }: RawParameter,
  { field, mostTexts, parse }: Filter<Row>,
): { readonly text: string; readonly condition: Condition<Row> } | Problem {
  const isNegated = name.endsWith('!');
  const parts = rawValue.split(',', MOST_ALTERNATIVES + 1);
  if (parts.length > MOST_ALTERNATIVES) return 'too many alternatives';
  const alternatives = new Map<string, Test<Said>>();
  for (const part of parts) {
    const alternative = parse(part);
    if (typeof alternative === 'string') return alternative;
    alternatives.set(alternative.text, alternative);
  }
  const isAny = anyOf([...alternatives.values()]);
  return {
    text: `${encode(name)}=${[...alternatives.keys()].toSorted().join(',')}`,
    condition: {
      field,
      cost: alternatives.size * mostTexts,
      holdsFor: (value) => (value !== undefined && isAny(value)) !== isNegated,
    },
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
  readonly #conditions = new Map<string, Condition<Row>>();
  readonly #words: string[] = [];

  constructor(searched: Searched<Row>) {
    this.#searched = searched;
  }

  /** Adds the filter of a parameter, or returns the problem and leaves the parameter out. */
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
    const parsed = parseCondition(parameter, filter);
    if (typeof parsed === 'string') return parsed;
    this.#conditions.set(parsed.text, parsed.condition);
    return undefined;
  }

  /** The filters from all parameters so far. */
  get filters(): Filters<Row> {
    const texts = [...this.#conditions.keys()].toSorted();
    const conditions = texts.map((text) => this.#conditions.get(text)!);
    if (this.#words.length > 0) {
      const words = this.#searchedWords();
      texts.push(`q=${encode(words.join(' '))}`);
      conditions.push(search(words, this.#searched.searchedTextOf));
    }
    return { text: texts.join('&'), isEmpty: texts.length === 0, conditions, matches: allOf(conditions) };
  }

  #filterOf(name: string): Filter<Row> | undefined {
    const { fields, metaValuesOf } = this.#searched;
    if (!name.startsWith(META) || name.length === META.length) return filterOf(fields, name);
    const key = name.slice(META.length);
    return filterBy(name, (row) => metaValuesOf(row, key), parseTextAmong, TEXTS_OF_A_LIST);
  }

  /** The distinct words. A word that is a part of another one adds nothing, and is dropped. */
  #searchedWords(): readonly string[] {
    const all = this.#words;
    return [...new Set(all)]
      .filter((word) => !all.some((other) => other !== word && other.includes(word)))
      .toSorted();
  }
}

function search<Row>(words: readonly string[], searchedTextOf: (row: Row) => string): Condition<Row> {
  return {
    field: { name: 'q', valueOf: searchedTextOf },
    cost: words.length * COST_OF_A_SEARCH,
    holdsFor: (text) => words.every((word) => (text as string).includes(word)),
  };
}

function allOf<Row>(conditions: readonly Condition<Row>[]): (row: Row) => boolean {
  return (row) => {
    for (const { field, holdsFor } of conditions) if (!holdsFor(field.valueOf(row))) return false;
    return true;
  };
}
