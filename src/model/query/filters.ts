/**
 * Filters: which entries a query is about. They are canonical: filters that mean the same have the same text, in
 * whatever order and spelling they were given. A match costs a bounded time, and no text of a client becomes a regular
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

/** What an entry says of a field. Undefined: nothing. */
export type FieldValue = string | number | boolean | readonly string[] | undefined;

/** One thing that can be told of an entry. */
export interface Field<Row> {
  /** Equal names mean equal fields. */
  readonly name: string;
  readonly valueOf: (row: Row) => FieldValue;
}

/** What one field must be: a function of its value alone. */
export interface Condition<Row = ListedGameServer> {
  readonly field: Field<Row>;
  /** How many comparisons with texts a value may take. */
  readonly cost: number;
  readonly holdsFor: (value: FieldValue) => boolean;
}

/** Canonical filters. */
export interface Filters<Row = ListedGameServer> {
  /** As a query string: equal texts mean equal filters. '' for none. */
  readonly text: string;
  /** Whether every entry matches. */
  readonly isEmpty: boolean;
  /** An entry matches if all of them hold. The costliest come last. */
  readonly conditions: readonly Condition<Row>[];
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

/** What a search for a word takes, in comparisons. */
const COST_OF_A_SEARCH = 16;
/** So many texts a value may have, as far as costs go: tags, or what there is under a key of meta. */
const TEXTS_OF_A_LIST = 16;

/** A filter: what it looks at, and how one of its alternatives is read. */
interface Filter<Row> {
  readonly field: Field<Row>;
  readonly parse: Parse<Said>;
  /** Of a value. */
  readonly mostTexts: number;
}

/** With what the name of a filter by a key of `meta` begins. */
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

/** The scalars under a key of `meta`, alone or in a list: of numbers, booleans and null the JSON. */
export function metaValues(
  meta: Readonly<Record<string, unknown>> | undefined,
  key: string,
): readonly string[] {
  if (meta === undefined || !Object.hasOwn(meta, key)) return [];
  const value = meta[key];
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter(isScalar).map(String);
}

/** Undefined if there is no such field. */
function filterOf<Row>(
  { text, texts, number, boolean }: QueryFields<Row>,
  name: string,
): Filter<Row> | undefined {
  if (name === 'ip') return filterBy(name, text[name]!, (raw) => parseText(raw, parseIp));
  if (Object.hasOwn(text, name)) return filterBy(name, text[name]!, parseText);
  if (Object.hasOwn(texts, name)) return filterBy(name, texts[name]!, parseTextAmong, TEXTS_OF_A_LIST);
  if (Object.hasOwn(number, name)) return filterBy(name, number[name]!, parseRange);
  return Object.hasOwn(boolean, name) ? filterBy(name, boolean[name]!, parseBoolean) : undefined;
}

type Said = Exclude<FieldValue, undefined>;

/** `name=a,b`; with `name!`, none of these. An entry that does not say the value matches none of them. */
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
    const parsed = parseCondition(parameter, filter);
    if (typeof parsed === 'string') return parsed;
    this.#conditions.set(parsed.text, parsed.condition);
    return undefined;
  }

  /** Of all that was added. */
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

  /** A word within another one asks for nothing more. */
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
