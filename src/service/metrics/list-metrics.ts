/** The metrics of the list as clients read it: its bytes, its rendering, queries over it, and work for readers. */

import { QUERY_MATCHES, type OnQuery } from '../../api/find/query-matches.ts';
import { WORK_REFUSALS, type WorkEvents } from '../../api/work/work.ts';
import type { OnRendered } from '../../api/lists/list.ts';
import { ENCODINGS } from '../../registry/snapshot/snapshot.ts';
import type { Instruments } from './instruments.ts';

export interface ListMetrics {
  readonly reads: { readonly onRendered: OnRendered; readonly onQuery: OnQuery };
  readonly work: WorkEvents;
}

/** The buckets in seconds: from a change of some game servers to the first list of a million. */
const RENDER_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** The buckets in seconds: from a page that is nearly known to the longest wait that is allowed, and the work. */
const WORK_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export function createListMetrics(instruments: Instruments): ListMetrics {
  const { listBytes } = instruments.gaugesBy('encoding', ENCODINGS, {
    listBytes: 'bytes of the list that was rendered last, by encoding',
  });
  const { listRenderDurationSeconds } = instruments.histogramsBy('encoding', ENCODINGS, RENDER_BUCKETS, {
    listRenderDurationSeconds: 'how long it took to render a changed list, or to compress it, by encoding',
  });
  const { queries } = instruments.countersBy('matches', QUERY_MATCHES, {
    queries: 'queries for servers and statistics, by whether what matches was kept from an earlier query',
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
    reads: {
      onRendered(encoding, body, durationMs) {
        listBytes.set({ encoding }, body.length);
        listRenderDurationSeconds[encoding].observe(durationMs / 1000);
      },
      onQuery: (matches) => queries.inc({ matches }),
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
