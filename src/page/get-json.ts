/** Asks the service for JSON. The browser sends the key, where the service asks for one. */

/** An answer that is not what was asked for. */
export class AnswerError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the service answered ${status}`);
    this.status = status;
  }
}

/**
 * `address`: relative to the page. Rejects with an AnswerError, or with another error when the service is not reached or
 * `signal` ends it.
 */
export async function getJson<T>(address: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(new URL(address, document.baseURI), {
    headers: { Accept: 'application/json' },
    signal,
  });
  if (!response.ok) throw new AnswerError(response.status);
  return (await response.json()) as T;
}
