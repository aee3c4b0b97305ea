/**
 * Challenges without state: tokens that only an address that receives them can send back. Any replica checks a token
 * that another has issued, and the end of a replica in between changes nothing.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';

const HOUR_MS = 60 * 60 * 1000;
/** 96 bits. */
const TOKEN_BYTES = 12;

export interface ChallengesOptions {
  /** A part of each token: a challenge of one protocol is not valid in another. */
  readonly protocol: string;
  /** The secret of the registry. May throw. */
  readonly secret: () => string;
  /** ms since the epoch. */
  readonly now: () => number;
}

export interface Challenges {
  /** A token of 16 letters of base64url for the facts to prove: an address, a port, a secret. */
  issue(...about: readonly string[]): string;
  /** Whether the token was issued for exactly these facts, in this hour or the one before. */
  isValid(token: string, ...about: readonly string[]): boolean;
}

export function createChallenges({ protocol, secret, now }: ChallengesOptions): Challenges {
  const hourNow = (): number => Math.floor(now() / HOUR_MS);
  const issueAt = (hour: number, about: readonly string[]): string =>
    createHmac('sha256', secret())
      .update(JSON.stringify(['challenge', protocol, hour, ...about]))
      .digest()
      .subarray(0, TOKEN_BYTES)
      .toString('base64url');
  return {
    issue: (...about) => issueAt(hourNow(), about),
    isValid(token, ...about) {
      const told = Buffer.from(token);
      return [hourNow(), hourNow() - 1].some((hour) => {
        const issued = Buffer.from(issueAt(hour, about));
        return told.length === issued.length && timingSafeEqual(told, issued);
      });
    },
  };
}
