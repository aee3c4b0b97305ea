/**
 * Filters: which entries a query is about. They are canonical: filters that mean the same have the same text, in
 * whatever order and spelling they were given. A match costs a bounded time, and no text of a client becomes a regular
 * expression.
 */

import type { Json } from '../registry/details.ts';
import type { ListedGameServer } from '../registry/game-server.ts';
import { parseIp } from '../registry/ip.ts';
import { BOOLEAN_FIELDS, NUMBER_FIELDS, TEXT_FIELDS } from './fields.ts';
import {
  Complaints,
  decode,
  MOST_ALTERNATIVES,
  readParameters,
  splitQuery,
  Wrong,
  type Parameter,
  type ParameterDescription,
  type SingleParameters,
} from './parameters.ts';
import { searchTextOf, wordsOf } from './search.ts';

/** Canonical filters. */
export interface Filters {
  /** As a query string: equal texts mean equal filters. '' for none. */
  readonly text: string;
  /** Whether every entry matches. */
  readonly isEmpty: boolean;
  matches(row: ListedGameServer): boolean;
}

/** One alternative of a parameter, or a whole condition. */
interface Test<T> {
  /** Canonical and percent-encoded. */
  readonly text: string;
  readonly holdsFor: (value: T) => boolean;
}

/** Reads one alternative, which is not decoded yet. */
type Parse<T> = (raw: string) => Test<T> | Wrong;

type Condition = Test<ListedGameServer>;
type Filter = Parse<ListedGameServer>;

export const LONGEST_SEARCH = 64;
const BAD_ESCAPE = new Wrong('has an escape that is not valid');
const EMPTY = new Wrong('must not be empty: leave it out, or name a value');

/** In canonical form; a comma and a star that stand for themselves are encoded. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('*', '%2A');
}

/** `canonical`: of a whole value; Wrong if there is none. */
function parseText(
  raw: string,
  canonical: (text: string) => string | Wrong = (text) => text,
): Test<string> | Wrong {
  const isPrefix = raw.endsWith('*');
  const rawText = isPrefix ? raw.slice(0, -1) : raw;
  if (raw === '') return EMPTY;
  if (rawText.includes('*'))
    return new Wrong('may have a * only at the end of a value; %2A is the character');
  const decoded = decode(rawText);
  if (decoded === undefined) return BAD_ESCAPE;
  if (isPrefix) return { text: `${encode(decoded)}*`, holdsFor: (value) => value.startsWith(decoded) };
  const whole = canonical(decoded);
  return whole instanceof Wrong ? whole : { text: encode(whole), holdsFor: (value) => value === whole };
}

function canonicalAddress(text: string): string | Wrong {
  return parseIp(text) ?? new Wrong('must be an IPv4 or IPv6 address, or the beginning of one and a *');
}

const RANGE = /^(\d{0,9})(?:\.\.(\d{0,9}))?$/;

function parseRange(raw: string): Test<number> | Wrong {
  const wrong = new Wrong('must be a number or a range like 5, 1.., ..10 or 4..16');
  const [, from, to = from] = RANGE.exec(decode(raw) ?? '') ?? [];
  if (from === undefined || to === undefined || from + to === '') return wrong;
  const first = from === '' ? 0 : Number(from);
  const last = to === '' ? Infinity : Number(to);
  if (first > last) return wrong;
  const text = first === last ? `${first}` : `${first}..${last === Infinity ? '' : last}`;
  return { text, holdsFor: (value) => value >= first && value <= last };
}

function parseBoolean(raw: string): Test<boolean> | Wrong {
  const text = decode(raw);
  if (text !== 'true' && text !== 'false') return new Wrong('must be true or false');
  return { text, holdsFor: (value) => String(value) === text };
}

