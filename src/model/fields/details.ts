/**
 * The details of one entry. In Redis, in a data file and between the two they are one canonical text, so that later
 * fields change nothing there; only here the text becomes fields. Details are immutable, and equal states of an entry
 * share them.
 */

import {
  DETAIL_FIELDS,
  PROTOCOL_FIELDS,
  type DetailFields,
  type DetailValues,
  type FurtherAddress,
  type Json,
} from './detail-fields.ts';
import { isRecord, parseJson } from '../json.ts';
import { parseIp } from '../net/ip.ts';

const isText = (value: unknown): boolean => typeof value === 'string';

/** Tests values that another program may have written; those from clients are checked where they come in. */
const CHECKS: { readonly [Kind in keyof DetailValues]: (value: unknown) => boolean } = {
  text: isText,
  boolean: (value) => typeof value === 'boolean',
  texts: (value) => Array.isArray(value) && value.every(isText),
  addresses: (value) => Array.isArray(value) && value.every(isAddress),
  latency: (value) => isRecord(value) && Object.values(value).every((each) => typeof each === 'number'),
  json: isRecord,
};

const FIELDS = { ...PROTOCOL_FIELDS, ...DETAIL_FIELDS };
const NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** The fields whose keys are sorted, so that equal values have equal texts. */
const SORTED: ReadonlySet<string> = new Set(
  NAMES.filter((name) => FIELDS[name].kind === 'json' || FIELDS[name].kind === 'latency'),
);

/** The fields that are always shown: `meta` is shown on request, and those without a meaning are for GSLS alone. */
const SHOWN: ReadonlySet<string> = new Set(
  NAMES.filter((name) => name !== 'meta' && 'meaning' in FIELDS[name]),
);

function isSound([name, value]: [string, unknown]): boolean {
  return Object.hasOwn(FIELDS, name) && CHECKS[FIELDS[name as keyof typeof FIELDS].kind](value);
}

function isAddress(value: unknown): boolean {
  const { ip, port } = (value ?? {}) as Partial<FurtherAddress>;
  return typeof ip === 'string' && parseIp(ip) === ip && Number.isInteger(port);
}

export class Details {
  /** A canonical text: equal texts mean equal details. '' if there are none. */
  readonly text: string;
  #fields: DetailFields | undefined;
  #members: string | undefined;

  /** `fields`: the content of the text, if it was read already. */
  constructor(text: string, fields?: DetailFields) {
    this.text = text;
    this.#fields = fields;
  }

  /** The details of valid fields. An empty list or object counts as absent. */
  static of(fields: DetailFields): Details {
    const said: Record<string, Json> = {};
    for (const name of NAMES) {
      const value = fields[name];
      if (value !== undefined && !isEmpty(value))
        said[name] = SORTED.has(name) ? sorted(value as Json) : (value as Json);
    }
    const text = JSON.stringify(said);
    return text === '{}' ? NO_DETAILS : new Details(text, said);
  }

  /** The details of a text that of() made. A value that another program has put in place counts as absent. */
  static parse(text: string): Details {
    return text === '' ? NO_DETAILS : new Details(text);
  }

  /**
   * The fields, which are read when first needed: a replica that joins would spend a tenth of its CPU time on them, and
   * the garbage collector visits every object that they consist of.
   */
  get fields(): DetailFields {
    this.#fields ??= fieldsIn(this.text);
    return this.#fields;
  }

  /**
   * The details with the country that was found by the address, in place of one that was found before; undefined for
   * none. What the game server itself says of its country stays.
   */
  withFound(country: string | undefined): Details {
    const { fields } = this;
    if (fields.country === country || (fields.country !== undefined && !fields.country_found)) return this;
    const { country: _country, country_found: _isFound, ...others } = fields;
    return Details.of(country === undefined ? others : { ...others, country, country_found: true });
  }

  /** Whether another protocol set them. Its name comes first in the text, which need not be read for that. */
  get areOfProtocol(): boolean {
    return this.text.startsWith('{"protocol":');
  }

  /** The members of a JSON object that show the details except meta, each with a comma before it. */
  get members(): string {
    if (this.#members === undefined) {
      const shown = Object.entries(this.fields).filter(([name]) => SHOWN.has(name));
      const json = JSON.stringify(Object.fromEntries(shown));
      this.#members = json === '{}' ? '' : `,${json.slice(1, -1)}`;
    }
    return this.#members;
  }
}

/** The details of a game server that sends none. */
export const NO_DETAILS: Details = new Details('', {});

function fieldsIn(text: string): DetailFields {
  const value = parseJson(text);
  if (!isRecord(value)) return {};
  const entries = Object.entries(value);
  return entries.every(isSound) ? value : Object.fromEntries(entries.filter(isSound));
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value as object).length === 0;
}

/** The value with the keys of all its objects in order. */
function sorted(value: Json): Json {
  if (typeof value !== 'object' || value === null || isFlatAndSorted(value)) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).map(([key, each]): [string, Json] => [key, sorted(each)]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether nothing in the object needs sorting. That holds for most, at each ping, and saves a copy. */
function isFlatAndSorted(value: object): boolean {
  let before = '';
  for (const [key, each] of Object.entries(value)) {
    if (typeof each === 'object' || key < before) return false;
    before = key;
  }
  return true;
}
