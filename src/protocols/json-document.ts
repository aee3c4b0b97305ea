/**
 * Native documents in JSON. One that is read from Redis may come from another program, and a client drops its whole
 * list for one value that it cannot read: a protocol shows a document only if it could have written it itself.
 */

import { isRecord, parseJson } from '../model/json.ts';

export type Values = Readonly<Record<string, unknown>>;

/** The depth to which the JSON of DDNet goes. No other protocol needs more. */
const MOST_LEVELS = 127;

/** JSON.stringify() escapes a surrogate only where its other half is missing. */
const LONE_SURROGATE = /(?:^|[^\\])(?:\\\\)*\\ud[89a-f]/;

/** The values as a document; undefined if a client could not read it. */
export function documentOf(values: Values): string | undefined {
  if (isDeeper(values, MOST_LEVELS)) return undefined;
  const document = JSON.stringify(values);
  return LONE_SURROGATE.test(document) ? undefined : document;
}

/**
 * The values of a document, if a protocol could have written it; else undefined. `areOwn`: whether the protocol would
 * write these values so.
 */
export function valuesIn(document: string, areOwn: (values: Values) => boolean): Values | undefined {
  const values = parseJson(document);
  return isRecord(values) && documentOf(values) === document && areOwn(values) ? values : undefined;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}
