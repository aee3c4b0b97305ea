/**
 * One query of a protocol as a dialogue without a socket: the question, and the step after each piece that arrives.
 * Whoever has a socket drives it (over-udp.ts, over-tcp.ts); a fuzzer drives it with none.
 */

import type { GameState } from '../game-state.ts';
import type { SourceClock } from '../source.ts';

/**
 * The step after a piece. `nothing`: the piece is none of this protocol, or not yet complete; `ask`: the question has
 * changed, and is sent; `enough`: a state is there, but a better reply may follow shortly; `told`: the state is final;
 * `unusable`: the dialogue ends, and `why` completes "UDP host:port …".
 */
export type DialogueStep =
  | { readonly is: 'nothing' | 'ask' }
  | { readonly is: 'enough'; readonly state: GameState }
  | { readonly is: 'told'; readonly state: GameState }
  | { readonly is: 'unusable'; readonly why: string };

export const NOTHING: DialogueStep = { is: 'nothing' };
export const ASK: DialogueStep = { is: 'ask' };

export interface Dialogue {
  /** The question: sent at the start, after `ask`, and over UDP again while nothing comes. Each may get lost. */
  readonly question: readonly Buffer[];
  /** Reads a datagram, or all of a stream so far. Never throws. */
  hear(bytes: Buffer): DialogueStep;
}

/** The result of a dialogue at one address. `code`: that of the error of the system. */
export type DialogueOutcome =
  | { readonly is: 'told'; readonly state: GameState }
  | { readonly is: 'unusable'; readonly why: string }
  | { readonly is: 'failed'; readonly code: string }
  /** `heard`: whether anything came. */
  | { readonly is: 'silent'; readonly heard: boolean };

/** One dialogue with one address, within a time limit in ms; aborting `over` ends it. */
export interface DialogueAttempt {
  readonly dialogue: Dialogue;
  readonly ip: string;
  readonly port: number;
  readonly timeoutMs: number;
  readonly clock: SourceClock;
  readonly over: AbortSignal;
}

/** Returns this many random bytes. */
export type RandomBytes = (bytes: number) => Buffer;
