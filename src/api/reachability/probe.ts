/**
 * One probe: whether a game server answers at its address now. Whatever the other side does, a probe ends by its
 * deadline, sends a few hundred bytes at most, and leaves no socket behind. Whether a target may be probed is decided
 * elsewhere (probe-rule.ts).
 */

import type { Attempt } from './attempt.ts';
import { monotonicClock, type ProbeClock } from './clock.ts';
import { connectTcp, requestHttp } from './connect-tcp.ts';
import {
  createProbeResult,
  outcomeOf,
  type ProbeKind,
  type ProbeOutcome,
  type ProbeResult,
  type ProbeTarget,
} from './probe-result.ts';
import { queryA2s } from './query-a2s.ts';
import { queryQuake3 } from './query-quake3.ts';

export interface ProbeOptions {
  readonly timeoutMs: number;
  /** Gives the probe up when it is aborted; the outcome is then `not_tried`. */
  readonly signal: AbortSignal;
  readonly clock?: Pick<ProbeClock, 'every'>;
}

const PROTOCOLS: Readonly<Record<ProbeKind, (attempt: Attempt) => void>> = {
  tcp: connectTcp,
  http: requestHttp,
  a2s: queryA2s,
  quake3: queryQuake3,
};

/** Never rejects. */
export function probe(
  kind: ProbeKind,
  target: ProbeTarget,
  { timeoutMs, signal, clock = monotonicClock }: ProbeOptions,
): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const ending = new AbortController();
    let atDeadline: ProbeOutcome = 'no_answer';
    const settle = (outcome: ProbeOutcome, players?: number): void => {
      if (ending.signal.aborted) return;
      ending.abort();
      stopTimer();
      signal.removeEventListener('abort', giveUp);
      const result = createProbeResult(outcome, kind, target, timeoutMs);
      resolve(players === undefined ? result : { ...result, players });
    };
    const giveUp = (): void => settle('not_tried');
    const stopTimer = clock.every(timeoutMs, async () => settle(atDeadline));
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) {
      giveUp();
      return;
    }
    try {
      PROTOCOLS[kind]({
        target,
        timeoutMs,
        clock,
        over: ending.signal,
        settle,
        settleAtDeadline(outcome) {
          atDeadline = outcome;
        },
      });
    } catch (error) {
      settle(outcomeOf(error));
    }
  });
}
