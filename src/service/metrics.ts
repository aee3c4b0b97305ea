/**
 * The metrics of a replica, in the text format of Prometheus. Events of the registry and of answers in flight feed them.
 * Knows no requests.
 */

import { Counter, Gauge, Registry as Metrics } from 'prom-client';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { CUT_OFF_REASONS, type CutOffReason } from '../http/answers-in-flight.ts';
import { CONNECTION_LIMITS, type ConnectionLimit } from '../http/connection-limits.ts';
import { SHEDDABLE_KINDS, type SheddableKind } from '../http/load-shedding.ts';
import { STREAM_CUT_OFF_REASONS, type StreamCutOffReason } from '../http/streams.ts';
import { PROBE_OUTCOMES, type ProbeOutcome } from '../reachability/probe-result.ts';
import type { RedisRegistryEvents, ReloadReason } from '../registry/redis/events.ts';
import type { Registry } from '../registry/registry.ts';

export interface RegistryMetrics {
  /** The events to count. */
  readonly events: RedisRegistryEvents;
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
  readonly contentType: string;
  /** All metrics as text; the registry tells the present list. */
  readonly render: (registry: Pick<Registry, 'list'>) => Promise<string>;
}

const RELOAD_REASONS = ['epoch', 'rollback', 'digest', 'floor', 'reset', 'damage'] satisfies ReloadReason[];

/** `droppedLogLines` gives the number of log lines dropped so far. */
export function createMetrics(droppedLogLines = () => 0): RegistryMetrics {
  const metrics = new Metrics();
  const registers = [metrics];
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers });
  const counter = (name: string, help: string): Counter => new Counter({ name, help, registers });

  const gameServers = gauge('gsls_game_servers', 'game servers in the list of this replica');
  const staleSeconds = gauge(
    'gsls_list_stale_seconds',
    'age of the list in seconds while it cannot be brought up to date; 0 if current',
  );
  const available = gauge(
    'gsls_registry_available',
    '1; 0 while Redis does not answer and writes are refused',
  );
  const held = gauge(
    'gsls_mass_silence_game_servers',
    'game servers that had stopped pinging when the hold of a mass expiry began; 0 without a hold',
  );
  const expired = counter('gsls_expired_total', 'game servers that this replica let expire');
  const restored = counter(
    'gsls_restored_total',
    'game servers that Redis had lost and this replica wrote back',
  );
  const reloads = new Counter({
    name: 'gsls_reloads_total',
    help: 'times that the list was loaded anew because Redis had another history',
    labelNames: ['reason'],
    registers,
  });
  const droppedLines = counter(
    'gsls_log_lines_dropped_total',
    'log lines that were dropped because the output did not take them',
  );
  const waiting = gauge('gsls_waiting_bytes', 'bytes of answers that wait in memory for slow readers');
  const cutOff = new Counter({
    name: 'gsls_cut_off_total',
    help: 'readers that were cut off: too_slow, memory (--max-waiting) or pipelining (100 requests sent ahead)',
    labelNames: ['reason'],
    registers,
  });
  const streams = gauge('gsls_streams', 'clients that follow the list by a stream of events');
  const streamEvents = counter('gsls_stream_events_total', 'events that were sent in streams');
  const streamWaiting = gauge(
    'gsls_stream_waiting_bytes',
    'bytes of events that wait in memory for slow clients',
  );
  const streamsCutOff = new Counter({
    name: 'gsls_streams_cut_off_total',
    help: 'streams that were cut off: lagging (1 MB behind) or memory (--max-waiting)',
    labelNames: ['reason'],
    registers,
  });
  const connections = gauge('gsls_open_connections', 'open connections of clients and load balancers');
  const closed = new Counter({
    name: 'gsls_connections_closed_total',
    help: 'connections that were closed at once: all (--max-connections) or address (--max-connections-per-address)',
    labelNames: ['limit'],
    registers,
  });
  const delaySeconds = gauge(
    'gsls_event_loop_delay_seconds',
    'how late this replica gets to its work; from 0.5 on it sheds load',
  );
  const shedding = new Gauge({
    name: 'gsls_load_shedding',
    help: '1 while this replica refuses requests of this kind because it has too much to do',
    labelNames: ['kind'],
    registers,
  });
  const refused = new Counter({
    name: 'gsls_refused_total',
    help: 'requests that were answered with an error, by its code',
    labelNames: ['code'],
    registers,
  });
  const probes = new Counter({
    name: 'gsls_probes_total',
    help: 'attempts to reach a game server (--verify), by what came of them',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of PROBE_OUTCOMES) probes.inc({ outcome }, 0);
  available.set(1);
  for (const limit of CONNECTION_LIMITS) closed.inc({ limit }, 0);
  for (const kind of SHEDDABLE_KINDS) shedding.set({ kind }, 0);
  for (const reason of CUT_OFF_REASONS) cutOff.inc({ reason }, 0);
  for (const reason of STREAM_CUT_OFF_REASONS) streamsCutOff.inc({ reason }, 0);
  for (const code of Object.keys(ERRORS)) refused.inc({ code }, 0);
  for (const reason of RELOAD_REASONS) reloads.inc({ reason }, 0);

  return {
    events: {
      onExpired: (ids) => expired.inc(ids.length),
      onExpiryHeld: ({ silent }) => held.set(silent),
      onExpiryReleased: () => held.set(0),
      onReload: (reason) => reloads.inc({ reason }),
      onRestored: (count) => restored.inc(count),
      onWrongType: () => undefined,
      onUnavailable: () => available.set(0),
      onAvailable: () => available.set(1),
    },
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
    contentType: metrics.contentType,
    async render(registry) {
      const listing = await registry.list().catch(() => undefined);
      if (listing !== undefined) {
        gameServers.set(listing.snapshot.count);
        const { staleSince } = listing;
        staleSeconds.set(staleSince === undefined ? 0 : Math.max(0, Date.now() - staleSince) / 1000);
      }
      droppedLines.reset();
      droppedLines.inc(droppedLogLines());
      return metrics.metrics();
    },
  };
}
