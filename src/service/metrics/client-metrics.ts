/**
 * The metrics of clients and of the load that they make: connections, readers, streams, refusals, shed load, and probes
 * of game servers.
 */

import { ERRORS, type ErrorCode } from '../../model/errors.ts';
import { CUT_OFF_REASONS, type CutOffReason } from '../../api/http/server/answers-in-flight.ts';
import { CONNECTION_LIMITS, type ConnectionLimit } from '../../api/http/server/connection-limits.ts';
import { SHEDDABLE_KINDS, type SheddableKind } from '../../api/http/limits/load-shedding.ts';
import { STREAM_CUT_OFF_REASONS, type StreamCutOffReason } from '../../api/changes/streams.ts';
import { CAUSES, type Cause } from '../../model/findings.ts';
import { PROBE_OUTCOMES, type ProbeOutcome } from '../../api/reachability/probe-result.ts';
import type { Instruments } from './instruments.ts';

export interface ClientMetrics {
  readonly answers: {
    readonly onWaiting: (bytes: number) => void;
    readonly onCutOff: (reason: CutOffReason) => void;
    readonly onRefused: (code: ErrorCode) => void;
  };
  readonly streams: {
    readonly onStreams: (open: number) => void;
    readonly onEvents: (sent: number) => void;
    readonly onWaiting: (bytes: number) => void;
    readonly onCutOff: (reason: StreamCutOffReason) => void;
  };
  readonly connections: {
    readonly onConnections: (open: number) => void;
    readonly onClosed: (limit: ConnectionLimit) => void;
  };
  readonly load: {
    readonly onDelay: (delayMs: number) => void;
    readonly onShed: (shed: readonly SheddableKind[]) => void;
  };
  /** The outcome of an attempt to reach a game server. */
  readonly onProbe: (outcome: ProbeOutcome) => void;
  /** The doctor's answer to why a game server is not listed. */
  readonly onDoctor: (cause: Cause) => void;
}

export function createClientMetrics(instruments: Instruments): ClientMetrics {
  const { waitingBytes } = instruments.gauges('sum', {
    waitingBytes: 'bytes of answers that wait in memory for slow readers',
  });
  const { cutOff } = instruments.countersBy('reason', CUT_OFF_REASONS, {
    cutOff:
      'readers that were cut off: too_slow, memory (--max-waiting) or pipelining (100 requests sent ahead)',
  });
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
  const { openConnections } = instruments.gauges('sum', {
    openConnections: 'open connections of clients and load balancers',
  });
  const { connectionsClosed } = instruments.countersBy('limit', CONNECTION_LIMITS, {
    connectionsClosed:
      'connections that were closed at once: all (--max-connections) or address (--max-connections-per-address)',
  });
  const { eventLoopDelaySeconds } = instruments.gauges('max', {
    eventLoopDelaySeconds: 'how late this replica gets to its work; from 0.5 on it sheds load',
  });
  const { loadShedding } = instruments.gaugesBy('kind', SHEDDABLE_KINDS, {
    loadShedding: '1 while this replica refuses requests of this kind because it has too much to do',
  });
  const { refused } = instruments.countersBy('code', Object.keys(ERRORS), {
    refused: 'requests that were answered with an error, by its code',
  });
  const { probes } = instruments.countersBy('outcome', PROBE_OUTCOMES, {
    probes: 'attempts to reach a game server (--verify), by what came of them',
  });
  const { doctor } = instruments.countersBy('cause', CAUSES, {
    doctor: 'answers to who asked why a game server is not listed (POST /doctor), by the cause',
  });

  return {
    answers: {
      onWaiting: (bytes) => waitingBytes.set(bytes),
      onCutOff: (reason) => cutOff.inc({ reason }),
      onRefused: (code) => refused.inc({ code }),
    },
    streams: {
      onStreams: (open) => streams.set(open),
      onEvents: (sent) => streamEvents.inc(sent),
      onWaiting: (bytes) => streamWaitingBytes.set(bytes),
      onCutOff: (reason) => streamsCutOff.inc({ reason }),
    },
    connections: {
      onConnections: (open) => openConnections.set(open),
      onClosed: (limit) => connectionsClosed.inc({ limit }),
    },
    load: {
      onDelay: (delayMs) => eventLoopDelaySeconds.set(delayMs / 1000),
      onShed: (shed) => {
        for (const kind of SHEDDABLE_KINDS) loadShedding.set({ kind }, shed.includes(kind) ? 1 : 0);
      },
    },
    onProbe: (outcome) => probes.inc({ outcome }),
    onDoctor: (cause) => doctor.inc({ cause }),
  };
}
