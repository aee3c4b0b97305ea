/** What the metrics say of the protocols of other games. */

import type { Outcome } from '../../protocols/protocol.ts';
import type { Instruments } from './instruments.ts';

export interface ProtocolMetrics {
  readonly onOutcome: (protocol: string, outcome: Outcome) => void;
}

/** There is a series once something happens: a service that speaks no other protocol shows none. */
export function createProtocolMetrics({ readCounterBy }: Instruments): ProtocolMetrics {
  const counts = new Map<string, { readonly protocol: string; readonly outcome: Outcome; count: number }>();
  readCounterBy(
    'gsls_protocol_total',
    'what game servers and clients of other protocols sent, by what came of it',
    ['protocol', 'outcome'],
    function* () {
      for (const { protocol, outcome, count } of counts.values()) yield [{ protocol, outcome }, count];
    },
  );
  return {
    onOutcome(protocol, outcome) {
      const key = `${protocol} ${outcome}`;
      const known = counts.get(key);
      if (known === undefined) counts.set(key, { protocol, outcome, count: 1 });
      else known.count += 1;
    },
  };
}
