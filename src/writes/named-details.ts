/** The details that a broadcast or a ping names among its fields, and how they become Details. */

import { DETAIL_NAMES, type DetailFields } from '../registry/fields/detail-fields.ts';
import { Details } from '../registry/fields/details.ts';
import { parseIp } from '../registry/ip.ts';

/** Whether the fields name no detail. */
export function nameNone(fields: object): boolean {
  for (const name of DETAIL_NAMES) if (Object.hasOwn(fields, name)) return false;
  return true;
}

/** The details that the fields name, as they came, in an object of their own. Undefined if they name none. */
export function namedDetails(fields: object): DetailFields | undefined {
  let named: Record<string, unknown> | undefined;
  for (const name of DETAIL_NAMES)
    if (Object.hasOwn(fields, name)) (named ??= {})[name] = (fields as DetailFields)[name];
  return named;
}

/** The details of fields that are valid. A tag that is there twice counts once. Undefined if no detail is named. */
export function detailsOf(fields: object): Details | undefined {
  const named: { -readonly [Name in keyof DetailFields]: DetailFields[Name] } | undefined =
    namedDetails(fields);
  if (named === undefined) return undefined;
  // Copies only where something differs: each ping with details comes through here.
  const { tags, addresses } = named;
  if (tags?.some((each, at) => tags.indexOf(each) < at)) named.tags = [...new Set(tags)];
  if (addresses !== undefined)
    named.addresses = addresses.map((each) => ({ ip: parseIp(each.ip)!, port: each.port }));
  return Details.of(named);
}

/** Whether the fields name just these details, written as they are kept: far cheaper to tell than to check them. */
export function nameTheSame(fields: object, { fields: known }: Details): boolean {
  for (const name of DETAIL_NAMES) {
    const value = Object.hasOwn(fields, name) ? (fields as DetailFields)[name] : undefined;
    if (!isSame(value, known[name])) return false;
  }
  return true;
}

/** Whether two values of JSON are the same; the order of keys does not matter. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((each, at) => isSame(each, b[at]));
  const keys = Object.keys(a);
  if (Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isSame((a as Fields)[key], (b as Fields)[key]));
}

type Fields = Readonly<Record<string, unknown>>;
