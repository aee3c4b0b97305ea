/**
 * The fields of a game server or a moderator in a query, where all values are text. Values of other types are parsed
 * from it. A text that cannot be parsed stays a text, and is refused as one later.
 */

import { parse, unescape } from 'node:querystring';
import { detailSchemas } from '../../../model/fields/detail-fields.ts';
import type { FieldSchema } from '../../../model/fields/field-schema.ts';
import { pingSchema } from '../../../model/game-server.ts';

const SCHEMAS: readonly (readonly [name: string, schema: FieldSchema])[] = Object.entries({
  ...pingSchema.properties,
  ...detailSchemas,
});
const namesOf = (type: FieldSchema['type']): readonly string[] =>
  SCHEMAS.flatMap(([name, schema]) => (schema.type === type ? [name] : []));
const INTEGERS = namesOf('integer');
const TRUTHS = namesOf('boolean');
/** The fields that are lists of texts. A query cannot carry other lists. */
const LISTS = SCHEMAS.flatMap(([name, { list }]) =>
  list !== undefined && !('properties' in list.items) ? [name] : [],
);
const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** `query`: still percent-encoded. A field that is repeated becomes a list of its texts. */
export function fieldsOfQuery(query: string): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...parse(query) };
  for (const name of INTEGERS) {
    const value = fields[name];
    if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) fields[name] = Number(value);
  }
  for (const name of TRUTHS) if (name in fields) fields[name] = BOOLEANS.get(fields[name]) ?? fields[name];
  for (const name of LISTS) if (name in fields) fields[name] = textsOf(query, name);
  return fields;
}

/** The texts of a list: of `tags` in `tags=a,b&tags=c` these are a, b and c. An escaped comma belongs to its text. */
function textsOf(query: string, wanted: string): readonly string[] {
  return query.split('&').flatMap((pair) => {
    const [name, ...rest] = pair.split('=');
    const value = rest.join('=');
    return decode(name!) === wanted && value !== '' ? value.split(',').map(decode) : [];
  });
}

function decode(text: string): string {
  return unescape(text.replaceAll('+', ' '));
}
