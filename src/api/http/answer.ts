/** Answers as values: endpoints return them; the fast path, the Koa path or the bare socket (refusal.ts) sends them. */

import type { ServerResponse } from 'node:http';
import { ERRORS, type ErrorCode } from '../../model/errors.ts';
import { ServiceError } from '../../model/service-error.ts';
import { Rope } from '../../runtime/bytes/rope.ts';

export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** A body of which no end is known yet, such as a stream. */
export interface StreamedBody {
  /** Called once the head is sent; from then on the response belongs to the body. */
  readonly start: (response: ServerResponse) => void;
}

export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Headers that differ each time the same answer is sent; names and values in turn. */
  readonly onlyHere?: readonly string[];
  /** Empty for 204, 303 and 304. */
  readonly body: string | Rope | StreamedBody;
  /** The code of the error; undefined for other answers. */
  readonly code?: ErrorCode;
}

/** The length of the body in bytes; undefined for a body without a known end. */
export function lengthOf({ body }: Answer): number | undefined {
  if (isStreamed(body)) return undefined;
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}

export function isStreamed(body: Answer['body']): body is StreamedBody {
  return typeof body === 'object' && 'start' in body;
}

const COMMON_HEADERS: AnswerHeaders = { 'X-Content-Type-Options': 'nosniff' };

const JSON_HEADERS: AnswerHeaders = {
  ...COMMON_HEADERS,
  'Content-Type': 'application/json; charset=utf-8',
  // Only the list may be cached, and a ping by GET must reach the service each time.
  'Cache-Control': 'no-store',
};

const LONGEST_RETRY_AFTER_S = 5;

/** Status 200 with a text that is not JSON. */
export function textAnswer(body: string, contentType: string): Answer {
  return { status: 200, headers: { ...JSON_HEADERS, 'Content-Type': contentType }, body };
}

/** A JSON answer. These headers override the common ones. */
export function jsonAnswer(body: object | Rope, headers: AnswerHeaders = {}, status = 200): Answer {
  return {
    status,
    headers: { ...JSON_HEADERS, ...headers },
    body: body instanceof Rope ? body : JSON.stringify(body),
  };
}

/** Status 200 with Server-Sent Events. These headers override the common ones. */
export function eventStreamAnswer(body: StreamedBody, headers: AnswerHeaders): Answer {
  return {
    status: 200,
    headers: {
      ...COMMON_HEADERS,
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      // Otherwise a proxy such as nginx would hold events back.
      'X-Accel-Buffering': 'no',
      ...headers,
    },
    body,
  };
}

export function emptyAnswer(status: 204 | 304, headers: AnswerHeaders): Answer {
  return { status, headers: { ...COMMON_HEADERS, ...headers }, body: '' };
}

/** Redirects to an address of this service, relative to that of the request: a prefix that a proxy adds stays. */
export function redirectAnswer(location: string, headers: AnswerHeaders = {}): Answer {
  return {
    status: 303,
    headers: { ...COMMON_HEADERS, 'Cache-Control': 'no-store', Location: location, ...headers },
    body: '',
  };
}

/** The answer with more headers. The values of Vary are joined; otherwise the answer's own headers win. */
export function withHeaders(answer: Answer, more: AnswerHeaders): Answer {
  const vary = [answer.headers['Vary'], more['Vary']].filter((value) => value !== undefined).join(', ');
  return { ...answer, headers: { ...more, ...answer.headers, ...(vary !== '' && { Vary: vary }) } };
}

/**
 * The error envelope. An error other than a ServiceError becomes a bare `internal_error`, because its text may hold
 * anything. `longestRetryAfterS`: the upper limit of Retry-After in s. It is the ping interval, so that game servers
 * wait no longer than that.
 */
export function errorAnswer(error: unknown, longestRetryAfterS = LONGEST_RETRY_AFTER_S): Answer {
  if (!(error instanceof ServiceError)) return errorAnswer(new ServiceError('internal_error'));
  const { code, message, details, headers, page } = error;
  const isPassing = code === 'registry_unavailable' || code === 'overloaded';
  const extra = isPassing ? { 'Retry-After': retryAfter(longestRetryAfterS) } : {};
  const envelope = { status: 'error', error: message, code, ...(details !== undefined && { details }) };
  const answer = jsonAnswer(envelope, { ...extra, ...headers }, ERRORS[code].status);
  return { ...answer, ...(page !== undefined && { body: page }), code };
}

/** A random number of seconds, so that game servers refused together do not return together. */
function retryAfter(longest: number): string {
  return String(1 + Math.floor(Math.random() * Math.min(longest, LONGEST_RETRY_AFTER_S)));
}
