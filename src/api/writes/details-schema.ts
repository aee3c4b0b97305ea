/**
 * The rule for details that an operator sets by a JSON schema. It is compiled at the start, so that a broken schema is
 * noticed there.
 */

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { FieldError } from '../../model/service-error.ts';
import { DETAIL_NAMES } from '../../model/fields/detail-fields.ts';
import type { DetailsRule } from './validation.ts';

/** A misspelt keyword is refused; other gaps of a schema are its operator's affair. No schema is fetched. */
const AJV_OPTIONS = {
  allErrors: true,
  ownProperties: true,
  strictSchema: true,
  strictTypes: false,
  strictTuples: false,
  logger: false,
} as const;

/** Throws an Error with the reason why the schema cannot be used. */
export function createDetailsRule(schema: unknown): DetailsRule {
  const validate = compile(schema);
  return (details) => (validate(details) ? [] : describe(validate.errors!));
}

function compile(schema: unknown): ValidateFunction {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw new Error('it must be a JSON object');
  const { $schema, $async, properties = {}, required = [] } = schema as Readonly<Record<string, unknown>>;
  if ($async !== undefined) throw new Error('it must not have $async');
  const isOf2020 = typeof $schema === 'string' && $schema.includes('/2020-12/');
  const validate = (isOf2020 ? new Ajv2020(AJV_OPTIONS) : new Ajv(AJV_OPTIONS)).compile(schema);
  const unknown = [...Object.keys(properties as object), ...(required as readonly string[])].find(
    (name) => !(DETAIL_NAMES as readonly string[]).includes(name),
  );
  if (unknown !== undefined)
    throw new Error(`it names ${JSON.stringify(unknown)}, which is none of ${DETAIL_NAMES.join(', ')}`);
  return validate;
}

/** The first error of each field. An error about no single field is reported only if there is no other. */
function describe(errors: readonly ErrorObject[]): readonly FieldError[] {
  const byField = new Map<string, string>();
  for (const error of errors) {
    const [field, message] = fieldAndMessage(error);
    if (field !== undefined && !byField.has(field)) byField.set(field, message);
  }
  if (byField.size === 0) byField.set('details', fieldAndMessage(errors[0]!)[1]);
  return [...byField].map(([field, message]) => ({ field, message }));
}

/** The field is undefined if the error is about all details together. */
function fieldAndMessage(error: ErrorObject): [field: string | undefined, message: string] {
  const { missingProperty, additionalProperty, propertyName } = error.params as Readonly<
    Record<string, string | undefined>
  >;
  const subject = missingProperty ?? additionalProperty ?? propertyName;
  const path = error.instancePath.split('/').slice(1);
  const [field, ...inside] = subject === undefined ? path : [...path, subject];
  const where = inside.length === 0 ? '' : `at ${inside.join('/')} `;
  return [field, where + messageOf(error)];
}

function messageOf({ keyword, params, message }: ErrorObject): string {
  const { missingProperty, additionalProperty, allowedValues, allowedValue } = params as {
    readonly missingProperty?: string;
    readonly additionalProperty?: string;
    readonly allowedValues?: readonly unknown[];
    readonly allowedValue?: unknown;
  };
  if (missingProperty !== undefined) return 'is missing';
  if (additionalProperty !== undefined || keyword === 'false schema') return 'is not wanted here';
  if (keyword === 'enum') return `must be one of ${allowedValues!.map(shown).join(', ')}`;
  if (keyword === 'const') return `must be ${shown(allowedValue)}`;
  return message!;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
