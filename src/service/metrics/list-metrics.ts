/** The metrics of the list as clients read it: its bytes, its rendering, and queries over it. */

import { QUERY_MATCHES, type OnQuery } from '../../api/find/query-matches.ts';
import type { OnRendered } from '../../api/lists/list.ts';
import { ENCODINGS } from '../../registry/snapshot/snapshot.ts';
import type { Instruments } from './instruments.ts';

export interface ListMetrics {
  readonly reads: { readonly onRendered: OnRendered; readonly onQuery: OnQuery };
}

/** The buckets in seconds: from a change of some game servers to the first list of a million. */
const RENDER_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

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
  return {
    reads: {
      onRendered(encoding, body, durationMs) {
        listBytes.set({ encoding }, body.length);
        listRenderDurationSeconds[encoding].observe(durationMs / 1000);
      },
      onQuery: (matches) => queries.inc({ matches }),
    },
  };
}
