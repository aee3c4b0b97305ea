/** The metrics of what all registries of a process share: connections, answers on their way, load, and work. */

import { CUT_OFF_REASONS, type CutOffReason } from '../../api/http/server/answers-in-flight.ts';
import { CONNECTION_LIMITS, type ConnectionLimit } from '../../api/http/server/connection-limits.ts';
import { SHEDDABLE_KINDS, type SheddableKind } from '../../api/http/limits/load-shedding.ts';
import { WORK_REFUSALS, type WorkEvents } from '../../api/work/work.ts';
import type { Instruments } from './instruments.ts';

export interface PortMetrics {
  readonly answers: {
    readonly onWaiting: (bytes: number) => void;
    readonly onCutOff: (reason: CutOffReason) => void;
  };
  readonly connections: {
    readonly onConnections: (open: number) => void;
    readonly onClosed: (limit: ConnectionLimit) => void;
  };
  readonly load: {
    readonly onDelay: (delayMs: number) => void;
    readonly onShed: (shed: readonly SheddableKind[]) => void;
  };
  readonly work: WorkEvents;
}

/** The buckets in seconds: from a page that is nearly known to the longest wait that is allowed, and the work. */
const WORK_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export function createPortMetrics(instruments: Instruments): PortMetrics {
  const { waitingBytes } = instruments.gauges('sum', {
    waitingBytes: 'bytes of answers that wait in memory for slow readers',
  });
  const { cutOff } = instruments.countersBy('reason', CUT_OFF_REASONS, {
    cutOff:
      'readers that were cut off: too_slow, memory (--max-waiting) or pipelining (100 requests sent ahead)',
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
  const { workJobs } = instruments.gauges('sum', {
    workJobs: 'work for readers that is not done: what is under way, and what waits',
  });
  const { workDurationSeconds } = instruments.histograms(WORK_BUCKETS, {
    workDurationSeconds:
      'time from the beginning of work for a reader to its end, with the time that it waited for others',
  });
  const workDurations = workDurationSeconds.series();
  const { workSeconds } = instruments.counters({
    workSeconds: 'time that work for readers had the event loop',
  });
  const { workRefused } = instruments.countersBy('reason', WORK_REFUSALS, {
    workRefused:
      'work for readers that was not done: queue (it would have waited too long), wait (it has), gone (they hung up)',
  });
  return {
    answers: {
      onWaiting: (bytes) => waitingBytes.set(bytes),
      onCutOff: (reason) => cutOff.inc({ reason }),
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
    work: {
      onDone(durationMs, spentMs) {
        workDurations.observe(durationMs / 1000);
        workSeconds.inc(spentMs / 1000);
      },
      onRefused: (reason) => workRefused.inc({ reason }),
      onJobs: (count) => workJobs.set(count),
    },
  };
}