/** An entry that does not say the value does not match. */
function filterBy<T>(valueOf: (row: ListedGameServer) => T | undefined, parse: Parse<T>): Filter {
  return (raw) => {
    const test = parse(raw);
    if (test instanceof Wrong) return test;
    const { text, holdsFor } = test;
    const matches = (row: ListedGameServer): boolean => {
      const value = valueOf(row);
      return value !== undefined && holdsFor(value);
    };
    return { text, holdsFor: matches };
  };
}

/** One of several values is enough. */
function filterByAny(valuesOf: (row: ListedGameServer) => readonly string[] | undefined): Filter {
  return (raw) => {
    const test = parseText(raw);
    if (test instanceof Wrong) return test;
    const { text, holdsFor } = test;
    return { text, holdsFor: (row) => valuesOf(row)?.some(holdsFor) === true };
  };
}

interface FilterParameter extends ParameterDescription {
  readonly filter: Filter;
}

/** The filters by such fields, by name. */
function filtersBy<T>(
  fields: Readonly<Record<string, (row: ListedGameServer) => T | undefined>>,
  parse: Parse<T>,
  about: ParameterDescription,
): readonly (readonly [name: string, filter: FilterParameter])[] {
  return Object.entries(fields).map(([name, valueOf]) => [
    name,
    { ...about, filter: filterBy(valueOf, parse) },
  ]);
}

const A_TEXT = {
  description: 'This very text, or with a `*` at its end each text that begins so.',
  schema: { type: 'string', minLength: 1 },
};
const A_RANGE = {
  description: 'A number or a range: `5`, `1..`, `..10`, `4..16`.',
  schema: { type: 'string', minLength: 1, pattern: RANGE.source },
};
const A_BOOLEAN = { description: '`true` or `false`.', schema: { type: 'boolean' } };

/** By name. Each takes several alternatives, and each name may have a ! behind it. */
export const FILTERS: ReadonlyMap<string, FilterParameter> = new Map([
  ...filtersBy<string>(TEXT_FIELDS, parseText, A_TEXT),
  [
    'ip',
    {
      description: 'This address, in any of its forms, or the beginning of one and a `*`.',
      schema: A_TEXT.schema,
      filter: filterBy(TEXT_FIELDS['ip']!, (raw) => parseText(raw, canonicalAddress)),
    },
  ],
  ['tags', { ...A_TEXT, filter: filterByAny((row) => row.details.fields.tags) }],
  ...filtersBy<number>(NUMBER_FIELDS, parseRange, A_RANGE),
  ...filtersBy<boolean>(BOOLEAN_FIELDS, parseBoolean, A_BOOLEAN),
]);

/** The search for words, which is no list of alternatives. */
export const SEARCH: ParameterDescription = {
  description:
    'All these words, in `name`, `map`, `mode` and `tags`. Parts of words do; case and accents do not count.',
  schema: { type: 'string', minLength: 1, maxLength: LONGEST_SEARCH },
};

/** With what the name of a filter by a key of `meta` begins. */
export const META = 'meta.';
const NAMES = [...FILTERS.keys(), 'q'];

/** The scalars that an entry has under a key of meta: of numbers, booleans and null the JSON. */
function metaValues({ details }: ListedGameServer, key: string): readonly string[] {
  const { meta } = details.fields;
  if (meta === undefined || !Object.hasOwn(meta, key)) return [];
  const value = meta[key]!;
  const all = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return all.flatMap((each) => (typeof each === 'object' && each !== null ? [] : [String(each)]));
}

function filterOf(name: string): Filter | undefined {
  const isMeta = name.startsWith(META) && name.length > META.length;
  return isMeta ? filterByAny((row) => metaValues(row, name.slice(META.length))) : FILTERS.get(name)?.filter;
}

type Holds = Condition['holdsFor'];

function anyOf(tests: readonly Holds[]): Holds {
  if (tests.length === 1) return tests[0]!;
  return (row) => {
    for (const holdsFor of tests) if (holdsFor(row)) return true;
    return false;
  };
}

