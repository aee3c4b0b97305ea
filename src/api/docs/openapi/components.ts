/**
 * The parts of the document that operations share: headers, examples of errors, and the answers to errors, each of
 * which is there once. This file knows of an operation only what it may answer.
 */

import { ERRORS, type ErrorCode } from '../../../model/errors.ts';
import { errorSchema } from './answer-schemas.ts';
import { ERROR_EXAMPLES } from './examples.ts';
import {
  COMMON_HEADERS,
  HEADERS_OF_ERRORS,
  RATE_LIMIT_HEADERS,
  RESPONSE_HEADERS,
  type ResponseHeader,
} from './headers.ts';
import type { DescribedAnswer } from './operation.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export class Components {
  readonly #responses: Record<string, JsonObject> = {};

  /** The components that the operations so far refer to. */
  get all(): JsonObject {
    return {
      responses: this.#responses,
      headers: Object.fromEntries(
        Object.entries(RESPONSE_HEADERS).flatMap(([name, header]) => [
          [name, { ...header, required: true }],
          [optional(name), header],
        ]),
      ),
      examples: ERROR_EXAMPLES,
    };
  }

  /** Answers to errors with these codes, by status. `isLimited`: whether they may have the headers of a rate limit. */
  errors(codes: readonly ErrorCode[], isLimited: boolean): JsonObject {
    const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].toSorted((a, b) => a - b);
    return Object.fromEntries(
      statuses.map((status) => [
        status,
        this.errorAnswer(
          codes.filter((code) => ERRORS[code].status === status),
          isLimited,
        ),
      ]),
    );
  }

  /** The answer to errors with one of these codes. */
  errorAnswer(codes: readonly ErrorCode[], isLimited: boolean): JsonObject {
    const name = [...codes, ...(isLimited ? ['limited'] : [])].join('.');
    const own = codes.map((code) => HEADERS_OF_ERRORS[code] ?? []);
    const all = [...new Set(own.flat())];
    const always = all.filter((header) => own.every((headers) => headers.includes(header)));
    this.#responses[name] ??= {
      description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}.`).join('\n\n'),
      headers: headerObjects(
        [...COMMON_HEADERS, ...always],
        [...all.filter((header) => !always.includes(header)), ...(isLimited ? RATE_LIMIT_HEADERS : [])],
      ),
      content: {
        'application/json': {
          schema: errorSchema(codes),
          examples: Object.fromEntries(
            codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
          ),
        },
      },
    };
    return { $ref: `#/components/responses/${name}` };
  }
}

/** An answer that is no error. `limited`: how many of such answers have the headers of a rate limit. */
export function answerObject(
  { description, content, headers = [], optionalHeaders = [] }: DescribedAnswer,
  limited: 'all' | 'some' | 'none',
): JsonObject {
  return {
    description,
    headers: headerObjects(
      [...COMMON_HEADERS, ...headers, ...(limited === 'all' ? RATE_LIMIT_HEADERS : [])],
      [...optionalHeaders, ...(limited === 'some' ? RATE_LIMIT_HEADERS : [])],
    ),
    ...(content && { content }),
  };
}

/** References to headers: `always` for those that every such answer has, `sometimes` for those that it may have. */
function headerObjects(always: readonly ResponseHeader[], sometimes: readonly ResponseHeader[]): JsonObject {
  return Object.fromEntries([
    ...always.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ...sometimes.map((name) => [name, { $ref: `#/components/headers/${optional(name)}` }]),
  ]) as JsonObject;
}

/** The name of the same header where an answer need not have it. */
function optional(name: string): string {
  return `${name}.optional`;
}
