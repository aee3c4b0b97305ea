/**
 * Builds the description of the API for programs, as OpenAPI 3.1, from what each route declares: an endpoint that a
 * service does not offer is not in it. The body has no `status`, though answers of the API must have one.
 */

import { readFile } from 'node:fs/promises';
import type { ErrorCode } from '../../model/errors.ts';
import { MANIFEST } from '../../runtime/package-files.ts';
import type { Access } from '../http/guard.ts';
import { sheddableKind } from '../http/limits/load-shedding.ts';
import { changesSomething, type Route } from '../http/route.ts';
import type { Routes } from '../http/routes.ts';
import { ANSWER_SCHEMAS } from './openapi/answer-schemas.ts';
import { answerObject, Components, type JsonObject } from './openapi/components.ts';
import { REQUEST_ID_PARAMETER } from './openapi/headers.ts';
import { TAGS, type ApiOptions, type Operation, type Tag } from './openapi/operation.ts';

const ABOUT = `A master server: game servers announce themselves over HTTP, and players read one list.

- What reads takes HEAD as well, and each path takes OPTIONS.
- Fields of a request that are not described are ignored, but for those of a ban. Clients ignore fields of an answer that they do not know.
- Each answer of the API has a \`status\`, but for the list and the health. Metrics, this description and the page that shows it have none.
- Each error has a \`code\` for programs, and a text for people.`;

/** The errors that any request to a route may get before its endpoint is called. */
const ERRORS_OF_ALL: readonly ErrorCode[] = [
  'invalid_request',
  'request_timeout',
  'body_too_large',
  'headers_too_large',
  'internal_error',
  'http_version_not_supported',
];
const ERRORS_OF_FIELDS: readonly ErrorCode[] = ['invalid_json', 'unsupported_encoding'];

/** The errors for a request that is none of the operations. */
const ERRORS_OF_NONE: readonly ErrorCode[] = ['not_found', 'method_not_allowed'];

const KEY_SCHEMES = {
  bearer: scheme('bearer', 'The key of the service.'),
  basic: scheme('basic', 'Any name, and the key of the service as the password.'),
};
const ADMIN_SCHEMES = {
  adminBearer: scheme('bearer', 'The admin key.'),
  adminBasic: scheme('basic', 'Any name, and the admin key as the password.'),
};

function scheme(name: 'bearer' | 'basic', description: string): JsonObject {
  return { type: 'http', scheme: name, description };
}

export async function createDocument(
  { table }: Pick<Routes, 'table'>,
  options: ApiOptions,
): Promise<JsonObject> {
  const components = new Components();
  const paths: Record<string, Record<string, JsonObject>> = {};
  const tags = new Set<Tag>();
  for (const { path, routes } of table) {
    const operations: Record<string, JsonObject> = {};
    for (const [method, route] of routes) {
      if (method === 'HEAD') continue;
      if (route.describe === undefined) continue;
      const operation = await route.describe(options);
      tags.add(operation.tag);
      operations[method.toLowerCase()] = operationObject(operation, route, options, components);
    }
    paths[path] = operations;
  }
  const hasAdmin = table.some(({ accessOtherwise }) => accessOtherwise === 'moderate');
  return {
    openapi: '3.1.1',
    info: {
      title: 'GSLS, the Game Server Listing Service',
      description: ABOUT,
      license: { name: 'MIT', identifier: 'MIT' },
      version: await ownVersion(),
    },
    // A path relative to the document, since a reverse proxy may put the service behind a path.
    servers: [{ url: './', description: 'The service that has this description.' }],
    tags: (Object.keys(TAGS) as Tag[])
      .filter((name) => tags.has(name))
      .map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      schemas: ANSWER_SCHEMAS,
      ...components.all,
      securitySchemes: { ...(options.needsKey && KEY_SCHEMES), ...(hasAdmin && ADMIN_SCHEMES) },
    },
  };
}

/** The version of GSLS. */
async function ownVersion(): Promise<string> {
  const text = await readFile(MANIFEST, 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

function operationObject(
  operation: Operation,
  route: Route,
  options: ApiOptions,
  components: Components,
): JsonObject {
  const { id, tag, summary, description, parameters = [], body, answers, errors } = operation;
  const { kind } = route;
  const { takesWork = false } = operation;
  const isLimited = kind !== undefined && options.limitedKinds.includes(kind);
  const limited = isLimited ? (route.isOfKind === undefined ? 'all' : 'some') : 'none';
  const isShed = options.shedsLoad && kind !== undefined && sheddableKind(kind) !== undefined;
  const schemes = schemesFor(route.access, options);
  const codes: ErrorCode[] = [
    ...ERRORS_OF_ALL,
    ...(route.input === 'fields' ? ERRORS_OF_FIELDS : []),
    ...(schemes.length > 0 ? (['unauthorized', 'not_allowed'] as const) : []),
    ...(isKeptFromPages(route, options) ? (['cross_site'] as const) : []),
    ...(isLimited ? (['rate_limited'] as const) : []),
    ...(isShed || takesWork ? (['overloaded'] as const) : []),
    ...errors,
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: schemes.map((name) => ({ [name]: [] })),
    parameters: [...parameters, REQUEST_ID_PARAMETER],
    ...(body && { requestBody: { required: true, content: { 'application/json': body } } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, answerObject(answer, limited)]),
      ),
      ...components.errors(codes, isLimited),
      default: components.errorAnswer(ERRORS_OF_NONE, false),
    },
  };
}

/** Whether some pages of other sites may not send such a request. */
function isKeptFromPages(route: Route, { openToAllPages }: ApiOptions): boolean {
  return changesSomething(route) && !(openToAllPages && route.cors === 'writing');
}

/** The names of the schemes, any one of which is enough; none if no key is needed. */
function schemesFor(access: Access, { needsKey, publicRead }: ApiOptions): readonly string[] {
  if (access === 'moderate') return Object.keys(ADMIN_SCHEMES);
  if (!needsKey || access === 'open' || (access === 'read' && publicRead)) return [];
  return access === 'bearer' ? ['bearer'] : Object.keys(KEY_SCHEMES);
}
