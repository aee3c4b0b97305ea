/**
 * Parses the query strings of requests: filters of the list, and further parameters of a route. An error names all
 * problems at once.
 */

import { didYouMean } from '../did-you-mean.ts';
import { ServiceError, type FieldError } from '../service-error.ts';
import { FilterReader, type Filters } from './filters.ts';
import { LONGEST_SEARCH, MOST_ALTERNATIVES, MOST_PARAMETERS } from './limits.ts';
import { LISTED } from './listed-fields.ts';
import { decode, splitQuery, type RawParameter, type Problem } from './parameters.ts';

/** The longest part of a name that is repeated in an error, in UTF-16 units. */
const LONGEST_SHOWN_NAME = 64;

/** A problem with a value. The message completes the name of the parameter: "must be …". */
export class Wrong {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const MESSAGES: Readonly<Record<Problem, string>> = {
  'too many parameters': `is one too many: a query has at most ${MOST_PARAMETERS} parameters`,
  'bad name': 'has an escape in its name that is not valid',
  unknown: 'is not a parameter here',
  'too many alternatives': `has more than ${MOST_ALTERNATIVES} alternatives`,
  empty: 'must not be empty: leave it out, or name a value',
  'star within': 'may have a * only at the end of a value; %2A is the character',
  'bad escape': 'has an escape that is not valid',
  'no address': 'must be an IPv4 or IPv6 address, or the beginning of one and a *',
  'no range': 'must be a number or a range like 5, 1.., ..10 or 4..16',
  'no boolean': 'must be true or false',
  'too long': `must have at most ${LONGEST_SEARCH} characters`,
};

/** Parses the decoded value of a parameter that may be given once. */
export type Reader<T> = (value: string) => T | Wrong;

/** The description of a parameter, for people who write queries. */
export interface ParameterDescription {
  /** The purpose of the parameter, in words. */
  readonly description: string;
  /** The JSON schema of a value, or of one alternative where there may be several. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface SingleParameter<T> extends ParameterDescription {
  readonly read: Reader<T>;
}

/** Parameters that may be given once. */
export type SingleParameters<T> = {
  readonly [Name in keyof T]-?: SingleParameter<Exclude<T[Name], undefined>>;
};

/** Collects the problems of a query. */
export class Complaints {
  readonly #details: FieldError[] = [];

  add(parameter: string, message: string): void {
    const field = Buffer.from(parameter.slice(0, LONGEST_SHOWN_NAME)).toString();
    this.#details.push({ field, message });
  }

  /** `names`: the names of all parameters that exist. */
  addUnknown(parameter: string, names: readonly string[]): void {
    const shown = parameter.slice(0, LONGEST_SHOWN_NAME);
    this.add(parameter, `${MESSAGES.unknown}${didYouMean(shown, names)}`);
  }

  /** Throws a ServiceError `invalid_query` that names every problem, if there is any. */
  throwIfAny(): void {
    const details = this.#details;
    if (details.length === 0) return;
    throw new ServiceError('invalid_query', {
      message: details.map(({ field, message }) => `${field} ${message}`).join('; '),
      details,
    });
  }
}

/** Reads the parameters that may be given once. `others` receives all other parameters. */
function readParameters<T>(
  text: string,
  table: SingleParameters<T>,
  complaints: Complaints,
  others: (parameter: RawParameter) => void,
): Partial<T> {
  const parameters = splitQuery(text);
  for (const { name, problem } of parameters)
    if (problem !== undefined) complaints.add(name, MESSAGES[problem]);
  const values: Partial<T> = {};
  const seen = new Set<string>();
  for (const parameter of parameters) {
    const { name, rawValue, problem } = parameter;
    if (problem !== undefined) continue;
    if (!Object.hasOwn(table, name)) {
      others(parameter);
      continue;
    }
    const decoded = decode(rawValue);
    const value = seen.has(name)
      ? new Wrong('is given more than once')
      : decoded === undefined
        ? new Wrong(MESSAGES['bad escape'])
        : table[name as keyof T].read(decoded);
    if (value instanceof Wrong) complaints.add(name, value.message);
    else values[name as keyof T] = value;
    seen.add(name);
  }
  return values;
}

/**
 * Parses a raw query string, without its `?`, with filters and the parameters of `further`. `searched`: the fields of
 * entries. Throws a ServiceError `invalid_query` that names every wrong parameter.
 */
export function parseQuery<T extends object = object>(
  text: string,
  further: SingleParameters<T> = {} as SingleParameters<T>,
  searched = LISTED,
): { readonly filters: Filters; readonly further: Partial<T> } {
  const complaints = new Complaints();
  const names = [...Object.values(searched.fields).flatMap(Object.keys), 'q', ...Object.keys(further)];
  const reader = new FilterReader(searched);
  const values = readParameters(text, further, complaints, (parameter) => {
    const problem = reader.add(parameter);
    if (problem === 'unknown') complaints.addUnknown(parameter.name, names);
    else if (problem !== undefined) complaints.add(parameter.name, MESSAGES[problem]);
  });
  complaints.throwIfAny();
  return { filters: reader.filters, further: values };
}

/** Parses a query string without filters in the same way. */
export function parseParameters<T extends object>(text: string, table: SingleParameters<T>): Partial<T> {
  const complaints = new Complaints();
  const values = readParameters(text, table, complaints, ({ name }) =>
    complaints.addUnknown(name, Object.keys(table)),
  );
  complaints.throwIfAny();
  return values;
}
