/** What the metrics say of the list as clients read it: its bytes, its rendering, and queries over it. */

import { QUERY_MATCHES, type OnQuery } from '../../find/query-matches.ts';
import type { OnRendered } from '../../http/list.ts';
import { ENCODINGS } from '../../registry/snapshot/snapshot.ts';
import type { Instruments } from './instruments.ts';

export interface ListMetrics {
  readonly onRendered: OnRendered;
  readonly onQuery: OnQuery;
}

/** In seconds: from a change of some game servers to the first list of a million. */
const RENDER_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export function createListMetrics({ gaugeBy, counterBy, histogramBy }: Instruments): ListMetrics {
  const bytes = gaugeBy(
    'gsls_list_bytes',
    'bytes of the list that was rendered last, by encoding',
    'encoding',
    ENCODINGS,
  );
  const durations = histogramBy(
    'gsls_list_render_duration_seconds',
    'how long it took to render a changed list, or to compress it, by encoding',
    'encoding',
    ENCODINGS,
    RENDER_BUCKETS,
  );
  const queries = counterBy(
    'gsls_queries_total',
    'queries for servers and statistics, by whether what matches was kept from an earlier query',
    'matches',
    QUERY_MATCHES,
  );
  return {
    onRendered(encoding, body, durationMs) {
      bytes.set({ encoding }, body.length);
      durations[encoding].observe(durationMs / 1000);
    },
    onQuery: (matches) => queries.inc({ matches }),
  };
}
