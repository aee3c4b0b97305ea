/**
 * The description that a service gives of itself, for tests: what it says that may be asked and answered, and whether
 * an answer is as it says. Objects that it describes have no further properties here, though clients must take them.
 */

import { gunzipSync } from 'node:zlib';
import { ERRORS, type ErrorCode } from '../../src/model/errors.ts';
import type { Parameter, Schema } from '../../src/api/docs/openapi/parameter.ts';
import { ask, type AskOptions } from './ask.ts';
import { Validators } from './validators.ts';

type Examples = Readonly<Record<string, { readonly value?: unknown; readonly $ref?: string }>>;

interface Media {
  readonly schema: Schema;
  readonly examples: Examples;
}

interface Reference {
  readonly $ref?: string;
}

interface DescribedHeader extends Reference {
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface DescribedResponse extends Reference {
  readonly headers: Readonly<Record<string, DescribedHeader>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

export interface ApiDocument {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An answer, whichever client got it. */
export interface AnswerToCheck {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As it came, compressed or not. */
  readonly bytes: Buffer;
}

/** A request as the examples of its operation make it. */
export interface ExampleRequest {
  readonly path: string;
  readonly body?: unknown;
}

/** Headers of HTTP, of CORS and of the connection: no description has them. */
const HEADERS_OF_HTTP =
  /^(date|connection|keep-alive|transfer-encoding|content-length|content-type|access-control-.*)$/;

const METHODS = ['get', 'post', 'delete'];

export class ApiDescription {
  readonly document: ApiDocument;
  /** By method and path: `GET /servers`. */
  readonly operations: ReadonlyMap<string, DescribedOperation>;
  readonly #validators: Validators;

  constructor(document: ApiDocument) {
    this.document = document;
    this.operations = new Map(
      Object.entries(document.paths).flatMap(([path, item]) =>
        METHODS.filter((method) => method in item).map((method): [string, DescribedOperation] => [
          `${method.toUpperCase()} ${path}`,
          item[method]!,
        ]),
      ),
    );
    this.#validators = Validators.of(document.components['schemas']);
  }

  static async of(service: { readonly url: string }, options: AskOptions = {}): Promise<ApiDescription> {
    const { text } = await ask(service, 'GET /openapi.json', options);
    return new ApiDescription(JSON.parse(text) as ApiDocument);
  }

  /** What the statuses of an operation stand for: codes of errors, and statuses that are none. */
  outcomesOf(name: string): { readonly codes: readonly ErrorCode[]; readonly statuses: readonly number[] } {
    const codes: ErrorCode[] = [];
    const statuses: number[] = [];
    for (const [status, response] of Object.entries(this.#operation(name).responses)) {
      if (Number(status) < 400) statuses.push(Number(status));
      else codes.push(...this.#codesOf(response));
    }
    return { codes, statuses };
  }

  /** The media types of an answer. */
  mediaTypesOf(name: string, status: number): readonly string[] {
    return Object.keys(this.#resolve(this.#operation(name).responses[status]!).content ?? {});
  }

  /** The request that the examples of the operation make; `example`: the one of the body. */
  exampleOf(name: string, example?: string): ExampleRequest {
    const { parameters, requestBody } = this.#operation(name);
    const required = parameters.filter(({ required: isRequired }) => isRequired);
    const query = new URLSearchParams(
      required
        .filter((each) => each.in === 'query')
        .map((each): [string, string] => [each.name, String(each.example)]),
    ).toString();
    const path = required
      .filter((each) => each.in === 'path')
      .reduce(
        (text, each) => text.replace(`{${each.name}}`, encodeURIComponent(String(each.example))),
        name.split(' ')[1]!,
      );
    const examples = requestBody?.content['application/json']?.examples;
    return {
      path: query === '' ? path : `${path}?${query}`,
      ...(examples && {
        body: (example === undefined ? Object.values(examples)[0]! : examples[example]!).value,
      }),
    };
  }

  /** All that is said by a schema to be an example of it. */
  *examples(): Generator<{ readonly where: string; readonly schema: Schema; readonly value: unknown }> {
    for (const [name, { parameters, requestBody, responses }] of this.operations) {
      for (const { name: parameter, schema, example } of parameters)
        if (example !== undefined) yield { where: `${name} ${parameter}`, schema, value: example };
      for (const { schema, examples } of Object.values(requestBody?.content ?? {}))
        for (const [example, { value }] of Object.entries(examples))
          yield { where: `${name} with the body ${example}`, schema, value };
      for (const [status, response] of Object.entries(responses))
        for (const { schema, examples } of Object.values(this.#resolve(response).content ?? {}))
          for (const [example, each] of Object.entries(examples))
            yield { where: `${status} to ${name}, ${example}`, schema, value: this.#resolve(each).value };
    }
  }

  /** What is wrong with a value by a schema of the document; '' if nothing is. */
  problems(schema: Schema, value: unknown): string {
    const errors = this.#validators.errorsIn(schema, value);
    return errors === '' ? '' : `${errors} in ${JSON.stringify(value).slice(0, 500)}`;
  }

  /** Throws an Error that says how the answer differs from what the document says. Returns the code of an error. */
  check(name: string, answer: AnswerToCheck, method = name.split(' ')[0]!): ErrorCode | undefined {
    const { status } = answer;
    const { responses } = this.#operation(name);
    const isOfNone = this.#codesOf(responses['default']!).some((code) => isError(answer, code));
    const response = this.#resolve(
      (isOfNone ? responses['default'] : (responses[status] ?? responses['default']))!,
    );
    const complain = (what: string): never => {
      throw new Error(`${status} to ${name}: ${what}`);
    };
    const problem = this.#headerProblem(response, answer);
    if (problem !== undefined) complain(problem);
    if (method === 'HEAD' || response.content === undefined) {
      if (answer.bytes.length > 0) complain('it has a body');
      if (responses[status] === undefined) complain('the status is not in the document');
      return undefined;
    }
    const type = String(answer.headers['content-type']).split(';')[0]!;
    const media = response.content[type];
    if (media === undefined) return complain(`it is ${type}`);
    const text = textOf(answer);
    const body: unknown = type === 'application/json' ? JSON.parse(text) : text;
    const wrong = this.problems(media.schema, body);
    if (wrong !== '') complain(wrong);
    const { code } = body as { readonly code?: ErrorCode };
    if (status < 400 && responses[status] === undefined) complain('the status is not in the document');
    if (status >= 400 && ERRORS[code!].status !== status) complain(`${code} has another status`);
    return status < 400 ? undefined : code;
  }

  #headerProblem(response: DescribedResponse, { headers }: AnswerToCheck): string | undefined {
    const known = new Set(Object.keys(response.headers).map((name) => name.toLowerCase()));
    const unknown = Object.keys(headers).find((name) => !known.has(name) && !HEADERS_OF_HTTP.test(name));
    if (unknown !== undefined) return `the header ${unknown} is not in the document`;
    for (const [name, header] of Object.entries(response.headers)) {
      const { required, schema } = this.#resolve(header);
      const value = headers[name.toLowerCase()];
      if (value === undefined && required === true) return `the header ${name} is missing`;
      const wrong = value === undefined ? '' : this.problems(schema, String(value));
      if (wrong !== '') return `${name}: ${wrong}`;
    }
    return undefined;
  }

  #codesOf(response: DescribedResponse): readonly ErrorCode[] {
    return Object.keys(this.#resolve(response).content!['application/json']!.examples) as ErrorCode[];
  }

  #operation(name: string): DescribedOperation {
    const operation = this.operations.get(name);
    if (operation === undefined) throw new Error(`the document has no ${name}`);
    return operation;
  }

  #resolve<T extends Reference>(value: T): T {
    if (value.$ref === undefined) return value;
    const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(value.$ref)!;
    return this.document.components[kind!]![name!] as T;
  }
}

function isError({ status, bytes }: AnswerToCheck, code: ErrorCode): boolean {
  return status === ERRORS[code].status && bytes.includes(`"code":"${code}"`);
}

function textOf({ headers, bytes }: AnswerToCheck): string {
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}
