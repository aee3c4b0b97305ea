/**
 * The raw query string: its parameters, and the list of everything that is wrong with them. Brackets mean nothing here,
 * and a comma is a separator only where it is not percent-encoded.
 */

import { didYouMean } from '../did-you-mean.ts';
import { ServiceError, type FieldError } from '../errors.ts';

/** A query with more parameters is refused. */
export const MOST_PARAMETERS = 16;
/** A parameter with more alternatives is refused. */
export const MOST_ALTERNATIVES = 32;

/** So much of a name is repeated in an error, in UTF-16 units. */
const LONGEST_SHOWN_NAME = 64;

/** One parameter. The value is still percent-encoded: only so commas and stars that are meant as such can be told. */
export interface Parameter {
  /** Decoded. */
  readonly name: string;
  readonly rawValue: string;
}

/** What is wrong with a value. The message completes the name of the parameter: "must be …". */
export class Wrong {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Reads the decoded value of a parameter that may be given once. */
export type Reader<T> = (value: string) => T | Wrong;

/** What a parameter takes, for those that write queries. */
export interface ParameterDescription {
  /** In words: what it asks for. */
  readonly description: string;
  /** The JSON schema of a value; of one alternative, where there may be several. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface SingleParameter<T> extends ParameterDescription {
  readonly read: Reader<T>;
}

/** Parameters that may be given once. */
export type SingleParameters<T> = {
  readonly [Name in keyof T]-?: SingleParameter<Exclude<T[Name], undefined>>;
};

/** Undefined for an escape that is not UTF-8, or not complete. A plus sign is a space. */
export function decode(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Collects what is wrong with a query. */
export class Complaints {
  readonly #details: FieldError[] = [];

  add(parameter: string, message: string): void {
    const field = Buffer.from(parameter.slice(0, LONGEST_SHOWN_NAME)).toString();
    this.#details.push({ field, message });
  }

  /** `names`: of all parameters that there are. */
  addUnknown(parameter: string, names: readonly string[]): void {
    const shown = parameter.slice(0, LONGEST_SHOWN_NAME);
    this.add(parameter, `is not a parameter here${didYouMean(shown, names)}`);
  }

  /** Throws a ServiceError `invalid_query` that names everything that is wrong, if anything is. */
  throwIfAny(): void {
    const details = this.#details;
    if (details.length === 0) return;
    throw new ServiceError('invalid_query', {
      message: details.map(({ field, message }) => `${field} ${message}`).join('; '),
      details,
    });
  }
}

/** The parameters in the order in which they stand in the query string, which is without its `?`. */
export function splitQuery(text: string, complaints: Complaints): readonly Parameter[] {
  const pairs = text.split('&').filter((pair) => pair !== '');
  return pairs.slice(0, MOST_PARAMETERS + 1).flatMap((pair, index) => {
    const [rawName, rawValue = ''] = pair.split(/=(.*)/s) as [string, string?];
    const name = decode(rawName);
    const problem =
      index === MOST_PARAMETERS
        ? `is one too many: a query has at most ${MOST_PARAMETERS} parameters`
        : name === undefined
          ? 'has an escape in its name that is not valid'
          : undefined;
    if (problem === undefined) return { name: name!, rawValue };
    complaints.add(name ?? rawName, problem);
    return [];
  });
}

/** Reads the parameters that may be given once. `others` gets all the others. */
export function readParameters<T>(
  parameters: readonly Parameter[],
  table: SingleParameters<T>,
  complaints: Complaints,
  others: (parameter: Parameter) => void,
): Partial<T> {
  const values: Partial<T> = {};
  const seen = new Set<string>();
  for (const parameter of parameters) {
    const { name, rawValue } = parameter;
    if (!Object.hasOwn(table, name)) {
      others(parameter);
      continue;
    }
    const text = decode(rawValue);
    const value = seen.has(name)
      ? new Wrong('is given more than once')
      : text === undefined
        ? new Wrong('has an escape that is not valid')
        : table[name as keyof T].read(text);
    if (value instanceof Wrong) complaints.add(name, value.message);
    else values[name as keyof T] = value;
    seen.add(name);
  }
  return values;
}
