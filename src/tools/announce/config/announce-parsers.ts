/**
 * The parsers of the options of `gsls announce`: services, game servers, and the fields that these announce. As those
 * of option-parsers.ts, they throw an Error whose message completes "<flag> …", and know no option.
 */

import { isIPv6 } from 'node:net';
import { QUERY_KINDS, type QueryKind, type QueryTarget } from '../sources/game-state.ts';
import { continentOf } from '../../../model/country.ts';
import { didYouMean } from '../../../model/did-you-mean.ts';
import { isHarmlessJson } from '../../../model/harmless-json.ts';
import { isClear } from '../../../model/text-rules.ts';
import { isRecord, parseJson } from '../../../model/json.ts';
import {
  DETAIL_FIELDS,
  DETAIL_NAMES,
  type DetailName,
  type Json,
  type SaidDetails,
} from '../../../model/fields/detail-fields.ts';
import { areAmounts, type FieldSchema } from '../../../model/fields/field-schema.ts';
import { parseIp } from '../../../model/net/ip.ts';

export interface Query {
  readonly kind: QueryKind;
  readonly target: QueryTarget;
}

/** The URL of a service, as it was written. Its errors do not repeat it: it may hold a password. */
export function parseServiceUrlOption(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new Error('must be the URL of a service, like https://gsls.example.com');
  if (url.username !== '' || url.password !== '')
    throw new Error('must have no user name and no password in it: a service takes a key, see --key');
  if (url.search !== '' || url.hash !== '') throw new Error('must end with its path: leave out ? and #');
  return text;
}

/** Several in one text are separated by commas; one that is there twice counts once. */
export function parseServiceUrls(texts: readonly string[]): readonly string[] {
  return [
    ...new Set(texts.flatMap((text) => text.split(',')).map((text) => parseServiceUrlOption(text.trim()))),
  ];
}

/** Parses a query such as `a2s 203.0.113.7:27015`. */
export function parseQueryOption(text: string): Query {
  const [, kind = '', address = ''] = /^\s*(\S+)(?:\s+(.*?))?\s*$/.exec(text) ?? [];
  const known = QUERY_KINDS.find((each) => each === kind);
  if (known === undefined)
    throw new Error(
      `must be one of ${QUERY_KINDS.join(', ')}, not "${kind}"${didYouMean(kind, QUERY_KINDS)}`,
    );
  return { kind: known, target: parseTarget(address, known) };
}

function parseTarget(text: string, kind: QueryKind): QueryTarget {
  const { ipv6, name, port } =
    /^(?:\[(?<ipv6>[\da-f:.]+)\]|(?<name>[\w.-]+)):(?<port>\d{1,5})$/i.exec(text)?.groups ?? {};
  const host = ipv6 ?? name;
  if (
    host === undefined ||
    (ipv6 !== undefined && !isIPv6(ipv6)) ||
    Number(port) < 1 ||
    Number(port) > 65_535
  )
    throw new Error(
      `needs the address of the game server behind ${kind}, as in --query ${kind} 127.0.0.1:27015, with its port, and IPv6 in brackets`,
    );
  return { host, port: Number(port) };
}

/** Parses a text that a field of a broadcast may hold. */
export const textOfAtMost = (mostLength: number) => (text: string) => {
  if (text.length <= mostLength && isClear(text)) return text;
  throw new Error(
    `must be a text of 1 to ${mostLength} characters, some of them visible, and none a control or invisible character`,
  );
};

/** Parses `auto` or an address. */
export function parseAnnouncedIp(text: string): string {
  if (text === 'auto') return text;
  const ip = parseIp(text);
  if (ip === undefined) throw new Error(`must be auto, or an IPv4 or IPv6 address, not "${text}"`);
  return ip;
}

export function parseTags(texts: readonly string[]): readonly string[] {
  const tags = texts.flatMap((text) => text.split(',')).map((text) => text.trim());
  const kept = [...new Set(tags.filter((tag) => tag !== ''))];
  return checkDetail('tags', kept) as readonly string[];
}

export function parseMeta(text: string): NonNullable<SaidDetails['meta']> {
  return checkDetail('meta', parseJsonObject(text)) as NonNullable<SaidDetails['meta']>;
}

/** All details, by their names in the API. */
export function parseDetails(text: string): SaidDetails {
  const said = parseJsonObject(text);
  for (const [name, value] of Object.entries(said)) {
    if (!DETAIL_NAMES.includes(name as DetailName))
      throw new Error(
        `has no detail ${JSON.stringify(name)}${didYouMean(name, DETAIL_NAMES) || `; the details are ${DETAIL_NAMES.join(', ')}`}`,
      );
    checkDetail(name as DetailName, value);
  }
  return said;
}

function parseJsonObject(text: string): { readonly [key: string]: Json } {
  const value = parseJson(text);
  if (isRecord(value)) return value as { readonly [key: string]: Json };
  throw new Error('must be a JSON object in quotes of the shell, like \'{"language": "en"}\'');
}

function checkDetail(name: DetailName, value: unknown): unknown {
  if (isDetail(DETAIL_FIELDS[name].rules, value)) return value;
  throw new Error(`must have as ${name} ${DETAIL_FIELDS[name].rules.description}`);
}

function isDetail({ type, format, maxLength, list, json, amounts }: FieldSchema, value: unknown): boolean {
  if (format === 'country') return typeof value === 'string' && continentOf(value) !== undefined;
  if (type === 'string') return typeof value === 'string' && value.length <= maxLength! && isClear(value);
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'object')
    return (
      isRecord(value) &&
      (amounts === undefined || areAmounts(amounts, value)) &&
      (json === undefined ||
        (isHarmlessJson(json.mostLevels, value as Json) &&
          Buffer.byteLength(JSON.stringify(value)) <= json.mostBytes))
    );
  if (!Array.isArray(value) || value.length > list!.maxItems) return false;
  const { items } = list!;
  return value.every((each) => (items.type === 'object' ? isFurtherAddress(each) : isDetail(items, each)));
}

function isFurtherAddress(value: unknown): boolean {
  const { ip, port } = (value ?? {}) as { readonly ip?: unknown; readonly port?: unknown };
  return (
    typeof ip === 'string' &&
    parseIp(ip) !== undefined &&
    Number.isInteger(port) &&
    (port as number) >= 1 &&
    (port as number) <= 65_535
  );
}

/**
 * The words of a command as a person writes it: `PROGRAM ARGS` with simple quotes. No shell reads it, so nothing else
 * is special.
 * Words are parted by spaces. What stands between two `"` or two `'` belongs to one word, spaces and the other kind of
 * quote included. A backslash is a backslash, so that paths of Windows stay what they are.
 */
export function splitCommand(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (const letter of text) {
    if (letter === quote) quote = undefined;
    else if (quote !== undefined) word += letter;
    else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= '';
    } else if (!/\s/.test(letter)) word = (word ?? '') + letter;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (quote !== undefined) throw new Error(`must close its quote ${quote}`);
  if (word !== undefined) words.push(word);
  if (words[0] === undefined || words[0] === '') throw new Error('must name a program');
  if (text.includes('\0')) throw new Error('must not hold a zero byte');
  return words;
}
