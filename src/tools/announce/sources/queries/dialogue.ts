/**
 * One query of a protocol as a dialogue without a socket: what is asked, and what comes of each piece that is heard.
 * Whoever has a socket drives it (over-udp.ts, over-tcp.ts); a fuzzer drives it with none.
 */

import type { GameState } from '../game-state.ts';

/**
 * The outcome of a piece. `nothing`: it is none of this protocol, or not yet complete; `ask`: the question is another
 * one now, and is sent; `enough`: told, but a better reply may follow shortly; `told`; `unusable`: it ends here, and
 * `why` completes "UDP host:port …".
 */
export type DialogueStep =
  | { readonly is: 'nothing' | 'ask' }
  | { readonly is: 'enough'; readonly state: GameState }
  | { readonly is: 'told'; readonly state: GameState }
  | { readonly is: 'unusable'; readonly why: string };

export const NOTHING: DialogueStep = { is: 'nothing' };
export const ASK: DialogueStep = { is: 'ask' };

export interface Dialogue {
  /**
   * The packets that are sent: at the start, after `ask`, and over UDP again while nothing comes. Each may get lost.
   */
  readonly question: readonly Buffer[];
  /** Takes a datagram, or what has come of a stream so far. Never throws. */
  hear(bytes: Buffer): DialogueStep;
}

/** Returns so many random bytes. */
export type RandomBytes = (bytes: number) => Buffer;
