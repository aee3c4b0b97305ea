/** The JSON schemas of fields in requests, and of requests with such fields. */

/** The schema of a field. The description completes "must be …", and is the whole error message. */
export interface FieldSchema {
  readonly type: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  readonly description: string;
  /** A format of api/http/checks/request-check.ts, or of the room to which the field belongs. */
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** The rules of a list. The list is wrong as a whole: items behind its first wrong one are not checked. */
  readonly list?: { readonly maxItems: number; readonly items: FieldSchema | RequestSchema<object> };
  /** The limits of a value of any form. Its texts must be harmless, and its numbers finite. */
  readonly json?: JsonLimits;
  /** The limits of an object of numbers. */
  readonly amounts?: AmountLimits;
}

/** The limits of numbers from 0, each under a name of small letters, digits and dashes. */
export interface AmountLimits {
  readonly mostNames: number;
  readonly longestName: number;
  readonly maximum: number;
}

export interface JsonLimits {
  /** The most levels of the value, itself included. */
  readonly mostLevels: number;
  /** The most bytes of its JSON text. */
  readonly mostBytes: number;
}

export function areAmounts({ mostNames, longestName, maximum }: AmountLimits, value: object): boolean {
  const entries = Object.entries(value) as [string, unknown][];
  return (
    entries.length <= mostNames &&
    entries.every(
      ([name, amount]) =>
        name.length <= longestName &&
        /^[a-z\d-]+$/.test(name) &&
        typeof amount === 'number' &&
        amount >= 0 &&
        amount <= maximum,
    )
  );
}

export const textSchema = (maxLength: number): FieldSchema => ({
  type: 'string',
  format: 'text',
  minLength: 1,
  maxLength,
  description: `a string of 1 to ${maxLength} characters, some of them visible, and none a control, bidi override or invisible character`,
});

export const integerSchema = (minimum: number, maximum: number): FieldSchema => ({
  type: 'integer',
  format: 'count',
  minimum,
  maximum,
  description: `an integer from ${minimum} to ${maximum}`,
});

export const ipSchema: FieldSchema = {
  type: 'string',
  format: 'ip',
  maxLength: 64,
  description: 'an IPv4 or IPv6 address',
};

/** The JSON schema of a request with these fields. */
export interface RequestSchema<Fields> {
  readonly type: 'object';
  readonly required: readonly string[];
  readonly properties: { readonly [Name in keyof Fields]-?: FieldSchema };
}

/** Every field is required, unless `required` names those that are. */
export function requestSchema<Fields>(
  properties: RequestSchema<Fields>['properties'],
  required: readonly string[] = Object.keys(properties),
): RequestSchema<Fields> {
  return { type: 'object', required, properties };
}
