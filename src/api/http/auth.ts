/** Authentication: the key that a request must carry, and the check of the key. */

import { hash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../model/service-error.ts';

/** Whether an Authorization header carries a valid key. `takesBasic`: whether Basic counts; true by default. */
export type Authenticator = (authorization: string | undefined, takesBasic?: boolean) => boolean;

/**
 * Accepts `Bearer <key>`, the bare key, and `Basic` with the key as password. Without keys every request passes. All
 * keys are compared, by their digests, so that the time taken reveals nothing of their content or length.
 */
export function createAuthenticator(authKeys: readonly string[]): Authenticator {
  if (authKeys.length === 0) return () => true;
  const expected = authKeys.map((key) => sha256(Buffer.from(key, 'utf8')));
  return (authorization, takesBasic = true) => {
    if (authorization === undefined) return false;
    const offered = keysIn(authorization, takesBasic).map(sha256);
    let matches = 0;
    for (const digest of offered) for (const key of expected) matches += timingSafeEqual(digest, key) ? 1 : 0;
    return matches > 0;
  };
}

/**
 * The key that a request needs. `open`: none. `read`: a key, unless reading is public. `key`: a key. `bearer`: a key,
 * but not by Basic, which a browser sends of itself. `admin`: the admin key, which opens nothing else.
 */
export type Access = 'open' | 'read' | 'key' | 'bearer' | 'admin';

export interface GuardOptions {
  /** If there are none, requests need no key, except those that need the admin key. */
  readonly authKeys: readonly string[];
  /** If there are none, requests that need the admin key are all refused. */
  readonly adminKeys: readonly string[];
  /** Whether reading needs no key. */
  readonly publicRead: boolean;
}

/** Checks the keys of requests. The valid keys can be replaced at any time. */
export class Guard {
  readonly #publicRead: boolean;
  readonly #counts: { authKeys: number; adminKeys: number };
  #isAuthentic: Authenticator;
  #isAdmin: Authenticator;

  constructor({ authKeys, adminKeys, publicRead }: GuardOptions) {
    this.#publicRead = publicRead;
    this.#counts = { authKeys: authKeys.length, adminKeys: adminKeys.length };
    this.#isAuthentic = createAuthenticator(authKeys);
    this.#isAdmin = adminKeys.length === 0 ? () => false : createAuthenticator(adminKeys);
  }

  /** How many keys it accepts now. */
  get counts(): { readonly authKeys: number; readonly adminKeys: number } {
    return this.#counts;
  }

  /** Accepts these keys from now on, instead of those before. There must be at least one. */
  replaceAuthKeys(authKeys: readonly string[]): void {
    this.#counts.authKeys = authKeys.length;
    this.#isAuthentic = createAuthenticator(authKeys);
  }

  /** Does the same for the admin keys. */
  replaceAdminKeys(adminKeys: readonly string[]): void {
    this.#counts.adminKeys = adminKeys.length;
    this.#isAdmin = createAuthenticator(adminKeys);
  }

  /**
   * Throws a ServiceError `unauthorized`. Where no key is needed the header is ignored, so that a wrong key does no
   * harm, and every client gets the same answer.
   */
  check(access: Access, authorization: string | undefined): void {
    if (access === 'open') return;
    if (access === 'admin') {
      if (!this.#isAdmin(authorization))
        throw unauthorized(['Bearer', 'Basic'], 'gsls admin', ADMIN_KEY_NEEDED);
    } else if (access === 'bearer') {
      if (!this.#isAuthentic(authorization, false)) throw unauthorized(['Bearer'], 'gsls', BEARER_NEEDED);
    } else if (!(access === 'read' && this.#publicRead) && !this.#isAuthentic(authorization))
      throw unauthorized(['Bearer', 'Basic'], 'gsls');
  }
}

const ADMIN_KEY_NEEDED = 'the admin key is needed in the Authorization header';
const BEARER_NEEDED =
  'a valid key is needed in the Authorization header, and not in the form Basic for a GET';

/** A browser to which Basic is offered asks for the key and keeps it for the realm: each kind of key has its own. */
function unauthorized(
  schemes: readonly ('Bearer' | 'Basic')[],
  realm: string,
  message?: string,
): ServiceError {
  const challenges = schemes.map(
    (scheme) => `${scheme} realm="${realm}"${scheme === 'Basic' ? ', charset="UTF-8"' : ''}`,
  );
  return new ServiceError('unauthorized', {
    headers: { 'WWW-Authenticate': challenges },
    ...(message !== undefined && { message }),
  });
}

/** All keys that the header may mean. Node decodes the bytes of headers as latin1. */
function keysIn(authorization: string, takesBasic: boolean): Buffer[] {
  const bare = Buffer.from(authorization, 'latin1');
  const [, scheme, rest] = /^(bearer|basic) +(.*)$/i.exec(authorization) ?? [];
  if (rest === undefined) return [bare];
  if (scheme!.toLowerCase() === 'bearer') return [bare, Buffer.from(rest, 'latin1')];
  if (!takesBasic) return [bare];
  const credentials = Buffer.from(rest, 'base64');
  return [bare, credentials.subarray(credentials.indexOf(':') + 1)];
}

function sha256(bytes: Buffer): Buffer {
  return hash('sha256', bytes, 'buffer');
}
