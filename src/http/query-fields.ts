/**
 * The fields of a game server or a moderator in a query, where all values are text: those of other types are read from
 * it. What cannot be read stays text, and is refused as such later.
 */

import { parse, unescape } from 'node:querystring';
import { pingSchema } from '../registry/game-server.ts';

const INTEGERS = Object.entries(pingSchema.properties).flatMap(([name, { type }]) =>
  type === 'integer' ? [name] : [],
);
const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** `query`: still percent-encoded. A field that is repeated is a list of its texts. */
export function fieldsOfQuery(query: string): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...parse(query) };
  for (const name of INTEGERS) {
    const value = fields[name];
    if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) fields[name] = Number(value);
  }
  const { password } = fields;
  if (password !== undefined) fields['password'] = BOOLEANS.get(password) ?? password;
  if (fields['tags'] !== undefined) fields['tags'] = tagsOf(query);
  return fields;
}

/** Those of `tags=a,b&tags=c`. A comma that is escaped belongs to its tag; `tags=` names none. */
function tagsOf(query: string): readonly string[] {
  return query.split('&').flatMap((pair) => {
    const [name, ...rest] = pair.split('=');
    const value = rest.join('=');
    return decode(name!) === 'tags' && value !== '' ? value.split(',').map(decode) : [];
  });
}

function decode(text: string): string {
  return unescape(text.replaceAll('+', ' '));
}
