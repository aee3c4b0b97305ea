/** Asks the service by a body of JSON. The browser says of itself that the page is of the same origin. */

import { answerOf } from './get-json.ts';

/** `address`: relative to the page. Rejects as getJson does. */
export async function postJson<T extends { readonly status: 'success' }>(
  address: string,
  body: object,
  signal: AbortSignal,
): Promise<T> {
  const response = await fetch(new URL(address, document.baseURI), {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  return answerOf<T>(response);
}
