/**
 * Parses the Idempotency-Key of a broadcast (draft-ietf-httpapi-idempotency-key-header): requests with the same key
 * mean the same game server. Knows the header alone, not what the endpoint makes of it.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../errors.ts';
import { IDEMPOTENCY_KEY } from '../openapi/header-forms.ts';

/**
 * Undefined without the header. `"a"` in quotes, as in the draft, and a bare `a` are the same key. Throws a
 * ServiceError `invalid_request`, also for an empty key: its sender relies on the key.
 */
export function parseIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  // Node joins repeated headers into one text.
  const text = headers['idempotency-key'] as string | undefined;
  if (text === undefined) return undefined;
  const key = text.startsWith('"') ? unquote(text) : text;
  if (IDEMPOTENCY_KEY.test(key)) return key;
  throw new ServiceError('invalid_request', {
    message: 'Idempotency-Key must be 1 to 255 printable ASCII characters, bare or as a string in quotes',
  });
}

/** The content of a string of a structured field (RFC 9651 section 3.3.3); empty if the text is malformed. */
function unquote(text: string): string {
  const [, escaped = ''] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text) ?? [];
  return escaped.replaceAll(/\\(.)/g, '$1');
}
