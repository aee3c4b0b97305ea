/**
 * The details of one entry. In Redis, in a data file and between the two they are one canonical text, so that later
 * fields change nothing there; only here they have fields. Immutable, and shared by all states of an entry that say the
 * same.
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

/** Whether another program may have written a value; what clients may send is checked where it comes in. */
const CHECKS: { readonly [Kind in keyof DetailValues]: (value: unknown) => boolean } = {
  text: isText,
  boolean: (value) => typeof value === 'boolean',
  texts: (value) => Array.isArray(value) && value.every(isText),
  addresses: (value) => Array.isArray(value) && value.every(isAddress),
  json: isRecord,
};

const FIELDS = { ...PROTOCOL_FIELDS, ...DETAIL_FIELDS };
const NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** Those in which every key is in order, so that equal values have equal texts. */
const SORTED: ReadonlySet<string> = new Set(NAMES.filter((name) => FIELDS[name].kind === 'json'));

/** Beside `meta`, which is shown where it is asked for, those without a meaning are for GSLS alone. */
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
  /** Canonical: equal texts mean equal details. '' for none. */
  readonly text: string;
  #fields: DetailFields | undefined;
  #members: string | undefined;

  /** `fields`: what the text says, if it has been read. */
  constructor(text: string, fields?: DetailFields) {
    this.text = text;
    this.#fields = fields;
  }

  /** The details of valid fields; an empty list or object counts as not said. */
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

  /** Of a text that of() made. What another program has put in its place counts as not said. */
  static parse(text: string): Details {
    return text === '' ? NO_DETAILS : new Details(text);
  }

  /**
   * Read when they are first asked for: a replica that joins would spend a tenth of its CPU on them, and the garbage
   * collector goes through every object that they are made of.
   */
  get fields(): DetailFields {
    this.#fields ??= fieldsIn(this.text);
    return this.#fields;
  }

  /** Whether a protocol has said them: told without reading the text, in which its name comes first. */
  get areOfProtocol(): boolean {
    return this.text.startsWith('{"protocol":');
  }

  /** The members of a JSON object that show the details, but for meta: each with a comma before it. */
  get members(): string {
    if (this.#members === undefined) {
      const shown = Object.entries(this.fields).filter(([name]) => SHOWN.has(name));
      const json = JSON.stringify(Object.fromEntries(shown));
      this.#members = json === '{}' ? '' : `,${json.slice(1, -1)}`;
    }
    return this.#members;
  }
}

/** Those of a game server that says nothing more. */
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

/** With the keys of all objects in order. */
function sorted(value: Json): Json {
  if (typeof value !== 'object' || value === null || isFlatAndSorted(value)) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).map(([key, each]): [string, Json] => [key, sorted(each)]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether nothing in the object is to be sorted: that is so for most, at each ping, and costs no copy. */
function isFlatAndSorted(value: object): boolean {
  let before = '';
  for (const [key, each] of Object.entries(value)) {
    if (typeof each === 'object' || key < before) return false;
    before = key;
  }
  return true;
}
