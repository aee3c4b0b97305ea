/** The Idempotency-Key of a broadcast (draft-ietf-httpapi-idempotency-key-header). */

import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../../model/service-error.ts';
import { IDEMPOTENCY_KEY } from '../docs/openapi/header-forms.ts';

/**
 * The key of a broadcast: requests with the same key mean the same game server. Undefined without the header. Throws a
 * ServiceError `invalid_request`, also for an empty key: its sender relies on the key.
 */
export function parseIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  // Node joins repeated headers into one text.
  const text = headers['idempotency-key'] as string | undefined;
  if (text === undefined) return undefined;
  const key = idempotencyKeyOf(text);
  if (IDEMPOTENCY_KEY.test(key)) return key;
  throw new ServiceError('invalid_request', {
    message: 'Idempotency-Key must be 1 to 255 printable ASCII characters, bare or as a string in quotes',
  });
}

/** The key that a header means: `"a"` in quotes, as in the draft, and a bare `a` are one key. */
export function idempotencyKeyOf(text: string): string {
  return text.startsWith('"') ? unquote(text) : text;
}

/** The content of a string of a structured field (RFC 9651 section 3.3.3); empty if the text is malformed. */
function unquote(text: string): string {
  const [, escaped = ''] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text) ?? [];
  return escaped.replaceAll(/\\(.)/g, '$1');
}
