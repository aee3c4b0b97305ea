/** The metrics of the clients of one registry: streams, probes of game servers, questions to the doctor, reports. */

import { STREAM_CUT_OFF_REASONS, type StreamCutOffReason } from '../../api/changes/streams.ts';
import { CAUSES, type Cause } from '../../model/findings.ts';
import { PROBE_OUTCOMES, type ProbeOutcome } from '../../api/reachability/probe-result.ts';
import type { Instruments } from './instruments.ts';

export interface ClientMetrics {
  readonly streams: {
    readonly onStreams: (open: number) => void;
    readonly onEvents: (sent: number) => void;
    readonly onWaiting: (bytes: number) => void;
    readonly onCutOff: (reason: StreamCutOffReason) => void;
  };
  /** The outcome of an attempt to reach a game server. */
  readonly onProbe: (outcome: ProbeOutcome) => void;
  /** The doctor's answer to why a game server is not listed. */
  readonly onDoctor: (cause: Cause) => void;
  /** A report of a reader that counts. */
  readonly onReport: () => void;
  /** A game server says distances to beacons that no place has. */
  readonly onImpossibleLatency: () => void;
}

export function createClientMetrics(instruments: Instruments): ClientMetrics {
  const { streams } = instruments.gauges('sum', {
    streams: 'clients that follow the list by a stream of events',
  });
  const { streamEvents } = instruments.counters({ streamEvents: 'events that were sent in streams' });
  const { streamWaitingBytes } = instruments.gauges('sum', {
    streamWaitingBytes: 'bytes of events that wait in memory for slow clients',
  });
  const { streamsCutOff } = instruments.countersBy('reason', STREAM_CUT_OFF_REASONS, {
    streamsCutOff: 'streams that were cut off: lagging (1 MB behind) or memory (--max-waiting)',
  });
  const { probes } = instruments.countersBy('outcome', PROBE_OUTCOMES, {
    probes: 'attempts to reach a game server (--verify), by what came of them',
  });
  const { doctor } = instruments.countersBy('cause', CAUSES, {
    doctor: 'answers to who asked why a game server is not listed (POST /doctor), by the cause',
  });

  const { reports, impossibleLatencies } = instruments.counters({
    reports: 'reports of readers (POST /report) that were noted',
    impossibleLatencies:
      'times a game server said anew that it is nearer to beacons than any place can be; it is in no order by nearness',
  });

  return {
    streams: {
      onStreams: (open) => streams.set(open),
      onEvents: (sent) => streamEvents.inc(sent),
      onWaiting: (bytes) => streamWaitingBytes.set(bytes),
      onCutOff: (reason) => streamsCutOff.inc({ reason }),
    },
    onProbe: (outcome) => probes.inc({ outcome }),
    onDoctor: (cause) => doctor.inc({ cause }),
    onReport: () => reports.inc(),
    onImpossibleLatency: () => impossibleLatencies.inc(),
  };
}
