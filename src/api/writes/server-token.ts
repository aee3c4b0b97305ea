/**
 * Server tokens: the proof that a request comes from the game server of an entry. Each replica can issue and check
 * them, because they are made from the id of the entry and a secret that all replicas share.
 *
 * A registry stores nothing of a token, only that the entry is claimed. The claim is a visible change: every replica
 * knows it, write-back and the data file restore it, and a revival keeps it.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../../model/service-error.ts';
import { SERVER_TOKEN } from '../docs/openapi/header-forms.ts';
import type { GameServerId } from '../../model/game-server.ts';
import type { Caller } from '../../registry/registry.ts';
import { ValidTokens } from './valid-tokens.ts';

export interface ServerTokens {
  /** The token of this entry. Throws a ServiceError `registry_unavailable` while the secret is not known. */
  issue(id: GameServerId): string;
  /** The proof that the request has for this entry. Throws as issue() does if the request has a token. */
  proofFor(id: GameServerId, headers: IncomingHttpHeaders): Caller['proof'];
  /**
   * The intent of a broadcast: `none`; to `claim` the new entry; or to continue the entry of a token, with the proof of
   * that token. Throws a ServiceError `invalid_request` for any other text.
   */
  intentOf(headers: IncomingHttpHeaders): BroadcastIntent;
}

export type BroadcastIntent =
  'none' | 'claim' | { readonly id: GameServerId; readonly proof: Exclude<Caller['proof'], 'none'> };

export interface ServerTokensOptions {
  /** The name makes a token of one registry wrong in another, even where they share a secret. */
  readonly registryName: string;
  /** The first secret signs; all are valid for a check. Empty while none is known. */
  readonly secrets: () => readonly string[];
}

/** The length of the part of a token behind its id. */
const REST_LENGTH = 44;

export function createServerTokens({ registryName, secrets }: ServerTokensOptions): ServerTokens {
  const valid = new ValidTokens();
  const macOf = (id: GameServerId, secret: string): Buffer =>
    createHmac('sha256', secret).update(`${registryName}\n${id}`).digest();

  function knownSecrets(): readonly string[] {
    const known = secrets();
    if (known.length === 0) throw new ServiceError('registry_unavailable');
    return known;
  }

  /** All secrets are tried, so that the time taken does not reveal which one matched. */
  function isIssuedFor(id: GameServerId, mac: string): boolean {
    const offered = Buffer.from(mac, 'base64url');
    let matches = 0;
    for (const secret of knownSecrets()) matches += timingSafeEqual(offered, macOf(id, secret)) ? 1 : 0;
    // The last character has two spare bits: of the texts for the same bytes, only one is the token.
    return matches > 0 && offered.toString('base64url') === mac;
  }

  return {
    issue: (id) => `${id}.${macOf(id, knownSecrets()[0]!).toString('base64url')}`,

    proofFor(id, headers) {
      const text = headerOf(headers);
      if (text === undefined) return 'none';
      const isOfThisId = text.length === id.length + REST_LENGTH && text.startsWith(id);
      if (isOfThisId && valid.has(text, secrets())) return 'token';
      const { id: itsId, mac } = SERVER_TOKEN.exec(text)?.groups ?? {};
      if (itsId !== id || !isIssuedFor(id, mac!)) return 'wrong';
      valid.add(text, secrets());
      return 'token';
    },

    intentOf(headers) {
      const text = headerOf(headers);
      if (text === undefined) return 'none';
      if (text === 'claim') return 'claim';
      const { id, mac } = SERVER_TOKEN.exec(text)?.groups ?? {};
      if (id !== undefined) return { id, proof: isIssuedFor(id, mac!) ? 'token' : 'wrong' };
      throw new ServiceError('invalid_request', {
        message: 'Server-Token must be claim, or the token that the answer to a broadcast has in this header',
      });
    },
  };
}

/** The text of the header. Node joins repeated headers into one text, which is no token. */
function headerOf(headers: IncomingHttpHeaders): string | undefined {
  return headers['server-token'] as string | undefined;
}
