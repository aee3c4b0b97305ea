/**
 * The challenge to an address: a letter for the tag of its heartbeat, two for the second, and the proof of both for
 * this address. It holds all that is needed of the heartbeat, so any replica accepts the answer to another's question.
 */

import { createChallenges, type Challenges } from '../challenges.ts';
import type { ProtocolContext } from '../protocol.ts';
import { dpmasterLinkOf, PROTOCOL, type Peer } from './game-server.ts';

/** The letters of base64url, none of which has a meaning in a game. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const SECONDS = LETTERS.length ** 2;
/** The number of letters before the proof. */
const SAID = 3;

/** How long an answer is accepted, in s, as TIMEOUT_CHALLENGE of dpmaster. */
const ANSWER_S = 2;

export class AddressChallenges {
  readonly #proofs: Challenges;
  readonly #now: () => number;

  constructor({ secret, now }: Pick<ProtocolContext, 'secret' | 'now'>) {
    this.#proofs = createChallenges({ protocol: PROTOCOL, secret, now });
    this.#now = now;
  }

  /** The challenge for the tag with this index, which must be below 64. */
  issue(tagIndex: number, peer: Peer): string {
    const second = this.#secondNow();
    const said = [tagIndex, Math.floor(second / LETTERS.length), second % LETTERS.length]
      .map((each) => LETTERS[each]!)
      .join('');
    return said + this.#proofs.issue(dpmasterLinkOf(peer), said);
  }

  /** The index of the tag; undefined if this challenge was not sent to the address in the last two seconds. */
  read(challenge: string, peer: Peer): number | undefined {
    const said = challenge.slice(0, SAID);
    const [tag, high, low] = [0, 1, 2].map((at) => LETTERS.indexOf(said.charAt(at))) as [
      number,
      number,
      number,
    ];
    const age = (this.#secondNow() - (high * LETTERS.length + low) + SECONDS) % SECONDS;
    // The clock of the replica that has asked may be ahead.
    const isYoung = age <= ANSWER_S || age >= SECONDS - ANSWER_S;
    const isSaid = said.length === SAID && tag >= 0 && isYoung;
    return isSaid && this.#proofs.isValid(challenge.slice(SAID), dpmasterLinkOf(peer), said)
      ? tag
      : undefined;
  }

  #secondNow(): number {
    return Math.floor(this.#now() / 1000) % SECONDS;
  }
}
