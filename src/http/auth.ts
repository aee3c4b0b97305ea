/** Authentication: with keys configured, each request has to carry one of them. Knows no routes. */

import { createHash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../errors.ts';

/** Says whether the value of an Authorization header carries a key. */
export type Authenticator = (authorization: string | undefined) => boolean;

/** Basic is offered too, so that a browser asks for the key (as the password). */
const CHALLENGES = { 'WWW-Authenticate': ['Bearer realm="gsls"', 'Basic realm="gsls", charset="UTF-8"'] };

/**
 * Accepts `Bearer <key>`, the bare key, and `Basic` with the key as password. Without keys every request passes.
 * All keys are compared, by their digests: so the time taken tells nothing of their content or length.
 */
export function createAuthenticator(authKeys: readonly string[]): Authenticator {
  if (authKeys.length === 0) return () => true;
  const expected = authKeys.map((key) => sha256(Buffer.from(key, 'utf8')));
  return (authorization) => {
    if (authorization === undefined) return false;
    const offered = keysIn(authorization).map(sha256);
    let matches = 0;
    for (const digest of offered) for (const key of expected) matches += timingSafeEqual(digest, key) ? 1 : 0;
    return matches > 0;
  };
}

/** Throws a ServiceError `unauthorized`. */
export function authenticate(isAuthentic: Authenticator, authorization: string | undefined): void {
  if (!isAuthentic(authorization)) throw new ServiceError('unauthorized', { headers: CHALLENGES });
}

/** All keys that the header may mean. Node gives the bytes of headers as latin1. */
function keysIn(authorization: string): Buffer[] {
  const bare = Buffer.from(authorization, 'latin1');
  const [, scheme, rest] = /^(bearer|basic) +(.*)$/i.exec(authorization) ?? [];
  if (rest === undefined) return [bare];
  if (scheme!.toLowerCase() === 'bearer') return [bare, Buffer.from(rest, 'latin1')];
  const credentials = Buffer.from(rest, 'base64');
  return [bare, credentials.subarray(credentials.indexOf(':') + 1)];
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
