/** The page of the API, from the description that a service with all of it gives of itself. */

import { ERRORS, type ErrorCode } from '../../src/errors.ts';
import { ApiDescription, type DescribedOperation } from '../../test/support/api-description.ts';
import { startTestService } from '../../test/support/start-test-service.ts';
import { grouped, page, plain, table } from './page.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly items?: Schema;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation extends DescribedOperation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
}

interface Field {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean | undefined;
  readonly description?: string | undefined;
}

interface Document {
  readonly tags: readonly { readonly name: string }[];
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, { readonly description: string }>>;
  };
}

const INTRODUCTION = `\`GET /openapi.json\` of a service has the same for programs, and only what its options offer: this is that of a service with an admin key and \`--allow-unlisted\`. [The API](../api.md) explains it, and [find servers](../find.md) the queries.

Every request may have an \`X-Request-Id\`. What reads takes HEAD as well, and each path takes OPTIONS. Fields that are not described are ignored.`;

/** Everything that depends on an option of its own. */
const ALL = { GSLS_ADMIN_KEY: 'admin', GSLS_ALLOW_UNLISTED: 'true' };

export async function renderApi(): Promise<string> {
  const service = await startTestService(ALL);
  try {
    return render(await ApiDescription.of(service));
  } finally {
    await service.close();
  }
}

function render(description: ApiDescription): string {
  const { tags, components } = description.document as unknown as Document;
  const places = tags.map(({ name }) => name);
  const operations = ([...description.operations] as unknown as [string, Operation][]).toSorted(
    ([, a], [, b]) => places.indexOf(a.tags[0]!) - places.indexOf(b.tags[0]!),
  );
  const codesOf = (name: string): readonly ErrorCode[] => description.outcomesOf(name).codes;
  const everywhere = codesOf(operations[0]![0]).filter((code) =>
    operations.every(([name]) => codesOf(name).includes(code)),
  );
  const told = new Map<string, string>();
  return page('API', [
    INTRODUCTION,
    `Every request can get ${linksTo(everywhere)}. With a key each can get ${linksTo(['unauthorized'])}, and with \`--rate-limit\` those of its kinds ${linksTo(['rate_limited'])}.`,
    ...grouped(
      operations,
      ([, operation]) => operation.tags[0]!,
      (those) =>
        those.flatMap(([name, operation]) => [
          `### ${name}`,
          [`${operation.summary}.`, operation.description].filter(Boolean).join(' '),
          ...fieldsOf(name, operation, told),
          ...answersOf(operation),
          `Errors: ${linksTo(codesOf(name).filter((code) => !everywhere.includes(code))) || 'none of its own'}.`,
        ]),
    ),
    '## Headers of answers',
    table(['Header', 'Meaning'], headersOf(components.headers)),
    '## Schemas',
    ...Object.entries(components.schemas).flatMap(([name, schema]) => [`### ${name}`, ...schemaOf(schema)]),
  ]);
}

/** A table of what the request takes. What an operation before it has told is only named. */
function fieldsOf(
  place: string,
  { parameters, requestBody }: Operation,
  told: Map<string, string>,
): string[] {
  const body = requestBody?.content['application/json']?.schema as Schema | undefined;
  const fields: readonly Field[] = [
    ...parameters.filter(({ name }) => name !== 'X-Request-Id'),
    ...Object.entries(body?.properties ?? {}).map(([name, { description }]) => ({
      name,
      in: 'body',
      description,
      required: body!.required?.includes(name),
    })),
  ];
  const rows = new Map<string, string[]>();
  const repeated = new Map<string, string[]>();
  for (const field of fields) {
    const row = [field.in, field.required === true ? 'yes' : 'no', cell(field.description ?? '')].join(' | ');
    const key = `\`${field.name}\` | ${row}`;
    const [names, where] = told.has(key) ? [repeated, told.get(key)!] : [rows, row];
    names.set(where, [...(names.get(where) ?? []), `\`${field.name}\``]);
    if (names === rows) told.set(key, place);
  }
  const fresh = [...rows].map(([row, names]) => [names.join(', '), row]);
  return [
    ...(fresh.length === 0 ? [] : [table(['Field', 'In', 'Required', 'Meaning'], fresh)]),
    ...[...repeated].map(([where, names]) => `As at [${where}](#${anchorOf(where)}): ${names.join(', ')}.`),
  ];
}

/** What comes of it where all is well. */
function answersOf({ responses }: Operation): string[] {
  const answers = Object.entries(responses).filter(([status, { content }]) => status < '400' && content);
  return answers.map(([status, { content, headers }]) => {
    const types = Object.entries(content!).map(([type, { schema }]) =>
      type === 'application/json' && '$ref' in schema ? typeOf(schema as Schema) : `\`${type}\``,
    );
    const names = Object.keys(headers).map((name) => `\`${name}\``);
    return `Answer: ${status} with ${types.join(' or ')}, and the headers ${names.join(', ')}.`;
  });
}

/** Each is there twice: always, and perhaps. */
function headersOf(headers: Document['components']['headers']): string[][] {
  return Object.entries(headers)
    .filter(([name]) => !name.endsWith('.optional'))
    .map(([name, { description }]) => [`\`${name}\``, cell(description)]);
}

function schemaOf(schema: Schema): string[] {
  const heading = ['Field', 'Type', 'There', 'Meaning'];
  return [...[schema.description ?? []].flat(), table(heading, [...rowsOf(schema)])];
}

/** With what is inside of objects and arrays, as `points[].time`. */
function* rowsOf({ required = [], properties = {} }: Schema, prefix = ''): Generator<string[]> {
  for (const [name, schema] of Object.entries(properties)) {
    const there = required.includes(name) ? 'always' : 'perhaps';
    yield [`\`${prefix}${name}\``, typeOf(schema), there, cell(schema.description ?? '')];
    yield* rowsOf(schema.items ?? schema, `${prefix}${name}${schema.items ? '[]' : ''}.`);
  }
}

function typeOf({ type, $ref, items }: Schema): string {
  if ($ref !== undefined) return `[${$ref.split('/').at(-1)!}](#${$ref.split('/').at(-1)!.toLowerCase()})`;
  if (items !== undefined) return `array of ${typeOf(items)}`;
  return [type ?? 'any'].flat().join(' or ');
}

const cell = (text: string): string => plain(text).replaceAll('\n', ' ');
const linksTo = (codes: readonly ErrorCode[]): string =>
  codes.map((code) => `${ERRORS[code].status} [\`${code}\`](errors.md#${code})`).join(', ');

/** As GitHub makes it of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}
