/** One attempt to probe, as a protocol receives it, with the functions by which the protocol reports the outcome. */

import type { ProbeClock } from './clock.ts';
import type { ProbeOutcome, ProbeTarget } from './probe-result.ts';

export interface Attempt {
  readonly target: ProbeTarget;
  readonly timeoutMs: number;
  readonly clock: Pick<ProbeClock, 'every'>;
  /** Aborted when the attempt is over: every socket and timer must then be closed. */
  readonly over: AbortSignal;
  /** Ends the attempt, with the players that an answer tells. Only the first call counts. */
  readonly settle: (outcome: ProbeOutcome, players?: number) => void;
  /** Sets the outcome for the deadline, which is `no_answer` at first. */
  readonly settleAtDeadline: (outcome: ProbeOutcome) => void;
}
