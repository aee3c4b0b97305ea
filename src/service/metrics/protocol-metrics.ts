/** The metrics of the protocols of other games. */

import { OUTCOMES, type ProtocolOutcome } from '../../protocols/protocol.ts';
import type { Instruments } from './instruments.ts';

export interface ProtocolMetrics {
  readonly onOutcome: (protocol: string, outcome: ProtocolOutcome) => void;
}

/** Declares a series for each outcome of each protocol that is spoken, so that zeros show. */
export function createProtocolMetrics(
  instruments: Instruments,
  protocols: readonly string[],
): ProtocolMetrics {
  const counts = new Map<string, Map<ProtocolOutcome, number>>();
  const countsOf = (protocol: string): Map<ProtocolOutcome, number> => {
    const known = counts.get(protocol) ?? new Map(OUTCOMES.map((outcome) => [outcome, 0]));
    counts.set(protocol, known);
    return known;
  };
  protocols.forEach(countsOf);
  instruments.readCounterBy(
    ['protocol', 'outcome'],
    { protocol: 'what game servers and clients of other protocols sent, by what came of it' },
    function* () {
      for (const [protocol, outcomes] of counts)
        for (const [outcome, count] of outcomes) yield [{ protocol, outcome }, count];
    },
  );
  return {
    onOutcome(protocol, outcome) {
      const outcomes = countsOf(protocol);
      outcomes.set(outcome, outcomes.get(outcome)! + 1);
    },
  };
}
