/**
 * The form of an announcement of a Luanti server, and the accepted values. The rules are those of
 * luanti-org/serverlist, server.py (announce, checkRequestSchema, checkRequest), made stricter for values that clients
 * cannot read: one such value costs a client the whole list. This file knows no entry, and no network.
 */

import { isDeepStrictEqual } from 'node:util';
import { isRecord, parseJson } from '../../model/json.ts';
import type { Values } from '../json-document.ts';

/** The answer to a game server, whose log shows the text if the status is 400 or more. */
export interface LuantiReply {
  readonly status: number;
  readonly text: string;
}

/** The facts that a game server sends, by their names in the list. */
export interface Said {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly gameid: string;
  readonly clients: number;
  readonly clients_max: number;
  /** The time since the program was started, and the age of its world, in s. */
  readonly uptime: number;
  readonly game_time: number;
  readonly proto_min: number;
  readonly proto_max: number;
  /** The lag in s. */
  readonly lag?: number;
  readonly clients_list?: readonly string[];
  readonly mods?: readonly string[];
  readonly mapgen?: string;
  readonly url?: string;
  readonly privs?: string;
  readonly creative?: boolean;
  readonly dedicated?: boolean;
  readonly damage?: boolean;
  readonly pvp?: boolean;
  readonly password?: boolean;
  readonly rollback?: boolean;
  readonly can_see_far_names?: boolean;
}

export interface Announced {
  readonly action: 'start' | 'update';
  readonly port: number;
  /** A name or an address, not yet checked; '' if it is the address that the request came from. */
  readonly address: string;
  readonly said: Said;
}

export type Request = Announced | { readonly action: 'delete'; readonly port: number };

/** The longest form field, in UTF-16 units. Luanti escapes everything beyond ASCII as \u, so for it they are bytes. */
const MOST_JSON_LENGTH = 8192;
/** The longest body: the JSON in characters of three bytes, with the other fields around it. */
export const MOST_BODY_BYTES = 32 * 1024;

const DEFAULT_PORT = 30_000;
/** Luanti counts clients and protocol versions in 16 bits, seconds in 32. */
const U16 = 0xffff;
const U32 = 0xffff_ffff;

const NOT_JSON = { status: 400, text: 'Unable to process JSON data.' };
const NOT_A_SCHEMA = { status: 400, text: 'JSON data does not conform to schema.' };
const INCORRECT = { status: 400, text: 'Incorrect JSON data.' };

/**
 * The text of the form field `json`, of a multipart body as Luanti sends it or of a urlencoded one. Never rejects.
 */
export async function readForm(body: Buffer, contentType = ''): Promise<string | LuantiReply> {
  let json: unknown;
  try {
    const form = await new Response(new Uint8Array(body), {
      headers: { 'Content-Type': contentType },
    }).formData();
    json = form.get('json');
  } catch {
    json = undefined;
  }
  if (typeof json !== 'string') return { status: 400, text: 'The form field "json" is missing.' };
  return json.length > MOST_JSON_LENGTH
    ? { status: 413, text: `JSON data is too big (${json.length}).` }
    : json;
}

export function parseRequest(json: string): Request | LuantiReply {
  const values = parseJson(json);
  if (values === undefined) return NOT_JSON;
  if (!isRecord(values)) return { status: 400, text: 'JSON data is not an object.' };
  const { action, port: givenPort = DEFAULT_PORT } = values;
  if (action !== 'start' && action !== 'update' && action !== 'delete')
    return { status: 400, text: 'Invalid action field.' };
  const port = readCount(U16)(givenPort);
  if (port === undefined || port === 0) return NOT_A_SCHEMA;
  if (action === 'delete') return { action, port };
  const fields = readFields(values);
  if (fields === undefined) return NOT_A_SCHEMA;
  const { address = '', ...rest } = fields;
  const said = corrected(rest);
  return said === undefined ? INCORRECT : { action, port, address, said };
}

/** Reads the value of a field; undefined if it is not valid. Old servers send numbers and truth values as texts. */
type Read<T> = (value: unknown) => T | undefined;

function readCount(most: number): Read<number> {
  return (value) => {
    const count = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
    return Number.isInteger(count) && (count as number) >= 0 && (count as number) <= most
      ? (count as number)
      : undefined;
  };
}

