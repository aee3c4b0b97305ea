/**
 * The raw query string: its parameters, in the service and on the page alike. Brackets mean nothing here, and a comma
 * is a separator only where it is not percent-encoded.
 */

import { MOST_PARAMETERS } from './limits.ts';

/** What can be wrong with a parameter. The service has the words for it (parse-query.ts). */
export type Problem =
  | 'too many parameters'
  | 'bad name'
  | 'unknown'
  | 'too many alternatives'
  | 'empty'
  | 'star within'
  | 'bad escape'
  | 'no address'
  | 'no range'
  | 'no boolean'
  | 'too long';

/** One parameter. The value is still percent-encoded: only so commas and stars that are meant as such can be told. */
export interface RawParameter {
  /** Decoded; as it was written if it cannot be decoded. */
  readonly name: string;
  readonly rawValue: string;
  /** Name and value as they were written. */
  readonly pair: string;
  /** What is wrong with it whatever it means. */
  readonly problem: Problem | undefined;
}

/** Undefined for an escape that is not UTF-8, or not complete. A plus sign is a space. */
export function decode(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * The parameters in the order in which they stand in the query string, which is without its `?`. Of those that are too
 * many, the first alone.
 */
export function splitQuery(text: string): readonly RawParameter[] {
  const pairs = text.split('&').filter((pair) => pair !== '');
  return pairs.slice(0, MOST_PARAMETERS + 1).map((pair, index) => {
    const [rawName, rawValue = ''] = pair.split(/=(.*)/s) as [string, string?];
    const name = decode(rawName);
    const problem =
      index === MOST_PARAMETERS ? 'too many parameters' : name === undefined ? 'bad name' : undefined;
    return { name: name ?? rawName, rawValue, pair, problem };
  });
}