function allOf(tests: readonly Holds[]): Holds {
  if (tests.length === 1) return tests[0]!;
  return (row) => {
    for (const holdsFor of tests) if (!holdsFor(row)) return false;
    return true;
  };
}

/** `name=a,b`; with `name!`, none of these. */
function parseCondition({ name, rawValue }: Parameter, filter: Filter): Condition | Wrong {
  const isNegated = name.endsWith('!');
  const parts = rawValue.split(',', MOST_ALTERNATIVES + 1);
  if (parts.length > MOST_ALTERNATIVES) return new Wrong(`has more than ${MOST_ALTERNATIVES} alternatives`);
  const alternatives = new Map<string, Holds>();
  for (const part of parts) {
    const alternative = filter(part);
    if (alternative instanceof Wrong) return alternative;
    alternatives.set(alternative.text, alternative.holdsFor);
  }
  const isAny = anyOf([...alternatives.values()]);
  return {
    text: `${encode(name)}=${[...alternatives.keys()].toSorted().join(',')}`,
    holdsFor: isNegated ? (row) => !isAny(row) : isAny,
  };
}

function parseSearch(rawValue: string): readonly string[] | Wrong {
  const text = decode(rawValue);
  if (text === undefined) return BAD_ESCAPE;
  if (Array.from(text).length > LONGEST_SEARCH)
    return new Wrong(`must have at most ${LONGEST_SEARCH} characters`);
  const words = wordsOf(text);
  return words.length === 0 ? EMPTY : words;
}

/** A word within another one asks for nothing more. */
function searchFor(all: readonly string[]): Condition {
  const words = [...new Set(all)]
    .filter((word) => !all.some((other) => other !== word && other.includes(word)))
    .toSorted();
  return {
    text: `q=${encode(words.join(' '))}`,
    holdsFor(row) {
      const text = searchTextOf(row);
      return words.every((word) => text.includes(word));
    },
  };
}

function filtersOf(conditions: ReadonlyMap<string, Condition>, words: readonly string[]): Filters {
  // The search comes last: it costs the most.
  const all = [...conditions.values()].toSorted((a, b) => (a.text < b.text ? -1 : 1));
  if (words.length > 0) all.push(searchFor(words));
  return {
    text: all.map(({ text }) => text).join('&'),
    isEmpty: all.length === 0,
    matches: allOf(all.map(({ holdsFor }) => holdsFor)),
  };
}

/**
 * Reads a raw query string, without its `?`, that holds filters and such further parameters. Throws a ServiceError
 * `invalid_query` that names every wrong parameter.
 */
export function parseQuery<T extends object = object>(
  text: string,
  further: SingleParameters<T> = {} as SingleParameters<T>,
): { readonly filters: Filters; readonly further: Partial<T> } {
  const complaints = new Complaints();
  const names = [...NAMES, ...Object.keys(further)];
  const conditions = new Map<string, Condition>();
  const words: string[] = [];
  const values = readParameters(splitQuery(text, complaints), further, complaints, (parameter) => {
    const { name, rawValue } = parameter;
    if (name === 'q') {
      const found = parseSearch(rawValue);
      if (found instanceof Wrong) complaints.add(name, found.message);
      else words.push(...found);
      return;
    }
    const filter = filterOf(name.replace(/!$/, ''));
    if (filter === undefined) return complaints.addUnknown(name, names);
    const condition = parseCondition(parameter, filter);
    if (condition instanceof Wrong) complaints.add(name, condition.message);
    else conditions.set(condition.text, condition);
  });
  complaints.throwIfAny();
  return { filters: filtersOf(conditions, words), further: values };
}

/** The same for a query without filters. */
export function parseParameters<T extends object>(text: string, table: SingleParameters<T>): Partial<T> {
  const complaints = new Complaints();
  const values = readParameters(splitQuery(text, complaints), table, complaints, ({ name }) =>
    complaints.addUnknown(name, Object.keys(table)),
  );
  complaints.throwIfAny();
  return values;
}
