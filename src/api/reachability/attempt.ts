/** What a protocol is given to probe with, and how it says what came of it. */

import type { ProbeClock } from './clock.ts';
import type { ProbeOutcome, ProbeTarget } from './probe-result.ts';

export interface Attempt {
  readonly target: ProbeTarget;
  readonly timeoutMs: number;
  readonly clock: Pick<ProbeClock, 'every'>;
  /** Aborted when the attempt is over: every socket and timer then has to go. */
  readonly over: AbortSignal;
  /** Ends the attempt. Only the first call counts. */
  readonly settle: (outcome: ProbeOutcome) => void;
  /** Says what the outcome is when nothing more comes; at first it is `no_answer`. */
  readonly settleAtDeadline: (outcome: ProbeOutcome) => void;
}
