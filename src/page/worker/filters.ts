/**
 * The filters of `GET /servers`, read and applied here: what is in the list can be filtered during an outage, and
 * without a request. What a game server says under `meta` is not in the list, and is left to the service.
 */

import type { ListedServer as GameServer } from '../connection/messages.ts';
import { LONGEST_SEARCH, MOST_ALTERNATIVES, MOST_PARAMETERS } from '../address/query-limits.ts';
import { canonicalIp } from './ip.ts';
import { wordsOf } from './search.ts';

/** What the filters look at. */
export interface Searchable {
  readonly server: GameServer;
  /** What is searched for words, folded. */
  readonly searchText: string;
}

export interface Filters {
  readonly matches: (entry: Searchable) => boolean;
  /** The parameters that are right, as a raw query string. */
  readonly text: string;
  /** Those of them that only the service can tell. */
  readonly metaText: string;
  /** The names of the parameters that are wrong, which are left out. */
  readonly wrongNames: readonly string[];
}

type Test<T> = (value: T) => boolean;
type Condition = Test<Searchable>;
/** Reads one alternative, which is not decoded yet. Undefined for one that is wrong. */
type Parse<T> = (raw: string) => Test<T> | undefined;

const RANGE = /^(\d{0,9})(?:\.\.(\d{0,9}))?$/;

/** Undefined for an escape that is not UTF-8, or not complete. A plus sign is a space. */
function decode(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** `canonical`: of a whole value; undefined if there is none. */
function parseText(
  raw: string,
  canonical: (text: string) => string | undefined = (text) => text,
): Test<string> | undefined {
  const isPrefix = raw.endsWith('*');
  const rawText = isPrefix ? raw.slice(0, -1) : raw;
  const decoded = raw === '' || rawText.includes('*') ? undefined : decode(rawText);
  if (decoded === undefined) return undefined;
  if (isPrefix) return (value) => value.startsWith(decoded);
  const whole = canonical(decoded);
  return whole === undefined ? undefined : (value) => value === whole;
}

function parseRange(raw: string): Test<number> | undefined {
  const [, from, to = from] = RANGE.exec(decode(raw) ?? '') ?? [];
  if (from === undefined || to === undefined || from + to === '') return undefined;
  const first = from === '' ? 0 : Number(from);
  const last = to === '' ? Infinity : Number(to);
  return first > last ? undefined : (value) => value >= first && value <= last;
}

function parseBoolean(raw: string): Test<boolean> | undefined {
  const text = decode(raw);
  return text === 'true' || text === 'false' ? (value) => String(value) === text : undefined;
}

/** A game server that does not say the value does not match. */
function filterBy<T>(valueOf: (server: GameServer) => T | undefined, parse: Parse<T>): Parse<Searchable> {
  return (raw) => {
    const holdsFor = parse(raw);
    if (holdsFor === undefined) return undefined;
    return ({ server }) => {
      const value = valueOf(server);
      return value !== undefined && holdsFor(value);
    };
  };
}

/** One of several values is enough. */
function filterByTag(raw: string): Condition | undefined {
  const holdsFor = parseText(raw);
  return holdsFor && (({ server }) => server.tags?.some(holdsFor) === true);
}

const FILTERS: ReadonlyMap<string, Parse<Searchable>> = new Map([
  ...(['id', 'host', 'name', 'map', 'mode', 'version', 'region'] as const).map(
    (name) => [name, filterBy((server) => server[name], parseText)] as const,
  ),
  [
    'ip',
    filterBy(
      ({ ip }) => ip,
      (raw) => parseText(raw, canonicalIp),
    ),
  ],
  ['tags', filterByTag],
  ['players', filterBy(({ players }) => players, parseRange)],
  ['max_players', filterBy((server) => server.max_players, parseRange)],
  ['free', filterBy((server) => Math.max(0, server.max_players - server.players), parseRange)],
  ['password', filterBy(({ password }) => password, parseBoolean)],
  ['full', filterBy((server) => server.players >= server.max_players, parseBoolean)],
  ['empty', filterBy(({ players }) => players === 0, parseBoolean)],
] as const);

/** What only the service can tell is checked, and holds for each server here. */
const checkMeta: Parse<Searchable> = (raw) => parseText(raw) && (() => true);

function isMeta(name: string): boolean {
  return /^meta\.(?!!?$)/.test(name);
}

/** `name=a,b`; with `name!`, none of these. */
function parseCondition(name: string, rawValue: string): Condition | undefined {
  const parse = isMeta(name) ? checkMeta : FILTERS.get(name.replace(/!$/, ''));
  const parts = rawValue.split(',', MOST_ALTERNATIVES + 1);
  if (parse === undefined || parts.length > MOST_ALTERNATIVES) return undefined;
  const tests = parts.map((part) => parse(part)).filter((test) => test !== undefined);
  if (tests.length < parts.length) return undefined;
  const [first] = tests;
  const isAny: Condition = tests.length === 1 ? first! : (entry) => tests.some((holdsFor) => holdsFor(entry));
  return name.endsWith('!') && !isMeta(name) ? (entry) => !isAny(entry) : isAny;
}

function parseSearch(rawValue: string): Condition | undefined {
  const text = decode(rawValue);
  if (text === undefined || Array.from(text).length > LONGEST_SEARCH) return undefined;
  const words = wordsOf(text);
  if (words.length === 0) return undefined;
  return ({ searchText }) => words.every((word) => searchText.includes(word));
}

/** Reads a raw query string without its `?`. Never throws: what is wrong is left out, and named. */
export function parseFilters(raw: string): Filters {
  const conditions: Condition[] = [];
  const searches: Condition[] = [];
  const right: string[] = [];
  const meta: string[] = [];
  const wrongNames = new Set<string>();
  for (const [index, pair] of raw
    .split('&')
    .filter((each) => each !== '')
    .entries()) {
    const [rawName = '', rawValue = ''] = pair.split(/=(.*)/s);
    const name = decode(rawName);
    const isSearch = name === 'q';
    const condition =
      name === undefined || index >= MOST_PARAMETERS
        ? undefined
        : isSearch
          ? parseSearch(rawValue)
          : parseCondition(name, rawValue);
    if (name === undefined || condition === undefined) {
      wrongNames.add(name ?? rawName);
      continue;
    }
    right.push(pair);
    if (isMeta(name)) meta.push(pair);
    else (isSearch ? searches : conditions).push(condition);
  }
  // The search comes last: it costs the most.
  const all = [...conditions, ...searches];
  return {
    matches: (entry) => all.every((holdsFor) => holdsFor(entry)),
    text: right.join('&'),
    metaText: meta.join('&'),
    wrongNames: [...wrongNames],
  };
}
