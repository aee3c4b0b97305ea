/** The JSON schemas of what clients send: of fields, and of requests with such fields. */

/** A field of a request. The description completes "must be …" and is the whole error message. */
export interface FieldSchema {
  readonly type: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  readonly description: string;
  /** One of http/validation.ts, or of the part of HTTP that the field belongs to. */
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Of a list. It is wrong as a whole: nothing is looked at behind its first wrong item. */
  readonly list?: { readonly maxItems: number; readonly items: FieldSchema | RequestSchema<object> };
  /** Of a value of any form. Its texts must be harmless then, and its numbers finite. */
  readonly json?: JsonLimits;
}

export interface JsonLimits {
  /** How deep the value may be, itself included. */
  readonly mostLevels: number;
  /** As JSON text. */
  readonly mostBytes: number;
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

/** Every field is required, unless it is said which ones are. */
export function requestSchema<Fields>(
  properties: RequestSchema<Fields>['properties'],
  required: readonly string[] = Object.keys(properties),
): RequestSchema<Fields> {
  return { type: 'object', required, properties };
}
