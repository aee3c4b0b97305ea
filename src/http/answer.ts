/** Answers as values: what an endpoint returns and what a lane (Koa, the bare socket) sends. */

import { ERRORS, ServiceError } from '../errors.ts';

export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Empty for 204 and 304. */
  readonly body: string | Buffer;
}

const COMMON_HEADERS: AnswerHeaders = { 'X-Content-Type-Options': 'nosniff' };

const JSON_HEADERS: AnswerHeaders = {
  ...COMMON_HEADERS,
  'Content-Type': 'application/json; charset=utf-8',
  // No answer but the list is worth keeping, and a ping by GET must reach us each time.
  'Cache-Control': 'no-store',
};

const LONGEST_RETRY_AFTER_S = 5;

/** Status 200 with a text that is no JSON. */
export function textAnswer(body: string, contentType: string): Answer {
  return { status: 200, headers: { ...JSON_HEADERS, 'Content-Type': contentType }, body };
}

/** Status 200 unless told otherwise. Headers given here win. */
export function jsonAnswer(body: object | Buffer, headers: AnswerHeaders = {}, status = 200): Answer {
  return {
    status,
    headers: { ...JSON_HEADERS, ...headers },
    body: Buffer.isBuffer(body) ? body : JSON.stringify(body),
  };
}

export function emptyAnswer(status: 204 | 304, headers: AnswerHeaders): Answer {
  return { status, headers: { ...COMMON_HEADERS, ...headers }, body: '' };
}

/** The answer with more headers. What it varies by adds up; otherwise its own win. */
export function withHeaders(answer: Answer, more: AnswerHeaders): Answer {
  const vary = [answer.headers['Vary'], more['Vary']].filter((value) => value !== undefined).join(', ');
  return { ...answer, headers: { ...more, ...answer.headers, ...(vary !== '' && { Vary: vary }) } };
}

/**
 * The error envelope. Whatever is no ServiceError becomes a bland internal_error: its text may hold anything.
 * Nobody is told to come back later than in so many seconds, which is when game servers ping again.
 */
export function errorAnswer(error: unknown, longestRetryAfter = LONGEST_RETRY_AFTER_S): Answer {
  if (!(error instanceof ServiceError)) return errorAnswer(new ServiceError('internal_error'));
  const { code, message, details, headers } = error;
  const extra = code === 'registry_unavailable' ? { 'Retry-After': retryAfter(longestRetryAfter) } : {};
  return jsonAnswer(
    { status: 'error', error: message, code, ...(details !== undefined && { details }) },
    { ...extra, ...headers },
    ERRORS[code].status,
  );
}

/** Seconds, at random, so that a fleet refused at once does not come back at once. */
function retryAfter(longest: number): string {
  return String(1 + Math.floor(Math.random() * Math.min(longest, LONGEST_RETRY_AFTER_S)));
}
