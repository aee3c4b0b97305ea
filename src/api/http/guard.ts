/** The check of the keys of requests: which key each kind of request needs. */

import { ServiceError } from '../../model/service-error.ts';
import type { Key, KeyRing } from './key-ring.ts';

/**
 * The key that a request needs. `open`: none. `read`, `announce`, `moderate`, `operate`: one with that scope. `bearer`:
 * one that may announce, but not by Basic, which a browser sends of itself. `any`: whatever key.
 */
export type Access = 'open' | 'read' | 'announce' | 'bearer' | 'moderate' | 'operate' | 'any';

export interface GuardOptions {
  readonly ring: Pick<KeyRing, 'find' | 'isNeeded'>;
  /** The registry that is asked; undefined for the process itself. */
  readonly registry: string | undefined;
  /** Whether reading needs no key. */
  readonly publicRead: boolean;
}

/** Checks the keys of the requests to one registry, or to the process itself. */
export class Guard {
  readonly #options: GuardOptions;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** Whether such requests need a key now. To moderate needs one even while there is none. */
  needsKey(access: Access): boolean {
    const { ring, registry, publicRead } = this.#options;
    if (access === 'open' || (access === 'read' && publicRead)) return false;
    return access === 'moderate' || ring.isNeeded(access === 'operate' ? undefined : registry);
  }

  /**
   * Returns the key by which the request is let in; undefined where it needs none. There the header is ignored, so that
   * a wrong key does no harm, and every client gets the same answer. Throws a ServiceError `unauthorized` without a
   * valid key, and `not_allowed` with a valid one of another scope or registry.
   */
  check(access: Access, authorization: string | undefined): Key | undefined {
    if (!this.needsKey(access)) return undefined;
    let refused: Key | undefined;
    for (const key of this.#options.ring.find(authorization, access !== 'bearer')) {
      if (this.#opens(key, access)) return key;
      refused ??= key;
    }
    throw refused === undefined ? unauthorized(access) : notAllowed(access, refused);
  }

  #opens({ may, registries }: Key, access: Access): boolean {
    const { registry } = this.#options;
    const isOfThis = registries === undefined || (registry !== undefined && registries.includes(registry));
    return isOfThis && (access === 'any' || may.some((scope) => scope === scopeOf(access)));
  }
}

function scopeOf(access: Access): Access {
  return access === 'bearer' ? 'announce' : access;
}

/** It says what the key lacks, and nothing of the registry or of other keys. */
function notAllowed(access: Access, { name }: Key): ServiceError {
  const message = `this key is not allowed to do this: it takes a key with the scope ${scopeOf(access)}`;
  return new ServiceError('not_allowed', { key: name, ...(access !== 'any' && { message }) });
}

const ADMIN_KEY_NEEDED = 'the admin key is needed in the Authorization header';
const BEARER_NEEDED =
  'a valid key is needed in the Authorization header, and not in the form Basic for a GET';

/** A browser to which Basic is offered asks for the key and keeps it for the realm: each kind of key has its own. */
function unauthorized(access: Access): ServiceError {
  const realm = access === 'moderate' ? 'gsls admin' : 'gsls';
  const basic = access === 'bearer' ? [] : [`Basic realm="${realm}", charset="UTF-8"`];
  return new ServiceError('unauthorized', {
    headers: { 'WWW-Authenticate': [`Bearer realm="${realm}"`, ...basic] },
    ...(access === 'moderate' && { message: ADMIN_KEY_NEEDED }),
    ...(access === 'bearer' && { message: BEARER_NEEDED }),
  });
}
