/** Asks the service for JSON. The browser sends the key, where the service asks for one. */

import type { components } from '../../client/api.d.ts';

/** What the service answers with, by the names of its API. */
export type Answers = components['schemas'];

/** An answer that is not what was asked for. */
export class AnswerError extends Error {
  /** Of the service's error; undefined for an answer that is none of the service. */
  readonly code: string | undefined;

  constructor(status: number, code: string | undefined) {
    super(`the answer was ${status} ${code}`);
    this.code = code;
  }
}

/**
 * `address`: relative to the page. Rejects with an AnswerError, or with another error when the service is not reached
 * or `signal` ends it.
 */
export async function getJson<T extends { readonly status: 'success' }>(
  address: string,
  signal: AbortSignal,
): Promise<T> {
  const response = await fetch(new URL(address, document.baseURI), {
    headers: { Accept: 'application/json' },
    signal,
  });
  // A proxy may answer with anything.
  const answer = (await response.json()) as T | { readonly status?: 'error'; readonly code?: string } | null;
  if (response.ok && answer?.status === 'success') return answer;
  throw new AnswerError(response.status, answer?.status === 'error' ? answer.code : undefined);
}
