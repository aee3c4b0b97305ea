/** The JSON schemas that bodies of answers are made of. */

import type { Schema } from './parameter.ts';

export const SUCCESS: Schema = { type: 'string', const: 'success' };
export const BOOLEAN: Schema = { type: 'boolean' };
export const COUNT: Schema = { type: 'integer', minimum: 0 };
export const TEXT: Schema = { type: 'string' };
export const TIME: Schema = { type: 'string', format: 'date-time' };
export const ID: Schema = { type: 'string', minLength: 1, maxLength: 64 };
export const TAG: Schema = {
  type: 'string',
  description: 'The list that the client has now: send it as `since`.',
};

/** `optional`: the names of properties that may be missing. */
export function object(
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', required, properties };
}

export function arrayOf(items: Schema): Schema {
  return { type: 'array', items };
}

export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
