/** The schemas of the API as lists of their fields, and the words of the code as they stand in a line. */

import { list, plain } from './page.ts';

export interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly items?: Schema;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The rules for texts are told once, and not at each of them. */
const RULE_OF_TEXTS =
  /, (?:some of them visible, )?and none (?:of them )?a control, bidi override or invisible character/g;

/** A schema with fewer fields is not worth a reference. */
const FEWEST_SHARED = 3;

/** A part for each schema; `told`: what requests have said before. */
export function schemasOf(
  schemas: Readonly<Record<string, Schema>>,
  told: ReadonlyMap<string, string>,
): readonly string[] {
  const meanings = new Set([...told.keys()].map((key) => key.slice(key.indexOf(' ') + 1)));
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const rows = new Map<string, string[]>();
    for (const [field, words] of rowsOf(schema)) rows.set(words, [...(rows.get(words) ?? []), field]);
    const lines = [...rows].map(([words, fields]) => `${fields.join(', ')}${words}`);
    return [`### ${name}`, ...[schema.description ?? []].flat(), list(lines)];
  });

  /** Fields with the words behind their names. With what is inside of objects and arrays, as `points[].time`. */
  function* rowsOf({ required = [], properties = {} }: Schema, prefix = ''): Generator<[string, string]> {
    const base = Object.entries(schemas).findLast(([, { properties: those = {} }]) => {
      const names = Object.keys(those);
      const isPart = names.length >= FEWEST_SHARED && names.length < Object.keys(properties).length;
      return isPart && names.every((name) => isSame(those[name], properties[name]));
    });
    if (base !== undefined)
      yield [
        prefix === '' ? 'All' : `\`${prefix.slice(0, -1)}\`: all`,
        ` of [${base[0]}](#${base[0].toLowerCase()})`,
      ];
    for (const [name, schema] of Object.entries(properties)) {
      if (base?.[1].properties?.[name] !== undefined) continue;
      const inside = schema.items ?? schema;
      const type = typeOf(schema);
      const meaning = cell(schema.description ?? '');
      const words = meanings.has(schema.description ?? '') ? ' as sent' : meaning && `: ${meaning}`;
      const isOptional = required.includes(name) ? '' : '?';
      if (inside.properties === undefined || words !== '')
        yield [`\`${prefix}${name}${isOptional}\``, ` (${type})${words}`];
      yield* rowsOf(inside, `${prefix}${name}${schema.items ? '[]' : ''}.`);
    }
  }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export function typeOf({ type, $ref, items, enum: values }: Schema): string {
  if ($ref !== undefined) return `[${$ref.split('/').at(-1)!}](#${$ref.split('/').at(-1)!.toLowerCase()})`;
  if (items !== undefined) return `array of ${typeOf(items)}`;
  if (values !== undefined && values.length < 10) return quoted(values);
  return [type ?? 'any'].flat().join(' or ');
}

export const quoted = (names: readonly string[], between = ', '): string =>
  names.map((name) => `\`${name}\``).join(between);
/** A text of the code as it stands in a line. */
export const cell = (text: string): string => plain(text.replaceAll(RULE_OF_TEXTS, '')).replaceAll('\n', ' ');
