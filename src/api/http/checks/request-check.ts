/** Checks the fields of a request by its schema. An error names all wrong fields at once. */

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { ServiceError, type FieldError } from '../../../model/service-error.ts';
import type { Json } from '../../../model/fields/detail-fields.ts';
import {
  areAmounts,
  type AmountLimits,
  type FieldSchema,
  type JsonLimits,
  type RequestSchema,
} from '../../../model/fields/field-schema.ts';
import { parseIp } from '../../../model/net/ip.ts';
import { continentOf } from '../../../model/country.ts';
import { isHarmlessJson } from '../../../model/harmless-json.ts';
import { isClear } from '../../../model/text-rules.ts';

/** An Ajv with the formats `text`, `ip`, `country` and `count`, and the further keywords of a FieldSchema. */
export function createAjv(isText: (text: string) => boolean): Ajv {
  return createBareAjv(isText, true).addKeyword({
    keyword: 'list',
    type: 'array',
    errors: false,
    // Validation stops at the first wrong item: to collect the errors of all items of a long list would take too long.
    compile: (schema: object) => {
      const validate = createBareAjv(isText, false).compile({ type: 'array', ...schema });
      return (items: unknown) => validate(items);
    },
  });
}

function createBareAjv(isText: (text: string) => boolean, allErrors: boolean): Ajv {
  // The schemas are typed code of GSLS: to check them by a schema of schemas would only slow down each start.
  return new Ajv({
    allErrors,
    ownProperties: true,
    messages: false,
    meta: false,
    validateSchema: false,
  })
    .addFormat('text', isText)
    .addFormat('ip', (value: string) => parseIp(value) !== undefined)
    .addFormat('country', (value: string) => continentOf(value) !== undefined)
    .addFormat('count', { type: 'number', validate: (value: number) => !Object.is(value, -0) })
    .addKeyword({
      keyword: 'json',
      type: 'object',
      errors: false,
      // The levels are checked first, since JSON.stringify() fails on a million of them.
      validate: ({ mostLevels, mostBytes }: JsonLimits, value: Json) =>
        isHarmlessJson(mostLevels, value) && Buffer.byteLength(JSON.stringify(value)) <= mostBytes,
    })
    .addKeyword({
      keyword: 'amounts',
      type: 'object',
      errors: false,
      validate: (limits: AmountLimits, value: object) => areAmounts(limits, value),
    });
}

/** The Ajv for texts that must show what they are. */
export const ajv = createAjv(isClear);

/** Finds further problems with the fields, beside those whose names are given as wrong already. */
export type FurtherProblems = (fields: object, wrong: ReadonlySet<string>) => readonly FieldError[];

/** Returns the fields, or throws a ServiceError `invalid_request`. */
export type Check<Fields> = (fields: unknown, furtherProblems?: FurtherProblems) => Fields;

const noneFurther: FurtherProblems = () => [];

export function createCheck<Fields>(schema: RequestSchema<Fields>, formats: Ajv = ajv): Check<Fields> {
  const validate: ValidateFunction<Fields> = formats.compile(schema);
  const { required, properties } = schema;
  const inExample = required.length > 0 ? required : Object.keys(properties);
  const example = `{"${inExample.join('": …, "')}": …}`;
  return (fields, furtherProblems = noneFurther) => {
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
      throw new ServiceError('invalid_request', {
        message: `send a JSON object like ${example} as the body`,
      });
    }
    const isValid = validate(fields);
    const wrong = isValid ? [] : describe(validate.errors!, { ...properties });
    const further = furtherProblems(fields, new Set(wrong.map(({ field }) => field)));
    if (isValid && further.length === 0) return fields;
    const details = [...wrong, ...further];
    throw new ServiceError('invalid_request', {
      message: details.map(({ field, message }) => `${field} ${message}`).join('; '),
      details,
    });
  };
}

/** At most one entry for each field, in the order of the schema. */
function describe(
  errors: readonly ErrorObject[],
  properties: Readonly<Record<string, FieldSchema>>,
): FieldError[] {
  const missing = new Set<unknown>();
  const wrong = new Set<string>();
  for (const { instancePath, params } of errors) {
    // The path of an error inside a field begins with the field.
    if (instancePath === '') missing.add((params as { missingProperty?: string }).missingProperty);
    else wrong.add(instancePath.split('/', 2)[1]!);
  }
  return Object.entries(properties).flatMap(([field, { description }]) => {
    if (missing.has(field)) return { field, message: 'is missing' };
    return wrong.has(field) ? { field, message: `must be ${description}` } : [];
  });
}
