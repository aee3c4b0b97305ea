/** Who may ask: everybody, or whoever has one of the keys. */

import { createHash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../errors.ts';

/** Says whether the value of an Authorization header carries a key. */
export type Authenticator = (authorization: string | undefined) => boolean;

/** Both challenges, so that a browser asks for the key (as the password of Basic). */
const CHALLENGES = { 'WWW-Authenticate': ['Bearer realm="gsls"', 'Basic realm="gsls", charset="UTF-8"'] };

/**
 * Accepts `Bearer <key>`, the bare key, and `Basic` with the key as password. Without keys everything passes.
 * Digests are compared, and always all of them: equal length, and no early exit to measure.
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

/** The ways a header can be read. Node gives header bytes as latin1. */
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
