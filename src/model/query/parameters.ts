/**
 * The parameters of a raw query string, in the service and on the page alike. Brackets have no meaning, and a comma is
 * a separator only if it is not percent-encoded.
 */

import { MOST_PARAMETERS } from './limits.ts';

/** The problems that a parameter can have. The service has texts for them (parse-query.ts). */
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

/** One parameter. The value is still percent-encoded, so that separators differ from encoded commas and stars. */
export interface RawParameter {
  /** The decoded name, or the name as written if it cannot be decoded. */
  readonly name: string;
  readonly rawValue: string;
  /** Name and value as written. */
  readonly pair: string;
  /** A problem that the parameter has regardless of its meaning. */
  readonly problem: Problem | undefined;
}

/** Undefined for an escape that is incomplete or not UTF-8. A plus sign is a space. */
export function decode(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * The parameters in the order of the query string, which comes without its `?`. Of those beyond the limit only the
 * first is returned, with that problem.
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