const readSeconds: Read<number> = (value) =>
  typeof value === 'number' && value >= 0 && value <= U32 ? value : undefined;

/** A lone half of a surrogate pair is replaced, since clients would refuse the whole list for it. */
const readText: Read<string> = (value) =>
  typeof value === 'string' ? value.replaceAll(/\p{Surrogate}/gu, '\ufffd') : undefined;

const readFlag: Read<boolean> = (value) => {
  if (typeof value === 'string') return ['true', '1'].includes(value.toLowerCase());
  return typeof value === 'boolean' ? value : undefined;
};

const readTexts: Read<readonly string[]> = (value) => {
  if (!Array.isArray(value)) return undefined;
  const texts = value.map(readText);
  return texts.includes(undefined) ? undefined : (texts as string[]);
};

const READERS: {
  readonly [Name in keyof Said | 'address']-?: Read<NonNullable<(Said & { address: string })[Name]>>;
} = {
  address: readText,
  name: readText,
  description: readText,
  version: readText,
  gameid: readText,
  clients: readCount(U16),
  clients_max: readCount(U16),
  uptime: readCount(U32),
  game_time: readCount(U32),
  proto_min: readCount(U16),
  proto_max: readCount(U16),
  lag: readSeconds,
  clients_list: readTexts,
  mods: readTexts,
  mapgen: readText,
  url: readText,
  privs: readText,
  creative: readFlag,
  dedicated: readFlag,
  damage: readFlag,
  pvp: readFlag,
  password: readFlag,
  rollback: readFlag,
  can_see_far_names: readFlag,
};

const REQUIRED: readonly (keyof Said)[] = [
  'name',
  'description',
  'version',
  'gameid',
  'clients',
  'clients_max',
  'uptime',
  'game_time',
  'proto_min',
  'proto_max',
];

/** Whether these are the fields of an announcement, with its address, as parseRequest() reads them. */
export function areRead(values: Values): boolean {
  const fields = readFields(values);
  if (fields === undefined) return false;
  const { address, ...said } = fields;
  return address !== '' && isDeepStrictEqual({ address, ...corrected(said) }, values);
}

/** Whether the value is a number that Luanti counts in 16 bits. */
export function isU16(value: unknown): boolean {
  return typeof value === 'number' && readCount(U16)(value) === value;
}

/** The known fields, or undefined if one is not valid or missing. Unknown fields are dropped. */
function readFields(values: Values): (Said & { address?: string }) | undefined {
  const fields: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(READERS)) {
    if (values[name] === undefined) continue;
    fields[name] = read(values[name]);
    if (fields[name] === undefined) return undefined;
  }
  return REQUIRED.every((name) => fields[name] !== undefined) ? (fields as unknown as Said) : undefined;
}

/** White space that Lua cannot tell from a separator, NUL and the apostrophe. */
const BAD_CHARACTERS = /[ \t\v\r\n\0']/;
const ALL_BAD_CHARACTERS = new RegExp(BAD_CHARACTERS, 'g');

/** The announcement with its repairable fields repaired; undefined if another field is wrong. */
function corrected({ url, clients_list: clientsList, mods, ...said }: Said): Said | undefined {
  const lists = [clientsList, mods];
  if (said.proto_min > said.proto_max) return undefined;
  if (lists.some((names) => names?.some((name) => name === '' || BAD_CHARACTERS.test(name))))
    return undefined;
  const [clientNames, modNames] = lists.map((names) => names && [...new Set(names)].toSorted());
  const isUrl = url !== undefined && /^https?:\/\//.test(url) && !BAD_CHARACTERS.test(url);
  return {
    ...said,
    gameid: withoutBad(said.gameid),
    version: withoutBad(said.version),
    ...(said.mapgen !== undefined && { mapgen: withoutBad(said.mapgen) }),
    ...(said.privs !== undefined && { privs: withoutBad(said.privs) }),
    ...(isUrl && { url }),
    ...(modNames && { mods: modNames }),
    ...(clientNames && { clients_list: clientNames, clients: clientNames.length }),
  };
}

function withoutBad(text: string): string {
  return text.replaceAll(ALL_BAD_CHARACTERS, '');
}
