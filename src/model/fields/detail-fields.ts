/**
 * The details: facts that a game server may send beside the fields that all send, one record for each. Checks, storage,
 * queries and descriptions follow from the record. Redis and data files know no details: they keep them as one text.
 */

import { LONGEST_BEACON_ID, MOST_BEACONS, MOST_LATENCY_MS, type Latency } from '../near.ts';
import {
  integerSchema,
  ipSchema,
  requestSchema,
  textSchema,
  type FieldSchema,
  type RequestSchema,
} from './field-schema.ts';

/** A further address of the game server, for dual stack. */
export interface FurtherAddress {
  /** The address in canonical form (parseIp). */
  readonly ip: string;
  readonly port: number;
}

/** Any value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The values of details by kind. Queries read each kind in its own way; addresses and latencies cannot be queried. */
export interface DetailValues {
  readonly text: string;
  readonly boolean: boolean;
  /** Each text is there once. */
  readonly texts: readonly string[];
  readonly addresses: readonly FurtherAddress[];
  readonly latency: Latency;
  readonly json: { readonly [key: string]: Json };
}

type RecordOf<Kind extends keyof DetailValues> = {
  readonly kind: Kind;
  /** The meaning in the description of the API, where the rules follow it. */
  readonly meaning: string;
  readonly example: DetailValues[Kind];
  readonly rules: FieldSchema;
};

type DetailRecord = { [Kind in keyof DetailValues]: RecordOf<Kind> }[keyof DetailValues];

const MOST_TAGS = 16;
const MOST_ADDRESSES = 8;
const META_BYTES = 2048;
const META_LEVELS = 4;

const tag = textSchema(32);
const TRUE_OR_FALSE = { type: 'boolean', description: 'true or false' } as const;

/** The details in the order in which they are shown. Rules of a value that a query cannot carry name POST. */
export const DETAIL_FIELDS = {
  map: { kind: 'text', meaning: 'The map', example: 'de_dust2', rules: textSchema(64) },
  mode: { kind: 'text', meaning: 'The mode of the game', example: 'bomb defusal', rules: textSchema(64) },
  version: { kind: 'text', meaning: 'The version of the game', example: '1.4.2', rules: textSchema(64) },
  region: { kind: 'text', meaning: 'The region', example: 'eu', rules: textSchema(32) },
  country: {
    kind: 'text',
    meaning: 'The country',
    example: 'DE',
    rules: {
      type: 'string',
      format: 'country',
      maxLength: 2,
      description: 'a country by ISO 3166, two capital letters such as DE',
    },
  },
  password: {
    kind: 'boolean',
    meaning: 'Whether players need a password',
    example: false,
    rules: TRUE_OR_FALSE,
  },
  tags: {
    kind: 'texts',
    meaning: 'Tags',
    example: ['ranked', 'friendly'],
    rules: {
      type: 'array',
      list: { maxItems: MOST_TAGS, items: tag },
      description: `a list of up to ${MOST_TAGS} tags, each ${tag.description}`,
    },
  },
  addresses: {
    kind: 'addresses',
    meaning: 'Further addresses',
    example: [{ ip: '2001:db8::7', port: 7777 }],
    rules: {
      type: 'array',
      list: {
        maxItems: MOST_ADDRESSES,
        items: requestSchema({ ip: ipSchema, port: integerSchema(1, 65_535) }),
      },
      description: `a list of up to ${MOST_ADDRESSES} objects like {"ip": "2001:db8::7", "port": 7777}, sent by POST`,
    },
  },
  latency: {
    kind: 'latency',
    meaning: 'How long a packet takes to beacons of the service and back, in ms',
    example: { fra: 8 },
    rules: {
      type: 'object',
      amounts: { mostNames: MOST_BEACONS, longestName: LONGEST_BEACON_ID, maximum: MOST_LATENCY_MS },
      description: `an object of up to ${MOST_BEACONS} numbers from 0 to ${MOST_LATENCY_MS}, by names of at most ${LONGEST_BEACON_ID} small letters, digits and dashes, sent by POST; those to beacons that the service does not name count for nothing`,
    },
  },
  meta: {
    kind: 'json',
    meaning: 'Anything else',
    example: { level: 5 },
    rules: {
      type: 'object',
      json: { mostLevels: META_LEVELS, mostBytes: META_BYTES },
      description: `a JSON object of at most ${META_BYTES} bytes and ${META_LEVELS} levels, no text of it with a control or bidi override character, sent by POST`,
    },
  },
} as const satisfies Readonly<Record<string, DetailRecord>>;

export type DetailName = keyof typeof DETAIL_FIELDS;

/**
 * The fields that only GSLS sets: of entries that another protocol lists (announcements.ts), and of those in a mirror.
 * Those with a meaning are shown like details; the others are for the registry and the protocol alone.
 */
export const PROTOCOL_FIELDS = {
  protocol: { kind: 'text', meaning: 'The protocol by which it is listed, if it is not this API' },
  game: { kind: 'text', meaning: 'The game, as its protocol names it' },
  /** The values that the protocol remembers of the entry. */
  kept: { kind: 'json' },
  /** The addresses by which the entry is listed, in the form of its protocol, the oldest first. */
  links: { kind: 'texts' },
  /** The hash of its native document. */
  document: { kind: 'text' },
  /** The EntryLifetime of the entry. */
  lifetime: { kind: 'json' },
  origin: { kind: 'text', meaning: 'In a mirror: the registry that lists it' },
  country_found: {
    kind: 'boolean',
    meaning: 'Whether the service found the country by the address, as the game server says none',
  },
  also_at: { kind: 'texts', meaning: 'In a mirror: the other registries that list its address' },
} as const satisfies Readonly<
  Record<string, { readonly kind: keyof DetailValues; readonly meaning?: string }>
>;

/** The details that a game server sends by this API. It has not sent those that are absent. */
export type SaidDetails = {
  readonly [Name in DetailName]?: DetailValues[(typeof DETAIL_FIELDS)[Name]['kind']];
};

export type DetailFields = SaidDetails & {
  readonly [Name in keyof typeof PROTOCOL_FIELDS]?: DetailValues[(typeof PROTOCOL_FIELDS)[Name]['kind']];
};

/** The names of the details of a kind. */
export type DetailNameOf<Kind> = {
  [Name in DetailName]: (typeof DETAIL_FIELDS)[Name]['kind'] extends Kind ? Name : never;
}[DetailName];

export const DETAIL_NAMES = Object.keys(DETAIL_FIELDS) as DetailName[];

/** The names of the details of these kinds, in the order of the table. */
export function detailsOf<Kind extends keyof DetailValues>(...kinds: readonly Kind[]): DetailNameOf<Kind>[] {
  return DETAIL_NAMES.filter((name): name is DetailNameOf<Kind> =>
    kinds.some((kind) => kind === DETAIL_FIELDS[name].kind),
  );
}

/** One member of each record, by the names of the details. */
export function detailMembers<Member extends keyof DetailRecord>(
  member: Member,
): { readonly [Name in DetailName]: DetailRecord[Member] } {
  const entries = DETAIL_NAMES.map((name) => [name, DETAIL_FIELDS[name][member]]);
  return Object.fromEntries(entries) as Record<DetailName, DetailRecord[Member]>;
}

/** The schemas of the details, none of which is required. */
export const detailSchemas: RequestSchema<SaidDetails>['properties'] = detailMembers('rules');
