/**
 * The Idempotency-Key of a broadcast (draft-ietf-httpapi-idempotency-key-header): a request repeated under its key
 * means the same game server. Reads the header; what follows from it is the endpoint's business.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../errors.ts';

const KEY = /^[ -~]{1,255}$/;

/**
 * Undefined if there is none. `"a"` in quotes, as the draft has it, and a bare `a` are the same key. Throws a
 * ServiceError `invalid_request`, also for an empty one: its sender relies on a key that is none.
 */
export function parseIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  // Node joins what is sent twice.
  const text = headers['idempotency-key'] as string | undefined;
  if (text === undefined) return undefined;
  const key = text.startsWith('"') ? unquote(text) : text;
  if (KEY.test(key)) return key;
  throw new ServiceError('invalid_request', {
    message: 'Idempotency-Key must be 1 to 255 printable ASCII characters, bare or as a string in quotes',
  });
}

/** What is no string of a structured field (RFC 9651 section 3.3.3) comes out empty. */
function unquote(text: string): string {
  const [, escaped = ''] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text) ?? [];
  return escaped.replaceAll(/\\(.)/g, '$1');
}
