/** The checks of values against the schemas of a description: compiled once for all services with the same schemas. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Schema } from '../../src/api/docs/openapi/parameter.ts';

export class Validators {
  static readonly #bySchemas = new Map<string, Validators>();
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();

  private constructor(schemas: unknown) {
    this.#ajv = new Ajv2020({
      allErrors: true,
      strict: true,
      strictRequired: false,
      allowUnionTypes: true,
      validateSchema: false,
    })
      .addKeyword('components')
      .addFormat('date-time', (text: string) => new Date(text).toISOString() === text)
      .addSchema({ $id: 'api', components: { schemas: closed(schemas) } });
  }

  static of(schemas: unknown): Validators {
    const key = JSON.stringify(schemas);
    const validators = Validators.#bySchemas.get(key) ?? new Validators(schemas);
    Validators.#bySchemas.set(key, validators);
    return validators;
  }

  errorsIn(schema: Schema, value: unknown): string {
    const key = JSON.stringify(schema);
    const validate = this.#compiled.get(key) ?? this.#ajv.compile(closed(schema) as Schema);
    this.#compiled.set(key, validate);
    return validate(value) ? '' : this.#ajv.errorsText(validate.errors ?? []);
  }
}

/** The schema for objects that have no other properties than those it names; references lead to the components. */
function closed(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed);
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => [
    key,
    key === '$ref' ? (value as string).replace('#', 'api#') : closed(value),
  ]);
  const isObject = 'properties' in schema && !('additionalProperties' in schema) && 'type' in schema;
  return Object.fromEntries(isObject ? [...entries, ['additionalProperties', false]] : entries);
}
