/**
 * The fields of bodies and queries, as schemas of OpenAPI. They are made from the schemas by which requests are
 * checked, which have the rules; this file adds only what each field means.
 */

import type { FieldKind } from '../../../model/query/fields.ts';
import { RANGE } from '../../../model/query/alternatives.ts';
import { META } from '../../../model/query/filters.ts';
import { LONGEST_SEARCH, MOST_ALTERNATIVES } from '../../../model/query/limits.ts';
import { FILTER_KINDS } from '../../../model/query/listed-fields.ts';
import type { ParameterDescription, SingleParameters } from '../../../model/query/parse-query.ts';
import { ruleFields } from '../../../registry/decisions/rule-fields.ts';
import { detailMembers } from '../../../model/fields/detail-fields.ts';
import type { FieldSchema, RequestSchema } from '../../../model/fields/field-schema.ts';
import type { Parameter, Schema } from './parameter.ts';

const MEANINGS: Readonly<Record<string, string>> = {
  server_id: 'Which entry',
  server_host: 'The host name of the game server',
  server_name: 'The name that players see',
  server_port: 'The port of the game server',
  server_ip: 'Its public address, or `auto` for the address from which the request comes',
  players: 'How many players there are, which may be more than `max_players`',
  max_players: 'How many players it takes',
  unlisted: 'Whether the entry is kept off every list, and is found by its join code alone',
  ...detailMembers('meaning'),
  id: 'The entry with this id',
  address:
    'The address of the client that broadcast, of `server_ip`, or one of `addresses`. One of the four patterns is needed',
  host: 'A glob for hosts',
  name: 'A glob for names',
  reason: 'Why: a game server that is banned is told it',
  author: 'Who says so, for the audit',
  expires_at: 'The end, which there is none of otherwise',
  of: 'An entry: those of other networks than its own are counted',
  label: 'The label',
  token_sha256: 'The entry that is listed with this server token',
  note: 'More, in words of the reader, if the service takes it',
};

/** The meaning of a ban's `mode`, apart from MEANINGS: a detail has the same name. */
const MODE_OF_BAN =
  'Whether broadcasts and pings get 403 `banned` with the reason, as without this field, or are answered as ever and listed nowhere';

type AnyFields = Readonly<Record<string, FieldSchema>>;

/**
 * The schema of the field `name`, made from its check. Formats are left out: their names mean something only in GSLS,
 * and the description has their rules in words.
 */
function fieldSchema(name: string, field: FieldSchema): Schema {
  const { list, json: _, amounts, format: __, description: rule, ...rest } = field;
  const meaning = field === ruleFields.mode ? MODE_OF_BAN : MEANINGS[name];
  return {
    ...rest,
    ...(list && { maxItems: list.maxItems, items: itemSchema(list.items) }),
    ...(amounts && {
      maxProperties: amounts.mostNames,
      additionalProperties: { type: 'number', minimum: 0, maximum: amounts.maximum },
    }),
    description: meaning === undefined ? `${capitalized(rule)}.` : `${meaning}: ${rule}.`,
  };
}

function itemSchema(items: FieldSchema | RequestSchema<object>): Schema {
  return 'properties' in items ? bodySchema(items) : fieldSchema('', items);
}

function capitalized(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

/** The schema of a body that is checked by this schema. Fields that it does not name are ignored. */
export function bodySchema<Fields>({ required, properties }: RequestSchema<Fields>): Schema {
  return { type: 'object', required, properties: propertySchemas(properties) };
}

/** The schemas of fields by their names. */
export function propertySchemas(fields: AnyFields): Readonly<Record<string, Schema>> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(name, field)]));
}

/** The same fields in a query, without those that a query cannot carry. */
export function queryFields<Fields>(
  { required, properties }: RequestSchema<Fields>,
  examples: Readonly<Record<string, unknown>> = {},
): readonly Parameter[] {
  return Object.entries(propertySchemas(properties as AnyFields)).flatMap(([name, whole]) => {
    const { description, ...schema } = whole;
    const isList = schema['type'] === 'array';
    const isNested =
      schema['type'] === 'object' || (isList && (schema['items'] as Schema)['type'] === 'object');
    const isRequired = required.includes(name);
    const parameter: Parameter = {
      name,
      in: 'query',
      description: description as string,
      schema,
      ...(isRequired && { required: true, example: examples[name] }),
      ...(isList && { style: 'form', explode: false }),
    };
    return isNested ? [] : [parameter];
  });
}

/** The parameters of a query that is read with this table. */
export function queryParameters<T>(table: SingleParameters<T>): readonly Parameter[] {
  return Object.entries(table as SingleParameters<Record<string, unknown>>).map(
    ([name, { description, schema }]) => ({ name, in: 'query', description, schema }),
  );
}

/** Parameters of a query that are texts, by their names, with what they mean. */
export function textParameters(descriptions: Readonly<Record<string, string>>): readonly Parameter[] {
  return Object.entries(descriptions).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'string' },
  }));
}

/** A parameter in a path. */
export function inPath(name: string, description: string, example: string): Parameter {
  return { name, in: 'path', description, required: true, schema: { type: 'string', minLength: 1 }, example };
}

const A_TEXT = {
  description: 'This very text, or with a `*` at its end each text that begins so.',
  schema: { type: 'string', minLength: 1 },
};

/** The filters by fields of each kind. */
const FILTERS: Readonly<Record<FieldKind | 'ip', ParameterDescription>> = {
  text: A_TEXT,
  ip: {
    description: 'This address, in any of its forms, or the beginning of one and a `*`.',
    schema: A_TEXT.schema,
  },
  texts: A_TEXT,
  number: {
    description: 'A number or a range: `5`, `1..`, `..10`, `4..16`.',
    schema: { type: 'string', minLength: 1, pattern: RANGE.source },
  },
  boolean: { description: '`true` or `false`.', schema: { type: 'boolean' } },
};

/** The parameter of one filter; `ip` is described apart because an address has several forms. */
function filterParameter(name: string, kind: FieldKind): Parameter {
  const { description, schema } = FILTERS[name === 'ip' ? name : kind];
  return {
    name,
    in: 'query',
    description: `${description} A comma separates alternatives.`,
    schema: { type: 'array', items: schema, minItems: 1, maxItems: MOST_ALTERNATIVES },
    style: 'form',
    explode: false,
  };
}

export const FILTER_PARAMETERS: readonly Parameter[] = [
  {
    name: 'q',
    in: 'query',
    description:
      'All these words, in `name`, `map`, `mode`, `tags`, `region`, `version`, `host` and the address. Parts of words do; case and accents do not count.',
    schema: { type: 'string', minLength: 1, maxLength: LONGEST_SEARCH },
  },
  ...[...FILTER_KINDS].map(([name, kind]) => filterParameter(name, kind)),
  {
    name: 'further',
    in: 'query',
    description: `Further filters. \`${META}<key>\`: the text, number or boolean that is under this key of \`meta\`, or in the array there. Any filter with a \`!\` behind its name, as in \`map!=a,b\`: what it does not match.`,
    schema: {
      type: 'object',
      propertyNames: {
        pattern: `^(${META.replace('.', '\\.')}.+|(${[...FILTER_KINDS.keys()].join('|')})!)$`,
      },
      additionalProperties: { type: 'string', minLength: 1 },
    },
    style: 'form',
    explode: true,
  },
];
