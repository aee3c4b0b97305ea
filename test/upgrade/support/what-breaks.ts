/** What a version of the API breaks of what the one before has promised, by the descriptions that both give. */

import type { Parameter, Schema } from '../../../src/api/docs/openapi/parameter.ts';
import { schemaBreaks, type Named, type Way } from './schema-breaks.ts';

interface Media {
  readonly schema: Schema;
}

interface Header {
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly schema?: Schema;
}

interface Response {
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Operation {
  readonly deprecated?: boolean;
  readonly security?: readonly object[];
  readonly parameters?: readonly (Omit<Parameter, 'description'> & { readonly deprecated?: boolean })[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

/** A document of OpenAPI, as far as it is compared. */
export interface Described {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Sentences, each of which names what is gone, or means something else, or is needed now; none for what is new. What
 * the document before calls deprecated may be gone where the document after has a higher major version.
 */
export function whatBreaks(before: Described, after: Described): readonly string[] {
  const named: Named = {
    before: (before.components?.['schemas'] ?? {}) as Named['before'],
    after: (after.components?.['schemas'] ?? {}) as Named['after'],
    compared: new Set(),
    isNewMajor: majorOf(after) > majorOf(before),
  };
  return Object.entries(before.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, from]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const to = after.paths[path]?.[method];
      if (to === undefined) return gone(name, from, named);
      return [
        ...securityBreaks(name, from, to),
        ...parameterBreaks(name, from, to, named),
        ...bodyBreaks(name, from, to, named),
        ...Object.entries(from.responses).flatMap(([status, response]) => {
          const answer = `${status} to ${name}`;
          const now = to.responses[status];
          if (now === undefined) return [`${answer} is gone`];
          return responseBreaks(
            answer,
            resolve(before, response),
            resolve(after, now),
            [before, after],
            named,
          );
        }),
      ];
    }),
  );
}

const majorOf = ({ info }: Described): number => Number.parseInt(info.version, 10);

function gone(what: string, { deprecated }: { readonly deprecated?: boolean }, named: Named): string[] {
  return deprecated === true && named.isNewMajor ? [] : [`${what} is gone`];
}

function resolve<T>({ components }: Described, value: T | { readonly $ref: string }): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value;
  const [kind, name] = value.$ref.split('/').slice(2) as [string, string];
  return components![kind]![name] as T;
}

const ways = (security: readonly object[]): string[] =>
  security.map((each) => Object.keys(each).toSorted().join(' and '));

/** Each way in is one still; whoever needed none needs none. */
function securityBreaks(
  name: string,
  { security: from = [] }: Operation,
  { security: to = [] }: Operation,
): string[] {
  if (to.length === 0 || ways(to).includes('')) return [];
  if (from.length === 0) return [`${name} needs ${ways(to).join(' or ')} now`];
  return ways(from)
    .filter((way) => !ways(to).includes(way))
    .map((way) => `${name} lets nobody in by ${way === '' ? 'nothing' : way} any more`);
}

function parameterBreaks(name: string, from: Operation, to: Operation, named: Named): readonly string[] {
  const { parameters: before = [] } = from;
  const { parameters: after = [] } = to;
  const same = (all: typeof before, one: (typeof before)[number]): (typeof before)[number] | undefined =>
    all.find((each) => each.in === one.in && each.name.toLowerCase() === one.name.toLowerCase());
  return [
    ...before.flatMap((parameter) => {
      const where = `${name} ${parameter.name}`;
      const now = same(after, parameter);
      if (now === undefined) return gone(where, parameter, named);
      const form = (each: typeof parameter): string => JSON.stringify([each.style, each.explode]);
      return [
        ...(form(now) === form(parameter) ? [] : [`${where} is written in another form`]),
        ...schemaBreaks(where, parameter.schema, now.schema, 'request', named),
      ];
    }),
    ...after
      .filter((each) => each.required && !same(before, each)?.required)
      .map((each) => `${name} ${each.name} is required now`),
  ];
}

function bodyBreaks(name: string, from: Operation, to: Operation, named: Named): readonly string[] {
  const needed = to.requestBody?.required && !from.requestBody?.required;
  return [
    ...(needed ? [`${name} needs a body now`] : []),
    ...contentBreaks(`the body of ${name}`, from.requestBody ?? {}, to.requestBody ?? {}, 'request', named),
  ];
}

function contentBreaks(
  where: string,
  from: Response,
  to: Response,
  way: Way,
  named: Named,
): readonly string[] {
  return Object.entries(from.content ?? {}).flatMap(([type, { schema }]) => {
    const now = to.content?.[type];
    return now === undefined
      ? [`${where} is ${type} no more`]
      : schemaBreaks(where, schema, now.schema, way, named);
  });
}

function responseBreaks(
  where: string,
  from: Response,
  to: Response,
  [before, after]: readonly [Described, Described],
  named: Named,
): readonly string[] {
  const headers = Object.entries(from.headers ?? {}).flatMap(([name, header]): readonly string[] => {
    const old = resolve(before, header);
    const what = `${name} of ${where}`;
    if (to.headers?.[name] === undefined) return gone(what, old, named);
    const now = resolve(after, to.headers[name]);
    return [
      ...(old.required && !now.required ? [`${what} is no longer sure to be there`] : []),
      ...schemaBreaks(what, old.schema ?? {}, now.schema ?? {}, 'answer', named),
    ];
  });
  return [...headers, ...contentBreaks(where, from, to, 'answer', named)];
}
