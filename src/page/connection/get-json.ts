/** Requests JSON from the service. The browser adds the key where the service needs one. */

import type { components } from '../../model/view/api.d.ts';
import { serviceUrl } from './service-url.ts';
import { retryAfterOf } from '../../../clients/typescript/src/pauses.ts';

/** The answers of the service, by their names in its API. */
export type Answers = components['schemas'];

/** An error answer, or one in another form than was asked for. */
export class AnswerError extends Error {
  /** The code of the service's error; undefined if the answer is not from the service. */
  readonly code: string | undefined;
  /** The service's text, for a person who reads English. */
  readonly reason: string | undefined;
  /** How long to wait before the next request; undefined if the answer does not set a time. */
  readonly retryAfterMs: number | undefined;

  constructor({ status, headers }: Response, code: string | undefined, reason: string | undefined) {
    super(`the answer was ${status} ${code}`);
    this.code = code;
    this.reason = reason;
    this.retryAfterMs = retryAfterOf(headers, Date.now());
  }
}

/**
 * `address`: relative to the service. Rejects with an AnswerError, or with another error if the service is not reached
 * or `signal` aborts the request.
 */
export async function getJson<T extends { readonly status: 'success' }>(
  address: string,
  signal: AbortSignal,
): Promise<T> {
  const response = await fetch(serviceUrl(address), {
    headers: { Accept: 'application/json' },
    signal,
  });
  return answerOf<T>(response);
}

/**
 * Sends a body of JSON. The browser adds that the page is of the same origin. `address`: relative to the service.
 * Rejects as getJson() does.
 */
export async function postJson<T extends { readonly status: 'success' }>(
  address: string,
  body: object,
  signal: AbortSignal,
): Promise<T> {
  const response = await fetch(serviceUrl(address), {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  return answerOf<T>(response);
}

interface ErrorBody {
  readonly status?: 'error';
  readonly code?: string;
  readonly error?: string;
}

/** Rejects as getJson() does. */
export async function answerOf<T extends { readonly status: 'success' }>(response: Response): Promise<T> {
  // A proxy may answer with any JSON.
  const answer = (await response.json()) as T | ErrorBody | null;
  if (response.ok && answer?.status === 'success') return answer;
  const { code, error } = answer?.status === 'error' ? answer : {};
  throw new AnswerError(response, code, error);
}
