/**
 * What the metrics say of clients and of the load that they make: connections, readers, streams, refusals, shed load,
 * and probes of game servers.
 */

import { ERRORS, type ErrorCode } from '../../errors.ts';
import { CUT_OFF_REASONS, type CutOffReason } from '../../http/server/answers-in-flight.ts';
import { CONNECTION_LIMITS, type ConnectionLimit } from '../../http/server/connection-limits.ts';
import { SHEDDABLE_KINDS, type SheddableKind } from '../../http/limits/load-shedding.ts';
import { STREAM_CUT_OFF_REASONS, type StreamCutOffReason } from '../../feed/streams.ts';
import { CAUSES, type Cause } from '../../doctor/findings.ts';
import { PROBE_OUTCOMES, type ProbeOutcome } from '../../reachability/probe-result.ts';
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
  /** What somebody was told who asked why a game server is not listed. */
  readonly onDoctor: (cause: Cause) => void;
}

export function createClientMetrics({ gauge, gaugeBy, counter, counterBy }: Instruments): ClientMetrics {
  const waiting = gauge('gsls_waiting_bytes', 'bytes of answers that wait in memory for slow readers', 'sum');
  const cutOff = counterBy(
    'gsls_cut_off_total',
    'readers that were cut off: too_slow, memory (--max-waiting) or pipelining (100 requests sent ahead)',
    'reason',
    CUT_OFF_REASONS,
  );
  const streams = gauge('gsls_streams', 'clients that follow the list by a stream of events', 'sum');
  const streamEvents = counter('gsls_stream_events_total', 'events that were sent in streams');
  const streamWaiting = gauge(
    'gsls_stream_waiting_bytes',
    'bytes of events that wait in memory for slow clients',
    'sum',
  );
  const streamsCutOff = counterBy(
    'gsls_streams_cut_off_total',
    'streams that were cut off: lagging (1 MB behind) or memory (--max-waiting)',
    'reason',
    STREAM_CUT_OFF_REASONS,
  );
  const connections = gauge('gsls_open_connections', 'open connections of clients and load balancers', 'sum');
  const closed = counterBy(
    'gsls_connections_closed_total',
    'connections that were closed at once: all (--max-connections) or address (--max-connections-per-address)',
    'limit',
    CONNECTION_LIMITS,
  );
  const delaySeconds = gauge(
    'gsls_event_loop_delay_seconds',
    'how late this replica gets to its work; from 0.5 on it sheds load',
  );
  const shedding = gaugeBy(
    'gsls_load_shedding',
    '1 while this replica refuses requests of this kind because it has too much to do',
    'kind',
    SHEDDABLE_KINDS,
  );
  const refused = counterBy(
    'gsls_refused_total',
    'requests that were answered with an error, by its code',
    'code',
    Object.keys(ERRORS),
  );
  const probes = counterBy(
    'gsls_probes_total',
    'attempts to reach a game server (--verify), by what came of them',
    'outcome',
    PROBE_OUTCOMES,
  );
  const diagnoses = counterBy(
    'gsls_doctor_total',
    'answers to who asked why a game server is not listed (POST /doctor), by the cause',
    'cause',
    CAUSES,
  );

  return {
    answers: {
      onWaiting: (bytes) => waiting.set(bytes),
      onCutOff: (reason) => cutOff.inc({ reason }),
      onRefused: (code) => refused.inc({ code }),
    },
    streams: {
      onStreams: (open) => streams.set(open),
      onEvents: (sent) => streamEvents.inc(sent),
      onWaiting: (bytes) => streamWaiting.set(bytes),
      onCutOff: (reason) => streamsCutOff.inc({ reason }),
    },
    connections: {
      onConnections: (open) => connections.set(open),
      onClosed: (limit) => closed.inc({ limit }),
    },
    load: {
      onDelay: (delayMs) => delaySeconds.set(delayMs / 1000),
      onShed: (shed) => {
        for (const kind of SHEDDABLE_KINDS) shedding.set({ kind }, shed.includes(kind) ? 1 : 0);
      },
    },
    onProbe: (outcome) => probes.inc({ outcome }),
    onDoctor: (cause) => diagnoses.inc({ cause }),
  };
}
