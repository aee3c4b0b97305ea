/**
 * What two versions of a JSON schema differ in to somebody who relies on the first: for values that are sent to a
 * service, which may refuse nothing that it took, and for values that it answers, which keep their fields and types.
 */

import type { Schema } from '../../../src/api/docs/openapi/parameter.ts';

type Schemas = Readonly<Record<string, Schema>>;

/** What a schema describes. */
export type Way = 'request' | 'answer';

/** The schemas that the two documents have by name, and which of those are compared already. */
export interface Named {
  readonly before: Schemas;
  readonly after: Schemas;
  readonly compared: Set<string>;
  /** Whether what was deprecated may be gone. */
  readonly isNewMajor: boolean;
}

const LIMITS = {
  lowest: ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'],
  highest: ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'],
};
/** Keywords that say something to people alone, and those that are compared each in its way. */
const JUDGED = new Set(
  [
    ['description', 'title', 'example', 'examples', 'deprecated', '$schema'],
    ['$ref', 'type', 'enum', 'const', 'pattern', 'format', 'default'],
    ['properties', 'required', 'additionalProperties', 'items'],
    LIMITS.lowest,
    LIMITS.highest,
  ].flat(),
);

/** Sentences, each of which begins with `where`. The name of a schema takes the place of where it is used. */
export function schemaBreaks(
  where: string,
  before: Schema,
  after: Schema,
  way: Way,
  named: Named,
): readonly string[] {
  const [from, to] = [resolved(before, named.before), resolved(after, named.after)];
  const name = nameOf(before);
  if (name !== undefined) {
    const key = `${way} ${name} ${nameOf(after) ?? where}`;
    if (named.compared.has(key)) return [];
    named.compared.add(key);
  }
  const at = name ?? where;
  return [
    ...typeBreaks(from, to, way),
    ...valueBreaks(from, to, way),
    ...(way === 'request' ? limitBreaks(from, to) : []),
    ...otherBreaks(from, to),
  ]
    .map((what) => `${at} ${what}`)
    .concat(fieldBreaks(at, from, to, way, named), partBreaks(at, from, to, way, named));
}

const REFERENCE = /^#\/components\/schemas\//;

const nameOf = ({ $ref }: Schema): string | undefined =>
  typeof $ref === 'string' ? $ref.replace(REFERENCE, '') : undefined;

function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = nameOf(schema);
  return name === undefined ? schema : resolved(schemas[name]!, schemas);
}

/** A request may be of each type that it could be of; an answer is of no type that it was not. */
function typeBreaks({ type: before }: Schema, { type: after }: Schema, way: Way): string[] {
  const [from, to] = [typesOf(before), typesOf(after)];
  const [wide, narrow] = way === 'request' ? [to, from] : [from, to];
  const fits = wide === undefined || narrow?.every((each) => wide.has(each));
  return fits ? [] : [`has another type: ${JSON.stringify(before)}, now ${JSON.stringify(after)}`];
}

function typesOf(type: unknown): (string[] & { has(name: string): boolean }) | undefined {
  if (type === undefined) return undefined;
  const types = [type].flat() as string[];
  const has = (name: string): boolean =>
    types.includes(name) || (name === 'integer' && types.includes('number'));
  return Object.assign(types, { has });
}

/** No value is gone. A new one is fine in an answer, too: clients take what they do not know. */
function valueBreaks(before: Schema, after: Schema, way: Way): string[] {
  const [from, to] = [valuesOf(before), valuesOf(after)];
  if (to === undefined) return [];
  if (from === undefined) return way === 'request' ? [`takes only ${to.join(', ')} now`] : [];
  return from.filter((value) => !to.includes(value)).map((value) => `has no ${value} any more`);
}

function valuesOf({ enum: values, const: value }: Schema): string[] | undefined {
  if (value !== undefined) return [JSON.stringify(value)];
  return (values as unknown[] | undefined)?.map((each) => JSON.stringify(each));
}

function limitBreaks(before: Schema, after: Schema): string[] {
  const narrower = (keyword: string, isNarrower: (from: number, to: number) => boolean): boolean =>
    after[keyword] !== undefined &&
    (before[keyword] === undefined || isNarrower(before[keyword] as number, after[keyword] as number));
  return [
    ...LIMITS.lowest.filter((keyword) => narrower(keyword, (from, to) => to > from)),
    ...LIMITS.highest.filter((keyword) => narrower(keyword, (from, to) => to < from)),
  ].map(
    (keyword) => `is narrower: ${keyword} was ${String(before[keyword])}, and is ${String(after[keyword])}`,
  );
}

/** A change of these may be one for the better, which a person has to say. */
function otherBreaks(before: Schema, after: Schema): string[] {
  const others = new Set([...Object.keys(before), ...Object.keys(after)].filter((key) => !JUDGED.has(key)));
  return ['pattern', 'format', 'default', ...others]
    .filter((keyword) => JSON.stringify(before[keyword]) !== JSON.stringify(after[keyword]))
    .map(
      (keyword) =>
        `has another ${keyword}: ${JSON.stringify(before[keyword])}, now ${JSON.stringify(after[keyword])}`,
    );
}

function fieldBreaks(at: string, before: Schema, after: Schema, way: Way, named: Named): string[] {
  const [from, to] = [before, after].map(({ properties = {} }) => properties as Schemas) as [
    Schemas,
    Schemas,
  ];
  const [needed, need] = [before, after].map(({ required = [] }) => required as string[]) as [
    string[],
    string[],
  ];
  const changed =
    way === 'request'
      ? need.filter((name) => !needed.includes(name))
      : needed.filter((name) => !need.includes(name));
  const fields = Object.entries(from).flatMap(([name, field]): readonly string[] => {
    if (to[name] !== undefined) return schemaBreaks(`${at}.${name}`, field, to[name], way, named);
    return field['deprecated'] === true && named.isNewMajor ? [] : [`${at}.${name} is gone`];
  });
  return [
    ...fields,
    ...changed
      .filter((name) => way === 'request' || to[name] !== undefined)
      .map((name) => `${at}.${name} is ${way === 'request' ? 'required now' : 'no longer sure to be there'}`),
  ];
}

/** The items of an array, and the values of an object whose fields have no names of their own. */
function partBreaks(at: string, before: Schema, after: Schema, way: Way, named: Named): readonly string[] {
  const { items, additionalProperties: values = true } = before;
  const { items: newItems, additionalProperties: newValues = true } = after;
  const ofItems =
    items !== undefined || newItems !== undefined
      ? schemaBreaks(`${at}[]`, (items ?? {}) as Schema, (newItems ?? {}) as Schema, way, named)
      : [];
  if (typeof values === 'object' && typeof newValues === 'object')
    return [...ofItems, ...schemaBreaks(`${at}.*`, values as Schema, newValues as Schema, way, named)];
  const isClosed = newValues === false && values !== false;
  const isNarrower = way === 'request' && typeof newValues === 'object' && values === true;
  const isOpen = way === 'answer' && typeof values === 'object';
  return isClosed || isNarrower || isOpen ? [...ofItems, `${at} has other values`] : ofItems;
}
