/** The page of the API, from the description that a service with all of it gives of itself. */

import { FINDINGS } from '../../src/model/findings.ts';
import { ERRORS, type ErrorCode } from '../../src/model/errors.ts';
import { FILTER_PARAMETERS } from '../../src/api/docs/openapi/request-schemas.ts';
import { ApiDescription, type DescribedOperation } from '../../test/support/api-description.ts';
import { startTestService } from '../../test/support/start-test-service.ts';
import { grouped, list, page } from './page.ts';
import { cell, quoted, schemasOf, typeOf, type Schema } from './schemas.ts';

interface Operation extends DescribedOperation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
}

interface Document {
  readonly tags: readonly { readonly name: string }[];
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, { readonly description: string }>>;
  };
}

const INTRODUCTION = `\`GET /openapi.json\` of a service has the same for programs, and only what its options offer: this is that of a service with an admin key and \`--allow-unlisted\`. [The API](../api.md) has the rules that no single request says, and [find servers](../find.md) explains the queries.

Fields in bold are required. Those of a POST are in its body, a JSON object; those of a GET and a DELETE are in the query, or in the path where it has them in braces; those with a capital are headers. Fields that are not described are ignored. Every request may have an \`X-Request-Id\`. What reads takes HEAD as well, and each path takes OPTIONS.

A string holds letters, numbers, punctuation and symbols of all scripts, emojis, and spaces between them, at least one of them visible. Refused are control characters, bidi overrides, broken Unicode, U+FFFD, and characters that show nothing, with which one name could pass for another. Joiners and variation selectors are allowed where they join or vary something. A listed game server keeps its host and name when these rules become stricter.`;

/** Everything that depends on an option of its own. */
const ALL = { GSLS_ADMIN_KEY: 'admin', GSLS_ALLOW_UNLISTED: 'true' };

/** Every request gets these errors where it needs a key. */
const WITH_KEY: readonly ErrorCode[] = ['unauthorized', 'not_allowed'];

const FILTERS = new Set(FILTER_PARAMETERS.map(({ description }) => description));

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
  const everywhere = sharedBy(operations.map(([name]) => codesOf(name)));
  const common = sharedBy(operations.flatMap(([, operation]) => answersOf(operation).map(headersOf)));
  const told = new Map<string, string>();
  return page('API', [
    INTRODUCTION,
    `Every answer has the headers ${quoted(common)}. Every request can get ${linksTo(everywhere)}, with a key ${linksTo(WITH_KEY)}, and with \`--rate-limit\` those of its kinds ${linksTo(['rate_limited'])}.`,
    ...grouped(
      operations,
      ([, operation]) => operation.tags[0]!,
      (those) =>
        those.flatMap(([name, operation]) => [
          `### ${name}`,
          [`${operation.summary}.`, operation.description].filter(Boolean).join(' '),
          ...fieldsOf(name, operation, told),
          outcomesOf(
            operation,
            common,
            codesOf(name).filter((code) => ![...everywhere, ...WITH_KEY].includes(code)),
          ),
        ]),
    ),
    '## Causes that the doctor finds',
    'A `cause` is one of these, or the code of an [error](errors.md) that the service answered to this address in the last ten minutes.',
    list(
      Object.entries(FINDINGS)
        .filter(([cause]) => !Object.hasOwn(ERRORS, cause))
        .map(([cause, { says }]) => `\`${cause}\`: ${says}`),
    ),
    '## Headers of answers',
    list(
      // Each is there twice: always, and perhaps.
      Object.entries(components.headers)
        .filter(([name]) => !name.endsWith('.optional'))
        .map(([name, { description: meaning }]) => `\`${name}\`: ${cell(meaning)}`),
    ),
    '## Schemas',
    'A field with a `?` is not always there.',
    ...schemasOf(components.schemas, told),
  ]);
}

function sharedBy<T>(lists: readonly (readonly T[])[]): T[] {
  return lists[0]!.filter((each) => lists.every((those) => those.includes(each)));
}

/** What the request takes. What an operation before it has told is only named. */
function fieldsOf(
  place: string,
  { parameters, requestBody }: Operation,
  told: Map<string, string>,
): string[] {
  const body = requestBody?.content['application/json']?.schema as Schema | undefined;
  const fields = [
    ...parameters
      .filter(({ name }) => name !== 'X-Request-Id')
      .map(({ name, description, required, schema }) => ({
        name,
        meaning: withLimits(description, schema as Schema),
        required: required === true,
      })),
    ...Object.entries(body?.properties ?? {}).map(([name, { description = '' }]) => ({
      name,
      meaning: description,
      required: body!.required?.includes(name) === true,
    })),
  ];
  const rows = new Map<string, string[]>();
  const repeated = new Map<string, string[]>();
  for (const { name, meaning, required } of fields) {
    const where = told.get(`${name} ${meaning}`);
    const shown = required ? `**\`${name}\`**` : `\`${name}\``;
    if (where === undefined) rows.set(meaning, [...(rows.get(meaning) ?? []), shown]);
    else if (!FILTERS.has(meaning)) repeated.set(where, [...(repeated.get(where) ?? []), shown]);
    else if (name === 'q') repeated.set(where, ['all filters']);
    told.set(`${name} ${meaning}`, where ?? place);
  }
  return [
    list([
      ...[...rows].map(([meaning, names]) => `${names.join(', ')}: ${cell(meaning)}`),
      ...[...repeated].map(([where, names]) => `As at [${where}](#${anchorOf(where)}): ${names.join(', ')}.`),
    ]),
  ].filter(Boolean);
}

/** What the schema of a parameter says and its description does not. */
function withLimits(description: string, schema: Schema): string {
  const { enum: values = [], minimum, maximum, default: usual } = schema;
  const isKnown = description.includes(`${maximum ?? values[0]}`);
  return [
    description,
    ...(isKnown || values.length === 0 ? [] : [`${quoted(values, ' or ')}.`]),
    ...(isKnown || maximum === undefined ? [] : [`${minimum} to ${maximum}.`]),
    ...(usual === undefined ? [] : [`By default \`${usual}\`.`]),
  ].join(' ');
}

type Answer = readonly [string, DescribedOperation['responses'][string]];

/** Those with a body where all is well. */
function answersOf({ responses }: DescribedOperation): readonly Answer[] {
  return Object.entries(responses).filter(([status, { content }]) => status < '400' && content);
}

const headersOf = ([, { headers }]: Answer): readonly string[] => Object.keys(headers);

function outcomesOf(operation: Operation, common: readonly string[], codes: readonly ErrorCode[]): string {
  const answers = answersOf(operation).map((answer) => {
    const [status, { content }] = answer;
    const types = Object.entries(content!).map(([type, { schema }]) =>
      type === 'application/json' && '$ref' in schema ? typeOf(schema as Schema) : `\`${type}\``,
    );
    const names = headersOf(answer).filter((name) => !common.includes(name));
    return `Answer: ${status} ${types.join(', ')}${names.length === 0 ? '' : `, with ${quoted(names)}`}.`;
  });
  return [...answers, ...(codes.length === 0 ? [] : [`Errors: ${linksTo(codes)}.`])].join(' ');
}

const linksTo = (codes: readonly ErrorCode[]): string =>
  codes.map((code) => `[\`${code}\`](errors.md#${code})`).join(', ');

/** As GitHub makes it of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}
